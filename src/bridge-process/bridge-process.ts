/**
 * The desktop app's bridge, in a process of its own (Electron's `utilityProcess`): nothing that holds up window, tray or
 * a native menu holds up a payment. The main process starts it, and the first message brings the port that both talk over.
 */
import packageJson from '../../package.json' with { type: 'json' };
import { writeFaultReport } from '../base/fault-report.ts';
import { errorStack } from '../base/error-text.ts';
import { systemChance } from '../base/chance.ts';
import { systemClock } from '../base/clock.ts';
import { drainLogs, maskCardNumbers } from '../log/index.ts';
import { serveHost, type AppPort } from './serve-host.ts';

/** Of Electron's `process.parentPort`, which only its utility processes have. */
interface ParentPort {
  once(event: 'message', listener: (message: { ports: MessagePort[] }) => void): void;
}
/** Of Electron's `MessagePortMain`. */
interface MessagePort {
  on(event: 'message', listener: (message: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  postMessage(message: unknown): void;
  start(): void;
}

/** The folder for reports of faults: the first argument. */
const reportFolder = process.argv[2] ?? null;

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// Ctrl-C reaches every process of a terminal. When to stop is for the main process to say.
process.on('SIGINT', () => {});

const parent = (process as unknown as { parentPort: ParentPort }).parentPort;
parent.once('message', ({ ports: [port] }) => {
  if (port === undefined) throw new Error('The main process has sent no port.');
  serveHost(appPort(port), {
    clock: systemClock,
    chance: systemChance(systemClock),
    onSignal: (stop) => void process.on('SIGTERM', stop),
    // Nothing is under way any more; an open handle of some library must not keep the port of the bridge.
    exit: () => process.exit(0),
  });
  port.start();
});

function appPort(port: MessagePort): AppPort {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', ({ data }) => listener(data)),
    onClose: (listener) => port.on('close', listener),
  };
}

/** A fault of the program. The journal is whole whenever the process ends; the operation on the terminal is in doubt. */
function fail(error: unknown): void {
  drainLogs();
  const text = maskCardNumbers(errorStack(error));
  process.stderr.write(`${text}\n`);
  if (reportFolder !== null)
    writeFaultReport({
      folder: reportFolder,
      part: 'bridge',
      version: packageJson.version,
      text,
      nowMs: Date.now(),
    });
  process.exit(1);
}
