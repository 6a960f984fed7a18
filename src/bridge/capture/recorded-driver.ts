/** What a driver is asked, and what it says, written down: the same for every protocol. */
import { errorText } from '../../base/error-text.ts';
import { maskCardNumbers } from '../../log/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { DriverWatch, OperationWatch, TerminalDriver } from '../terminals/terminal-driver.ts';
import type { CaptureEntry, EntryOf } from './capture-file.ts';
import type { Note } from './line-recorder.ts';
import { whileItWorks, type Safely } from './while-it-works.ts';

export interface RecordingParts {
  clock: Clock;
  /** Takes each entry at the moment at which it happens. */
  write(entry: CaptureEntry): void;
  /** Recording threw; nothing more is recorded. Must not throw. */
  failed(error: unknown): void;
}

/** Takes a note that is made only where it is recorded. */
export type NoteMade = (make: () => Note) => void;

/** Notes of one recording, from now on; `put` throws what `write` throws. */
export function notesOf({ clock, write, failed }: RecordingParts): {
  put(one: Note): void;
  note: NoteMade;
  safely: Safely;
} {
  const startedAt = clock.elapsed();
  const safely = whileItWorks(failed);
  const put = (one: Note) => write({ t: Math.round(clock.elapsed() - startedAt), ...one });
  return { put, safely, note: (make) => safely(() => put(make())) };
}

/** None of it changes for whoever is told. */
export function recordedWatch(watch: DriverWatch, note: NoteMade): DriverWatch {
  const shown = new Map<string | null, string>();
  return {
    progress(text, step) {
      note(() => ({ kind: 'told', what: 'progress', with: maskedJson([text, step]) }));
      watch.progress(text, step);
    },
    lateResult(result, isKeptUnder) {
      const answered = watch.lateResult(result, isKeptUnder);
      note(() => ({ kind: 'told', what: 'lateResult', with: maskedJson(result), answered }));
      return answered;
    },
    traits(terminalId) {
      const traits = watch.traits(terminalId);
      const answered = [...traits].toSorted();
      // It is asked often, and seldom changes.
      if (shown.get(terminalId) !== answered.join())
        note(() => ({ kind: 'told', what: 'traits', with: terminalId, answered }));
      shown.set(terminalId, answered.join());
      return traits;
    },
    mayBeAnother(reason) {
      const answered = watch.mayBeAnother(reason);
      note(() => ({ kind: 'told', what: 'mayBeAnother', with: maskedJson(reason), answered }));
      return answered;
    },
    learned(terminalId, trait, explanation) {
      note(() => ({ kind: 'told', what: 'learned', with: maskedJson([terminalId, trait, explanation]) }));
      watch.learned(terminalId, trait, explanation);
    },
  };
}

function recordedOperation(watch: OperationWatch, note: NoteMade): OperationWatch {
  return {
    persistResult(result) {
      const answered = watch.persistResult(result);
      note(() => ({ kind: 'told', what: 'persistResult', with: maskedJson(result), answered }));
      return answered;
    },
    resultRefused(result) {
      note(() => ({ kind: 'told', what: 'resultRefused', with: maskedJson(result) }));
      watch.resultRefused(result);
    },
    notInBatch(found) {
      const answered = watch.notInBatch(found);
      note(() => ({ kind: 'told', what: 'notInBatch', with: maskedJson(found), answered }));
      return answered;
    },
    acknowledged() {
      note(() => ({ kind: 'told', what: 'acknowledged' }));
      watch.acknowledged();
    },
    timed: (times) => watch.timed(times),
  };
}

export function recordedDriver(
  driver: TerminalDriver,
  note: NoteMade,
  nextCall: () => number,
): TerminalDriver {
  type What = EntryOf<'call'>['what'];
  async function call<T>(what: What, order: unknown, run: () => Promise<T>): Promise<T> {
    const number = nextCall();
    note(() => ({ kind: 'call', call: number, what, with: maskedJson(order) }) as Note);
    try {
      const gave = await run();
      note(() => ({ kind: 'answer', call: number, gave: maskedJson(gave) }));
      return gave;
    } catch (error) {
      note(() => ({ kind: 'answer', call: number, failed: maskCardNumbers(errorText(error)) }));
      throw error;
    }
  }
  const operation = (watch: OperationWatch) => recordedOperation(watch, note);
  const { lookUp } = driver;
  return {
    prepare: () => call('prepare', undefined, () => driver.prepare()),
    probe: () => call('probe', undefined, () => driver.probe()),
    ...(lookUp === undefined
      ? {}
      : { lookUp: (inDoubt) => call('lookUp', inDoubt, () => lookUp.call(driver, inDoubt)) }),
    sale: (order, watch) => call('sale', order, () => driver.sale(order, operation(watch))),
    void: (order, watch) => call('void', order, () => driver.void(order, operation(watch))),
    closeBatch: (order, watch) => call('closeBatch', order, () => driver.closeBatch(order, operation(watch))),
    cancel() {
      note(() => ({ kind: 'call', call: nextCall(), what: 'cancel' }));
      driver.cancel();
    },
    signOff: () => call('signOff', undefined, () => driver.signOff()),
  };
}

/** As it stands in a file, without card numbers. */
function maskedJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(
    JSON.stringify(value, (_name, item: unknown) =>
      typeof item === 'string' ? maskCardNumbers(item) : item,
    ),
  ) as unknown;
}
