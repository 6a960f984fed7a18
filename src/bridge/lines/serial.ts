/** Lines over serial ports, on the package serialport. */
import type { SerialPort } from 'serialport';
import { pause, type Clock } from '../../base/clock.ts';
import type { SerialSettings } from '../../contract/configuration.ts';
import { type Log, silentLog } from '../../log/index.ts';
import { LineError, type Line, type LineConnection } from './line.ts';
import { serialConnection } from './serial-connection.ts';
import { listSerialPorts, type SerialPortInfo } from './serial-ports.ts';
import { openWords, serialFault } from './serial-words.ts';
import { findUsbPort, parseUsbPath } from './usb-path.ts';

/** Windows denies access for a moment after a device was plugged in again; seen are 0.5 to 2 s. */
const deniedRetryMs = 1_000;
/** Longest wait for the system to open a port. */
const openTimeoutMs = 10_000;
/** Longest wait for the system to raise DTR and RTS. */
const modemLinesTimeoutMs = 2_000;

export interface SerialLineOptions {
  /** `/dev/ttyUSB0`, `/dev/serial/by-id/…`, `COM3`, or `usb:VVVV:PPPP[:SERIAL]`, looked up at each open. */
  path: string;
  settings: SerialSettings;
  clock: Clock;
  log?: Log;
  /** For tests: what is plugged in. */
  listPorts?: () => Promise<SerialPortInfo[]>;
}

/** `open` rejects with a `LineError` when the port is missing, in use, or not allowed to this user. */
export function createSerialLine(options: SerialLineOptions): Line {
  const { path, settings, clock, log = silentLog, listPorts = listSerialPorts } = options;

  async function resolvePath(): Promise<string> {
    const usb = parseUsbPath(path);
    if (usb === null) return path;
    const found = findUsbPort(usb, await listPorts().catch(refuse));
    if (!found.ok) throw new LineError(found.reason);
    return found.port.path;
  }

  async function openOnce(portPath: string, signal: AbortSignal): Promise<SerialPort> {
    const { SerialPort } = await import('serialport').catch((error: unknown) =>
      refuse(error, 'serial ports cannot be used on this system'),
    );
    if (signal.aborted) throw new LineError('no longer wanted');
    // A new one for each connection: an old one would send what it was given while it was closed. Opening it drops
    // what the system still held for the port, in either direction. `lock` keeps off programs that know nothing of the
    // lock on the line; it comes too late for that one's sake: the port's settings are changed before it is tried.
    const port = new SerialPort({ path: portPath, ...settings, lock: true, autoOpen: false });
    // Until the connection takes over; a port may report what its callbacks have said already.
    port.on('error', () => {});
    return new Promise((resolve, reject) => {
      const giveUp = (reason: string) => {
        done();
        reject(new LineError(reason));
        // Opening cannot be stopped. Should it still work, the port is given back at once.
        port.once('open', () => port.close(() => port.destroy()));
      };
      const onAbort = () => giveUp('no longer wanted');
      const cancel = clock.after(openTimeoutMs, () =>
        giveUp(`the system did not open ${portPath} within ${openTimeoutMs} ms`),
      );
      const done = () => {
        cancel();
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort);
      port.open((error) => {
        done();
        if (error === null) return resolve(port);
        port.destroy();
        reject(error);
      });
    });
  }

  async function openPort(portPath: string, signal: AbortSignal): Promise<SerialPort> {
    try {
      return await openOnce(portPath, signal);
    } catch (error) {
      if (process.platform !== 'win32' || !(error instanceof Error) || serialFault(error) !== 'denied')
        throw error;
      await pause(clock, deniedRetryMs, signal);
      return openOnce(portPath, signal);
    }
  }

  return {
    name: `serial:${path}`,
    async open(signal) {
      if (signal.aborted) throw new LineError('no longer wanted');
      const portPath = await resolvePath();
      const port = await openPort(portPath, signal).catch((error: unknown) => {
        if (error instanceof LineError) throw error;
        const reason = error instanceof Error ? openWords(error, portPath, process.platform) : String(error);
        throw new LineError(reason, { cause: error });
      });
      await raiseModemLines(port, portPath);
      const connection: LineConnection = serialConnection(port, portPath, { clock, log });
      if (!signal.aborted) return connection;
      await connection.close();
      throw new LineError('no longer wanted');
    },
  };

  /** Many USB terminals say nothing until DTR is set. A pseudo-terminal has no modem lines: not fatal. */
  function raiseModemLines(port: SerialPort, portPath: string): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(modemLinesTimeoutMs, resolve);
      port.set({ dtr: true, rts: true }, (error) => {
        cancel();
        if (error !== null) log.debug('no modem lines', { source: 'line', path: portPath, err: error });
        resolve();
      });
    });
  }
}

function refuse(error: unknown, words?: string): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new LineError(words === undefined ? reason : `${words}: ${reason}`, { cause: error });
}
