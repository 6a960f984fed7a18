/** `tillbridge doubts`: what nobody can tell yet, with its evidence. */
import type { DoubtView } from '../../bridge/payments/index.ts';
import type { AddCommand } from '../add-command.ts';
import { factSentence, operationWords } from '../fact-sentences.ts';
import { journalPlaces, noJournal, type JournalPlace } from '../../host/journal-places.ts';
import { readDoubts } from '../open-doubts.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions } from '../shared-options.ts';
import { exitFailed, exitOk, type World } from '../world.ts';

interface DoubtsOptions extends DataDirOptions {
  simulator?: true;
  json?: true;
}

export const addDoubtsCommand: AddCommand = (program, world, act) => {
  withSimulatorFlag(withDataDir(program.command('doubts'), world))
    .summary('List the operations in doubt with their evidence.')
    .description(
      'Lists the operations in doubt: started, and nobody can tell yet how they ended. Each comes with what is known ' +
        'of it and with what a person may decide. Works while the bridge runs and while it does not.',
    )
    .option('--json', 'Print one JSON object instead.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge doubts\n  $ tillbridge resolve A-1001 --outcome charged …',
    )
    .action((options: DoubtsOptions) =>
      act(() => onDataDir(options, world, (dataDir) => listAll(dataDir, options, world))),
    );
};

async function listAll(dataDir: string, options: DoubtsOptions, world: World): Promise<number> {
  const places = journalPlaces(dataDir, options.simulator === true);
  if (places.length === 0) {
    world.complain(noJournal(dataDir, options.simulator === true));
    return exitFailed;
  }
  let exitCode = exitOk;
  const journals = [];
  for (const place of places) {
    const found = await readDoubts(place, world.clock);
    if (!found.ok) {
      world.complain(`${capital(place.words)}: ${found.message}`);
      exitCode = exitFailed;
      continue;
    }
    const { bridge, doubts } = found;
    journals.push({ folder: place.folder, simulated: place.simulated, bridge, doubts });
    if (options.json !== true) world.print(listing(place, bridge, doubts));
  }
  if (options.json === true) world.print(JSON.stringify({ journals }));
  return exitCode;
}

function listing(place: JournalPlace, bridge: 'running' | 'stopped', doubts: DoubtView[]): string {
  const count =
    doubts.length === 0
      ? 'nothing is in doubt.'
      : `${doubts.length} ${doubts.length === 1 ? 'operation is' : 'operations are'} in doubt.`;
  const state = bridge === 'running' ? 'its bridge is running' : 'no bridge is running on it';
  return [
    `${capital(place.words)} (${state}): ${count}`,
    ...doubts.map((doubt) => describeDoubt(doubt, bridge)),
  ].join('\n\n');
}

function describeDoubt(doubt: DoubtView, bridge: 'running' | 'stopped'): string {
  const outcomes = doubt.resolutions.join('|');
  const state = doubt.needsPerson
    ? 'a person must decide'
    : `the bridge asks the terminal ${bridge === 'running' ? 'as soon as it can' : 'when it is started again'}`;
  return [
    `  ${operationWords(doubt)}, started ${doubt.startedAt}`,
    `    operation: ${doubt.operationId}`,
    ...(doubt.reason === '' ? [] : [`    why:       ${doubt.reason}`]),
    `    now:       ${state}`,
    '    evidence:',
    ...doubt.facts.map(({ at, event }) => `      ${at}  ${factSentence(event)}`),
    '    to decide:',
    `      tillbridge resolve ${doubt.operationId} --outcome ${outcomes} --by NAME --reason TEXT`,
  ].join('\n');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
