/** `tillbridge journal`: check it, get it out, and mend it after damage. */
import type { Command } from 'commander';
import {
  JournalWriteError,
  exportJournal,
  repairJournal,
  verifyJournal,
} from '../../bridge/journal/index.ts';
import { silentLog } from '../../log/index.ts';
import {
  type JournalLocation,
  sendControlRequest,
  findJournals,
  noJournalMessage,
  repairCommand,
} from '../../host/index.ts';
import {
  onDataDir,
  withDataDir,
  withJournalFlags,
  journalChoice,
  type JournalFlags,
  type DataDirOptions,
  type RunAction,
  type AddCommand,
} from './shared.ts';
import { exitFailed, exitOk, oneLine, type CliContext } from '../cli-context.ts';

interface JournalOptions extends DataDirOptions, JournalFlags {}
interface RepairOptions extends JournalOptions {
  by: string;
  reason: string;
}

export const addJournalCommand: AddCommand = (program, context, runAction) => {
  const journal = program
    .command('journal')
    .summary('Verify, export or repair the journal.')
    .description(
      'The journal is an append-only list of events, each chained to the one before by its hash. The simulator has a ' +
        'journal of its own, in the folder "simulator" of the data folder.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge journal verify');
  addVerify(journal, context, runAction);
  addExport(journal, context, runAction);
  addRepair(journal, context, runAction);
};

function addVerify(journal: Command, context: CliContext, runAction: RunAction): void {
  withJournalFlags(withDataDir(journal.command('verify'), context))
    .description(
      'Checks every event against its hash and names the first that does not fit; without the file journal.sqlite-mark, ' +
        'which says how many there were, it fails. Changes nothing.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge journal verify --data-dir /var/lib/tillbridge')
    .action((options: JournalOptions) =>
      runAction(() =>
        onPlaces(options, context, (places) => {
          const results = places.map((place) => ({ place, result: verifyJournal(place.folder) }));
          for (const { place, result } of results) {
            if (result.ok) {
              context.stdout(
                `${result.events} events, all in order: ${place.description}. Last hash: ${result.lastHash}`,
              );
              if (!result.isMarked) context.error(oneLine(unmarkedText(place)));
            } else if (result.isTooNew === true) {
              context.error(oneLine(`This version cannot check ${place.description}. ${result.problem}`));
            } else {
              const where = result.seq === 0 ? '' : `event ${result.seq} does not fit: `;
              context.error(oneLine(`NOT in order: ${place.description}: ${where}${result.problem}`));
            }
          }
          return results.every(({ result }) => result.ok && result.isMarked) ? exitOk : exitFailed;
        }),
      ),
    );
}

function unmarkedText({ description }: JournalLocation): string {
  return (
    `NOT certain to be whole: ${description}: journal.sqlite-mark is missing or damaged, so nobody can tell whether the ` +
    'newest events are there. If this is a copy, stop the bridge and copy all files whose names begin with ' +
    '"journal.sqlite". If it is not, the bridge makes the file anew when it starts.'
  );
}

function addExport(journal: Command, context: CliContext, runAction: RunAction): void {
  withJournalFlags(withDataDir(journal.command('export'), context))
    .description(
      'Prints the events as JSON lines, oldest first: {"seq", "at", "hash", "event"}. Without --simulator that is the ' +
        'real terminal’s journal, unless the data folder has only the simulator’s.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge journal export > journal.jsonl')
    .action((options: JournalOptions) =>
      runAction(() =>
        onPlaces(options, context, ([place]) => {
          const lines = exportJournal(place.folder, (line) => context.stdoutExact(line));
          context.error(`${lines} events: ${place.description}.`);
          return exitOk;
        }),
      ),
    );
}

function addRepair(journal: Command, context: CliContext, runAction: RunAction): void {
  withJournalFlags(withDataDir(journal.command('repair'), context))
    .description(
      'Builds a new journal from what can still be read of a damaged one, and keeps the damaged file. The bridge must be ' +
        'stopped. The name and the reason go into the new journal. An operation whose end is lost is in doubt again.',
    )
    .requiredOption('--by <NAME>', 'The name of the person who has decided this.')
    .requiredOption('--reason <TEXT>', 'The reason.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge journal repair --by "Ada Meier" --reason "disk was replaced"',
    )
    .action((options: RepairOptions) =>
      runAction(() =>
        onPlaces(options, context, async ([place]) => {
          const exitCode = await repair(place, options, context);
          nameOthers(place, context);
          return exitCode;
        }),
      ),
    );
}

/** One journal is repaired at a time, since each has its own reason: whoever means another has to hear that. */
function nameOthers(repaired: JournalLocation, context: CliContext): void {
  for (const other of findJournals(repaired.dataDir))
    if (other.folder !== repaired.folder)
      context.error(
        oneLine(`Not looked at: ${other.description}. "${repairCommand(other)}" is for that one.`),
      );
}

async function repair(
  { folder, description }: JournalLocation,
  options: RepairOptions,
  context: CliContext,
): Promise<number> {
  // A bridge that found the damage runs on, to say so, and does not hold the journal.
  const reply = await sendControlRequest(folder, { ask: 'status' }, context.clock);
  if (reply.kind !== 'no_bridge') {
    context.error(
      reply.kind === 'failed' ? reply.message : `A bridge is running on ${description}. Stop it first.`,
    );
    return exitFailed;
  }
  const { by, reason } = options;
  const repaired = repairJournal({
    folder,
    by,
    reason,
    clock: context.clock,
    log: silentLog,
    version: context.version,
    uuid: () => context.chance.uuid(),
  });
  switch (repaired.kind) {
    case 'repaired':
    case 'nothing_to_repair':
      context.stdout(`${repaired.message} (${description})`);
      return exitOk;
    case 'refused':
    case 'locked':
    case 'too_new':
      context.error(repaired.message);
      return exitFailed;
  }
}

type Places = [JournalLocation, ...JournalLocation[]];

/** Finds the journals and acts on them; what disk or file refuse is said in a sentence. */
function onPlaces(
  options: JournalOptions,
  context: CliContext,
  action: (places: Places) => Promise<number> | number,
): Promise<number> {
  return onDataDir(options, context, async (dataDir) => {
    const journals = journalChoice(options);
    const [first, ...others] = findJournals(dataDir, journals);
    if (first === undefined) {
      context.error(noJournalMessage(dataDir, journals));
      return exitFailed;
    }
    try {
      return await action([first, ...others]);
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      context.error(oneLine(error.message));
      return exitFailed;
    }
  });
}
