/** Lines over serial ports, on the package serialport. */
import { stat } from 'node:fs/promises';
import type { SerialPort } from 'serialport';
import { within } from '../../base/abort.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { SerialSettings } from '../../contract/protocol-descriptor.ts';
import { type Log, silentLog } from '../../log/index.ts';
import type { DeviceMemory } from './device-memory.ts';
import { LineError, type Line, type LineConnection, type LineLock } from './line.ts';
import { createFollowedLock, type FollowedLock } from './followed-lock.ts';
import { followedLockName, listTimeoutMs, type LineLockOptions } from './line-lock.ts';
import { createPortWatch } from './port-watch.ts';
import { portOfDevice, type PortOfDevice } from './remembered-device.ts';
import { serialConnection } from './serial-connection.ts';
import { listSerialPorts, type SerialPortInfo, findUsbPort, parseUsbPath } from './serial-ports.ts';

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
  /** Follows the device that was at the port before to the port where it is now. Left out: it is the port that counts. */
  follow?: {
    memory: DeviceMemory;
    lock: LineLockOptions;
    /** The name of the terminal, for messages. Left out: the main one's. */
    terminal?: string;
  };
  /** For tests: what is plugged in. */
  listPorts?: () => Promise<SerialPortInfo[]>;
}

/** A port to open, and what follows once something has come from it. */
interface FoundPort {
  path: string;
  answered(): void;
}

/**
 * `open` rejects with a `LineError` when the port is missing, in use, or not allowed to this user, and when another device
 * than before is at it.
 */
export function createSerialLine(options: SerialLineOptions): Line {
  const { path, settings, clock, log = silentLog, follow, listPorts = listSerialPorts } = options;
  const watch = createPortWatch(whatIsThere, clock);
  /** From the moment it is taken until it is given back. */
  let held: FollowedLock | null = null;

  async function whatIsThere(): Promise<string> {
    const [ports, device] = await Promise.all([listPorts(), deviceText(path)]);
    return `${device} ${JSON.stringify(ports)}`;
  }

  async function findPort(): Promise<FoundPort> {
    const usb = parseUsbPath(path);
    if (usb === null) return follow === undefined ? { path, answered() {} } : findDevice(follow);
    const found = findUsbPort(usb, await portsInTime().catch(refuse));
    if (!found.ok) throw new LineError(found.reason);
    return { path: found.port.path, answered() {} };
  }

  async function findDevice({ memory }: NonNullable<typeof follow>): Promise<FoundPort> {
    const found = await placeOf(memory);
    if (found.kind === 'unsure') throw new LineError(found.reason);
    const { device } = found;
    const taken = await held?.add(followedLockName(found.path, device));
    if (typeof taken === 'string') throw new LineError(taken);
    if (found.kind === 'moved')
      log.info('the device of the terminal is at another port', { source: 'line', path, now: found.path });
    // What is at the port may be anything until it says something.
    const answered = () => {
      if (device !== null) memory.remember(path, device);
    };
    return { path: found.path, answered };
  }

  /** Rejects with a sentence also where the system takes too long. */
  async function portsInTime(): Promise<SerialPortInfo[]> {
    const ports = await within(clock, listTimeoutMs, listPorts());
    if (ports === null)
      throw new Error(`the system did not list its serial ports within ${listTimeoutMs} ms`);
    return ports;
  }

  async function placeOf(memory: DeviceMemory): Promise<PortOfDevice> {
    try {
      return portOfDevice(path, memory.recall(path), await portsInTime(), follow?.terminal);
    } catch (error) {
      log.warn('it cannot be told which device is at the port', { source: 'line', path, err: error });
      return { kind: 'here', path, device: null };
    }
  }

  async function lock({ memory, lock: options }: NonNullable<typeof follow>): Promise<LineLock> {
    const found = await placeOf(memory);
    const name =
      found.kind === 'unsure'
        ? followedLockName(path, memory.recall(path))
        : followedLockName(found.path, found.device);
    const locks = createFollowedLock(`serial:${path}`, options);
    const taken = await locks.add(name);
    if (taken !== null) return { kind: 'taken', message: taken };
    held = locks;
    return { kind: 'held', release: locks.release };
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
      await watch.note();
      const found = await findPort();
      const portPath = found.path;
      const port = await openPort(portPath, signal).catch((error: unknown) => {
        if (error instanceof LineError) throw error;
        const reason =
          error instanceof Error ? openErrorMessage(error, portPath, process.platform) : String(error);
        throw new LineError(reason, { cause: error });
      });
      await raiseModemLines(port, portPath);
      const connection = tellingFirst(serialConnection(port, portPath, { clock, log }), () =>
        found.answered(),
      );
      if (!signal.aborted) return connection;
      await connection.close();
      throw new LineError('no longer wanted');
    },
    onPlugged: watch.onChange,
    ...(follow === undefined || parseUsbPath(path) !== null ? {} : { lock: () => lock(follow) }),
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

/** The same connection; `call` is called when the first bytes come. */
function tellingFirst(connection: LineConnection, call: () => void): LineConnection {
  let isFirst = true;
  return {
    ...connection,
    onData: (handler) =>
      connection.onData((bytes) => {
        if (isFirst) call();
        isFirst = false;
        handler(bytes);
      }),
    get closed() {
      return connection.closed;
    },
  };
}

/** Which device file is at `path` and who may open it (udev says so only after it is there), also behind a link. */
function deviceText(path: string): Promise<string> {
  return stat(path).then(
    ({ rdev, ino, mode, gid, ctimeMs }) => [rdev, ino, mode, gid, ctimeMs].join(':'),
    () => 'none',
  );
}

function refuse(error: unknown, context?: string): never {
  const reason = errorText(error);
  throw new LineError(context === undefined ? reason : `${context}: ${reason}`, { cause: error });
}

/** What an error of serialport means. */
export type SerialFault = 'missing' | 'denied' | 'in_use' | 'other';

/** serialport's errors carry no code, only a text of the system (Linux, macOS and Windows, in English). */
export function serialFault(error: Error): SerialFault {
  const text = error.message;
  if (/cannot lock port|resource busy|device or resource busy/i.test(text)) return 'in_use';
  if (/no such file|no such device|file not found/i.test(text)) return 'missing';
  if (/permission denied|access (is )?denied/i.test(text)) return 'denied';
  return 'other';
}

/** Why `path` cannot be opened, and what to do, for people. */
export function openErrorMessage(error: Error, path: string, platform: NodeJS.Platform): string {
  switch (serialFault(error)) {
    case 'in_use':
      return `${path} is in use by another program`;
    case 'missing':
      return `there is no serial port ${path}; is the cable plugged in?`;
    case 'denied':
      return platform === 'win32'
        ? `${path} is in use by another program, or Windows has not let go of it yet`
        : `this user may not open ${path}; on most Linux systems membership in the group dialout allows it`;
    case 'other':
      return `${path} cannot be opened: ${error.message}`;
  }
}
