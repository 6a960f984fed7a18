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
} from '../../host/index.ts';
import type { Act, AddCommand } from '../add-command.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions } from '../shared-options.ts';
import { exitFailed, exitOk, oneLine, type World } from '../world.ts';

interface JournalOptions extends DataDirOptions {
  simulator?: true;
}
interface RepairOptions extends JournalOptions {
  by: string;
  reason: string;
}

export const addJournalCommand: AddCommand = (program, world, act) => {
  const journal = program
    .command('journal')
    .summary('Verify, export or repair the journal.')
    .description(
      'The journal is an append-only list of facts, each chained to the one before by its hash. The simulator has a ' +
        'journal of its own, in the folder "simulator" of the data folder.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge journal verify');
  addVerify(journal, world, act);
  addExport(journal, world, act);
  addRepair(journal, world, act);
};

function addVerify(journal: Command, world: World, act: Act): void {
  withSimulatorFlag(withDataDir(journal.command('verify'), world))
    .description(
      'Checks every fact against its hash, and names the first that does not fit. Changes nothing.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge journal verify --data-dir /var/lib/tillbridge')
    .action((options: JournalOptions) =>
      act(() =>
        onPlaces(options, world, (places) => {
          const results = places.map((place) => ({ place, result: verifyJournal(place.folder) }));
          for (const { place, result } of results) {
            if (result.ok) {
              world.print(
                `${result.events} facts, all in order: ${place.description}. Last hash: ${result.lastHash}`,
              );
            } else {
              const where = result.seq === 0 ? '' : `fact ${result.seq} does not fit: `;
              world.complain(oneLine(`NOT in order: ${place.description}: ${where}${result.problem}`));
            }
          }
          return results.every(({ result }) => result.ok) ? exitOk : exitFailed;
        }),
      ),
    );
}

function addExport(journal: Command, world: World, act: Act): void {
  withSimulatorFlag(withDataDir(journal.command('export'), world))
    .description(
      'Prints the facts as JSON lines, oldest first: {"seq", "at", "hash", "event"}. Without --simulator that is the ' +
        'real terminal’s journal, unless the data folder has only the simulator’s.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge journal export > journal.jsonl')
    .action((options: JournalOptions) =>
      act(() =>
        onPlaces(options, world, ([place]) => {
          const lines = exportJournal(place.folder, (line) => world.printExact(line));
          world.complain(`${lines} facts: ${place.description}.`);
          return exitOk;
        }),
      ),
    );
}

function addRepair(journal: Command, world: World, act: Act): void {
  withSimulatorFlag(withDataDir(journal.command('repair'), world))
    .description(
      'Makes a new journal from what can still be read of a damaged one, which is kept beside it. The bridge must be ' +
        'stopped. Name and reason go into the new journal. An operation whose end is lost is in doubt again.',
    )
    .requiredOption('--by <NAME>', 'Who chooses this.')
    .requiredOption('--reason <TEXT>', 'Why.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge journal repair --by "Ada Meier" --reason "disk was replaced"',
    )
    .action((options: RepairOptions) =>
      act(() => onPlaces(options, world, ([place]) => repair(place, options, world))),
    );
}

async function repair(
  { folder, description }: JournalLocation,
  options: RepairOptions,
  world: World,
): Promise<number> {
  // A bridge that found the damage runs on, to say so, and does not hold the journal.
  const reply = await sendControlRequest(folder, { ask: 'status' }, world.clock);
  if (reply.kind !== 'no_bridge') {
    world.complain(
      reply.kind === 'failed' ? reply.message : `A bridge is running on ${description}. Stop it first.`,
    );
    return exitFailed;
  }
  const { by, reason } = options;
  const repaired = repairJournal({
    folder,
    by,
    reason,
    clock: world.clock,
    log: silentLog,
    version: world.version,
    uuid: () => world.chance.uuid(),
  });
  switch (repaired.kind) {
    case 'repaired':
    case 'nothing_to_repair':
      world.print(`${repaired.message} (${description})`);
      return exitOk;
    case 'locked':
    case 'too_new':
      world.complain(repaired.message);
      return exitFailed;
  }
}

type Places = [JournalLocation, ...JournalLocation[]];

/** Finds the journals and acts on them; what disk or file refuse is said in a sentence. */
function onPlaces(
  options: JournalOptions,
  world: World,
  act: (places: Places) => Promise<number> | number,
): Promise<number> {
  return onDataDir(options, world, async (dataDir) => {
    const simulatorOnly = options.simulator === true;
    const [first, ...others] = findJournals(dataDir, simulatorOnly);
    if (first === undefined) {
      world.complain(noJournalMessage(dataDir, simulatorOnly));
      return exitFailed;
    }
    try {
      return await act([first, ...others]);
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      world.complain(oneLine(error.message));
      return exitFailed;
    }
  });
}
