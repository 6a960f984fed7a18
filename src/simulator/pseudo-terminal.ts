/**
 * A pseudo-terminal: a serial port without hardware. Whoever opens `path` talks to `stream`.
 *
 *     bridge ──serial port──► /dev/pts/7 ═ pseudo-terminal ═ stream
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { createSerialLine, LineError } from '../bridge/lines/index.ts';

export interface PseudoTerminal {
  /** Such as `/dev/pts/7`. */
  readonly path: string;
  /** Our end: bytes as they are, both ways. Paused until it is resumed. */
  readonly stream: Socket;
  /** Hangs up at once: whoever has `path` open finds its port gone. May be called twice. */
  close(): void;
}

/** The part of `@lydell/node-pty` that is used here; its own types leave it out. */
interface PtyModule {
  open(options: { encoding: null }): { fd: number; master: Socket; slave: Socket; ptsName: string };
}

/** Of no effect on a pseudo-terminal but one: opening a port with them makes it carry bytes as they are. */
const settings = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 } as const;

/** What has no room, because nobody reads it, is tried again this often. */
const retryMs = 10;

/** Rejects with `LineError` where the system has none, or the package that makes them is not installed. */
export async function openPseudoTerminal(clock: Clock): Promise<PseudoTerminal> {
  const { open } = await loadPtyModule();
  const { fd, master, slave, ptsName } = open({ encoding: null });
  master.pause();
  writeWithoutWaiting(master, fd, clock);
  // Held open, and read by nobody: the stream would end when the last user of the port closes it.
  const held = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  slave.destroy();
  // Else what comes before its user opens it would be echoed, and changed as lines of text are.
  const port = createSerialLine({ path: ptsName, settings, clock });
  await (await port.open(new AbortController().signal)).close();
  let closed = false;
  return {
    path: ptsName,
    stream: master,
    close() {
      if (closed) return;
      closed = true;
      master.destroy();
      closeSync(held);
    },
  };
}

/**
 * Node writes to this end of a pseudo-terminal until all of it is taken, and does nothing else meanwhile: with nobody at
 * the other end, for ever.
 */
function writeWithoutWaiting(master: Socket, fd: number, clock: Clock): void {
  const put = (bytes: Uint8Array, done: (error?: Error | null) => void): void => {
    // The descriptor may be another file's by now.
    if (master.destroyed) return done(new LineError('the pseudo-terminal is closed'));
    let written = 0;
    try {
      written = writeSync(fd, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return done(error as Error);
    }
    if (written === bytes.length) return done();
    clock.after(retryMs, () => put(bytes.subarray(written), done));
  };
  const write = (bytes: Uint8Array, _encoding: string, done: (error?: Error | null) => void) =>
    put(bytes, done);
  // Several pieces at once go the same way, one by one.
  Object.defineProperties(master, { _write: { value: write }, _writev: { value: null } });
}

async function loadPtyModule(): Promise<PtyModule> {
  if (process.platform === 'win32') throw new LineError('Windows has no pseudo-terminals');
  try {
    const { default: module } = (await import('@lydell/node-pty')) as unknown as { default: PtyModule };
    return module;
  } catch (error) {
    throw new LineError(
      'the optional package @lydell/node-pty, which makes pseudo-terminals, is not installed for this system',
      { cause: error },
    );
  }
}
