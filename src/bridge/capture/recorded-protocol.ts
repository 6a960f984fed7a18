/** A protocol whose driver is recorded: what it is asked, what it says, and what goes over its line. */
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { maskCardNumbers } from '../../log/index.ts';
import type { LineConnection } from '../lines/line.ts';
import type { CaptureForm } from '../terminals/framing/index.ts';
import type {
  DriverWatch,
  LineProtocol,
  OperationWatch,
  TerminalDriver,
} from '../terminals/terminal-driver.ts';
import type { CaptureEntry, EntryOf } from './capture-file.ts';
import { createLineRecorder, type LineRecorder, type Note } from './line-recorder.ts';
import { whileItWorks } from './while-it-works.ts';

export interface RecordingParts {
  form: CaptureForm;
  clock: Clock;
  /** Takes each entry at the moment at which it happens. */
  write(entry: CaptureEntry): void;
  /** Recording threw; nothing more is recorded. Must not throw. */
  failed(error: unknown): void;
}

/**
 * `protocol` as it is, with everything that happens on its connections written down. Whatever goes wrong with that, driver
 * and line never notice.
 */
export function recordedProtocol(
  protocol: LineProtocol,
  { form, clock, write, failed }: RecordingParts,
): LineProtocol {
  const startedAt = clock.elapsed();
  let calls = 0;
  const safely = whileItWorks(failed);
  const put = (one: Note) => write({ t: Math.round(clock.elapsed() - startedAt), ...one });
  const note: NoteMade = (make) => safely(() => put(make()));

  return {
    ...protocol,
    attach(connection, watch) {
      note(() => ({ kind: 'opened' }));
      const recorder = createLineRecorder({ form, clock, note: put, safely });
      const driver = protocol.attach(recordedLine(connection, recorder, note), recordedWatch(watch, note));
      return recordedDriver(driver, note, () => (calls += 1));
    },
  };
}

/** Takes a note that is made only where it is recorded. */
type NoteMade = (make: () => Note) => void;

function recordedLine(connection: LineConnection, recorder: LineRecorder, note: NoteMade): LineConnection {
  connection.onClose((reason) => recorder.closed(reason));
  return {
    // Also what only some lines have, such as being dialled again.
    ...connection,
    write(bytes) {
      // What a closed line was given has not gone out.
      if (!connection.closed) recorder.sent(bytes);
      return connection.write(bytes);
    },
    onData: (handler) =>
      connection.onData((bytes) => {
        recorder.received(bytes);
        handler(bytes);
      }),
    onClose: (handler) => connection.onClose(handler),
    get closed() {
      return connection.closed;
    },
    close(unsent) {
      if (!connection.closed) note(() => ({ kind: 'dropped' }));
      return connection.close(unsent);
    },
  };
}

function recordedWatch(watch: DriverWatch, note: NoteMade): DriverWatch {
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
    mayBeAnother: (reason) => watch.mayBeAnother(reason),
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
    acknowledged() {
      note(() => ({ kind: 'told', what: 'acknowledged' }));
      watch.acknowledged();
    },
    timed: (times) => watch.timed(times),
  };
}

function recordedDriver(driver: TerminalDriver, note: NoteMade, nextCall: () => number): TerminalDriver {
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
