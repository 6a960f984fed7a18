/** What a driver tells its owner, kept for a test: of the drivers whose results are final without us. */
import type {
  DriverWatch,
  NotInBatch,
  OperationWatch,
} from '../../../src/bridge/terminals/terminal-driver.ts';
import type { TerminalRecord } from '../../../src/contract/terminal.ts';

export interface WatchedDriver {
  /** Results that were put on disk, in order; `writable` false makes the disk fail, for all that is to be written. */
  disk: { results: TerminalRecord[]; writable: boolean };
  /** Late results that were offered; `adopt` says what becomes of them. */
  late: {
    results: TerminalRecord[];
    adopt: boolean;
    /** Whether the newest is kept under a number of ours; undefined: it told none. */
    isKeptUnder: ((terminalReference: string) => boolean) | undefined;
  };
  progress: string[];
  /** Why another terminal may be there. */
  others: string[];
  /** What it said of payments that are not in the batch. */
  notInBatch: NotInBatch[];
  /** For the driver, and for one operation of it. */
  owner: DriverWatch;
  watch: OperationWatch;
}

export function watchDriver(): WatchedDriver {
  const disk: WatchedDriver['disk'] = { results: [], writable: true };
  const late: WatchedDriver['late'] = { results: [], adopt: false, isKeptUnder: undefined };
  const progress: string[] = [];
  const others: string[] = [];
  const notInBatch: NotInBatch[] = [];
  return {
    disk,
    late,
    progress,
    others,
    notInBatch,
    owner: {
      progress: (text) => void progress.push(text),
      lateResult(result, isKeptUnder) {
        late.results.push(result);
        late.isKeptUnder = isKeptUnder;
        return late.adopt;
      },
      mayBeAnother(reason) {
        if (disk.writable) others.push(reason);
        return disk.writable;
      },
      traits: () => new Set(),
      learned() {},
    },
    watch: {
      persistResult(result) {
        if (disk.writable) disk.results.push(result);
        return disk.writable;
      },
      resultRefused() {},
      notInBatch(found) {
        if (disk.writable) notInBatch.push(found);
        return disk.writable;
      },
      acknowledged() {},
      timed() {},
    },
  };
}
