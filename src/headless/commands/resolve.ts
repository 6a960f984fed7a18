/** `tillbridge resolve`: a named person's word on an operation in doubt. */
import { Option } from 'commander';
import { openJournal } from '../../bridge/journal/index.ts';
import { silentLog } from '../../bridge/log/index.ts';
import { createResolver, type DoubtView } from '../../bridge/payments/index.ts';
import { resolutionSchema, type Resolution } from '../../contract/operation.ts';
import { askBridge } from '../../host/control/client.ts';
import { operationWords } from '../fact-sentences.ts';
import { journalPlaces, noJournal, type JournalPlace } from '../../host/journal-places.ts';
import { readDoubts } from '../open-doubts.ts';
import type { AddCommand } from '../add-command.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions } from '../shared-options.ts';
import { exitFailed, exitOk, type World } from '../world.ts';

interface ResolveOptions extends DataDirOptions {
  simulator?: true;
  outcome: Resolution;
  by: string;
  reason: string;
}

export const addResolveCommand: AddCommand = (program, world, act) => {
  withSimulatorFlag(withDataDir(program.command('resolve'), world))
    .summary('Decide an operation in doubt.')
    .description(
      'Decides an operation that is in doubt, by the word of a person who has looked (at the terminal’s own journal, at ' +
        'the acquirer’s). The name and the reason are kept. Works while the bridge runs and while it does not.',
    )
    .argument(
      '<OPERATION>',
      'The operation’s id, or the payment’s reference if only one operation in doubt has it.',
    )
    .addOption(
      new Option('--outcome <OUTCOME>', 'What happened: charged and not-charged are for payments.')
        .choices(resolutionSchema.options)
        .makeOptionMandatory(),
    )
    .requiredOption('--by <NAME>', 'Who decides.')
    .requiredOption('--reason <TEXT>', 'How that person knows.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge resolve A-1001 --outcome charged --by "Ada Meier" --reason "on the terminal’s day list"',
    )
    .action((operation: string, options: ResolveOptions) =>
      act(() => onDataDir(options, world, (dataDir) => resolve(dataDir, operation, options, world))),
    );
};

async function resolve(
  dataDir: string,
  operation: string,
  options: ResolveOptions,
  world: World,
): Promise<number> {
  const simulatorOnly = options.simulator === true;
  const places = journalPlaces(dataDir, simulatorOnly);
  const fitting: { place: JournalPlace; doubt: DoubtView }[] = [];
  const troubles: string[] = [];
  for (const place of places) {
    const found = await readDoubts(place, world.clock);
    if (!found.ok) {
      troubles.push(`Trouble with ${place.words}: ${found.message}`);
      continue;
    }
    const doubts = found.doubts.filter(
      (doubt) => doubt.operationId === operation || doubt.reference === operation,
    );
    fitting.push(...doubts.map((doubt) => ({ place, doubt })));
  }
  const [first, ...others] = fitting;
  if (first === undefined) {
    const where = places.map((place) => place.words).join(' or ');
    const nothing = `No operation in doubt has the id or the reference "${operation}" in ${where}. See "tillbridge doubts".`;
    for (const trouble of troubles) world.complain(trouble);
    world.complain(places.length === 0 ? noJournal(dataDir, simulatorOnly) : nothing);
    return exitFailed;
  }
  if (others.length > 0) {
    const list = fitting.map(
      ({ place, doubt }) => `  ${doubt.operationId}  ${operationWords(doubt)}, ${place.words}`,
    );
    world.complain([`"${operation}" could be any of these; name the operation’s id:`, ...list].join('\n'));
    return exitFailed;
  }
  const refusal = await decide(first.place, first.doubt, options, world);
  if (refusal !== null) {
    world.complain(refusal);
    return exitFailed;
  }
  world.print(
    `The ${operationWords(first.doubt)} is decided: ${options.outcome}, by ${options.by.trim()}. ` +
      `It is written in ${first.place.words}.`,
  );
  return exitOk;
}

/** Through the bridge if one runs, else in the journal itself. Null when it is done, or a sentence that says why not. */
async function decide(
  { folder }: JournalPlace,
  { operationId }: DoubtView,
  { outcome, by, reason }: ResolveOptions,
  world: World,
): Promise<string | null> {
  const request = { operationId, resolution: outcome, by, reason };
  const reply = await askBridge(folder, { ask: 'resolve', ...request }, world.clock);
  if (reply.kind === 'failed') return reply.message;
  if (reply.kind === 'answered') {
    if (reply.answer.answer === 'resolved') return null;
    return reply.answer.answer === 'refused' ? reply.answer.message : 'The bridge answered something else.';
  }
  // A bridge that starts at this very moment has the journal's lock, and `openJournal` says so.
  const opened = openJournal({ folder, clock: world.clock, log: silentLog, version: world.version });
  if (opened.kind !== 'opened') return opened.message;
  try {
    const resolved = createResolver(opened.journal).resolve(request);
    return resolved.ok ? null : resolved.failure.message;
  } finally {
    opened.journal.close();
  }
}
