/**
 * A line to a terminal that may hang up between two commands, as some do after each: what is asked next goes over a new
 * connection, and to everybody else the line is still there. It ends when none can be had, or when it breaks in the middle.
 *
 *     request ─► answer ─► the terminal hangs up ─► … ─► dial() ─► request
 *
 * A terminal that was seen to hang up gets each command on a connection of its own: what is written while it hangs up is lost.
 */
import type { Clock } from '../../../base/clock.ts';
import type { LineConnection, Unsent } from '../../lines/line.ts';
import type { OpenLine } from '../terminal-driver.ts';

/** A connection that ends so soon behind an answer was hung up; one that ends later was lost. */
const hangUpMs = 2_000;
/** So long a terminal that hangs up has for it before we do; a second connection beside the first may not be heard. */
const patienceMs = 1_000;
const dialTimeoutMs = 5_000;

export interface RedialledLine extends LineConnection {
  /**
   * Before a request: whether there is a connection to write to, and whether it is a new one. Without one, the line has
   * ended. `movesMoney`: whatever came after it, it may have been taken.
   */
  dial(movesMoney: boolean): Promise<'same' | 'new' | 'none'>;
  /** The request has ended, or more came behind its end. */
  rest(): void;
  /** Called when the terminal hangs up behind an earlier answer while a request is out: it may not have had it. */
  onHangUp(handler: () => void): void;
}

/** `openLine`: how it is opened again. */
export function createRedialledLine(first: LineConnection, openLine: OpenLine, clock: Clock): RedialledLine {
  const closeHandlers: ((reason: string) => void)[] = [];
  const stopped = new AbortController();
  let current: LineConnection | null = null;
  let ended: string | null = null;
  let hangsUp = false;
  /** Requests on the current connection. */
  let requests = 0;
  /** The last of them is still out, and it may have been taken. */
  let isOut = false;
  let mayBeTaken = false;
  let movesMoney = false;
  let restedAt = 0;
  let onData = (_bytes: Uint8Array) => {};
  let onHangUp = () => {};
  use(first);

  function use(connection: LineConnection): void {
    current = connection;
    requests = 0;
    connection.onData((bytes) => {
      if (current !== connection) return;
      mayBeTaken = movesMoney;
      onData(bytes);
    });
    connection.onClose((reason) => {
      if (current === connection) onClosed(reason);
    });
  }

  function onClosed(reason: string): void {
    current = null;
    const isBehindAnswer = isOut
      ? requests > 1 && !mayBeTaken
      : requests > 0 && clock.elapsed() - restedAt <= hangUpMs;
    if (!isBehindAnswer) return end(reason);
    hangsUp = true;
    if (isOut) onHangUp();
  }

  function end(reason: string): void {
    if (ended !== null) return;
    ended = reason;
    stopped.abort();
    for (const handler of closeHandlers) handler(reason);
  }

  async function hangUp(unsent?: Unsent): Promise<void> {
    const connection = current;
    current = null;
    await connection?.close(unsent);
  }

  /** Resolves when the connection is over. */
  async function hangUpInTime(): Promise<void> {
    const connection = current;
    if (connection === null) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(patienceMs, resolve);
      connection.onClose(() => {
        cancel();
        resolve();
      });
    });
    await hangUp();
  }

  /** Null: it has ended. */
  async function open(): Promise<LineConnection | null> {
    let why = 'it could not be reached again';
    const tooLong = new AbortController();
    const cancel = clock.after(dialTimeoutMs, () => tooLong.abort());
    const signal = AbortSignal.any([tooLong.signal, stopped.signal]);
    const connection = await openLine(signal, (reason) => (why = reason));
    cancel();
    if (connection === null) end(why);
    if (!stopped.signal.aborted) return connection;
    await connection?.close('drop');
    return null;
  }

  return {
    async dial(money) {
      if (hangsUp && requests > 0) await hangUpInTime();
      const isNew = current === null;
      if (isNew && !stopped.signal.aborted) {
        const connection = await open();
        if (connection !== null) use(connection);
      }
      if (current === null) return 'none';
      requests += 1;
      isOut = true;
      movesMoney = money;
      mayBeTaken = false;
      return isNew ? 'new' : 'same';
    },
    rest() {
      isOut = false;
      restedAt = clock.elapsed();
    },
    onHangUp(handler) {
      onHangUp = handler;
    },
    write: (bytes) => current?.write(bytes) ?? false,
    onData(handler) {
      onData = handler;
    },
    onClose(handler) {
      closeHandlers.push(handler);
    },
    get closed() {
      return ended !== null;
    },
    async close(unsent) {
      stopped.abort();
      await hangUp(unsent);
      end('closed on this side');
    },
  };
}
