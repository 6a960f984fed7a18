/**
 * What waits for a decision on the real terminal while the simulator, with a journal of its own, runs. Nobody would see
 * it otherwise.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { JournalDamagedError, JournalWriteError, openJournalReadOnly } from '../bridge/journal/index.ts';
import { listOperationsInDoubt } from '../bridge/payments/index.ts';
import type { Log } from '../log/index.ts';
import { commandOn, journalsOf, repairCommand, wasSetAside, type JournalLocation } from './data-folder.ts';

export interface RealTerminalBacklog {
  /** Operations in doubt. */
  inDoubt: number;
  /** Those that nobody has acknowledged. */
  discrepancies: number;
  unreadable: readonly UnreadableJournal[];
}

/** One that cannot be read: nobody can tell what waits in it. */
interface UnreadableJournal {
  location: JournalLocation;
  /** Then it can be repaired; else `message` says what is in the way. */
  damaged: boolean;
  message: string;
}

const emptyBacklog: RealTerminalBacklog = { inDoubt: 0, discrepancies: 0, unreadable: [] };

export interface WatchedBacklog {
  readonly now: RealTerminalBacklog;
  end(): void;
}

/** Where the real terminal itself is driven: nothing waits elsewhere. */
export const noBacklog: WatchedBacklog = { now: emptyBacklog, end() {} };

/** From one look to the next, in milliseconds. */
const lookMs = 30_000;

/**
 * Looks now, and again and again: meanwhile somebody decides what waits with the command line, repairs a journal or puts a
 * copy back. Throws what the first look does; of a later one that fails what was known before stands.
 */
export function watchRealTerminalBacklog(
  dataDir: string,
  { clock, log, onChange }: { clock: Clock; log: Log; onChange: () => void },
): WatchedBacklog {
  let now = readRealTerminalBacklog(dataDir);
  let failing = false;
  let cancel = clock.after(lookMs, look);

  function look(): void {
    cancel = clock.after(lookMs, look);
    const before = now;
    try {
      now = readRealTerminalBacklog(dataDir);
      failing = false;
    } catch (err) {
      if (!failing) log.warn('what waits on the real terminal cannot be looked up', { source: 'app', err });
      failing = true;
    }
    if (!isDeepStrictEqual(now, before)) onChange();
  }

  return {
    get now() {
      return now;
    },
    end: () => cancel(),
  };
}

/** What there is in the real terminals' journals; nothing where there is no journal. */
function readRealTerminalBacklog(dataDir: string): RealTerminalBacklog {
  const backlogs = journalsOf(dataDir, false).map(backlogIn);
  return backlogs.reduce(
    (sum, { inDoubt, discrepancies, unreadable }) => ({
      inDoubt: sum.inDoubt + inDoubt,
      discrepancies: sum.discrepancies + discrepancies,
      unreadable: [...sum.unreadable, ...unreadable],
    }),
    emptyBacklog,
  );
}

function backlogIn(location: JournalLocation): RealTerminalBacklog {
  const { folder } = location;
  const unreadable = (damaged: boolean, message: string) => ({
    ...emptyBacklog,
    unreadable: [{ location, damaged, message }],
  });
  try {
    const opened = openJournalReadOnly(folder);
    // Where there is none, a damaged one may have been set aside.
    if (opened.kind === 'none') return wasSetAside(folder) ? unreadable(true, opened.message) : emptyBacklog;
    if (opened.kind !== 'opened') return unreadable(opened.kind === 'damaged', opened.message);
    const { journal } = opened;
    try {
      return {
        ...emptyBacklog,
        inDoubt: listOperationsInDoubt(journal).length,
        discrepancies: journal.openDiscrepancyCount(),
      };
    } finally {
      journal.close();
    }
  } catch (error) {
    // A bridge that starts on that journal reports what is wrong with it; the simulator does not need it.
    if (error instanceof JournalWriteError)
      return unreadable(error instanceof JournalDamagedError, error.message);
    throw error;
  }
}

/** A sentence for each, for whoever starts the bridge. */
export function backlogWarnings(
  { inDoubt, discrepancies, unreadable }: RealTerminalBacklog,
  dataDir: string,
): string[] {
  return [
    ...(inDoubt === 0
      ? []
      : [
          'On the real terminal something is in doubt, and the simulator has a journal of its own. Connect the real terminal to decide it.',
        ]),
    ...unreadable.map(({ location, damaged, message }) =>
      damaged
        ? `Nobody can tell what is in doubt on the real terminal: ${location.description} is damaged. ` +
          `"${repairCommand(location)}" repairs it.`
        : `Nobody can tell what is in doubt on the real terminal. ${message}`,
    ),
    ...(discrepancies === 0
      ? []
      : [
          `Discrepancies of the real terminal are open, and the simulator has a journal of its own. "${commandOn(dataDir, 'discrepancies')}" lists them.`,
        ]),
  ];
}
