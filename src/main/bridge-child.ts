/** The process of the bridge, as Electron starts it, with the port to talk to it. */
import { MessageChannelMain, utilityProcess } from 'electron';
import type { ToBridge } from '../contract/bridge-channel.ts';

/** One process. It is started when this is there, and never comes back. */
export interface BridgeChild {
  send(message: ToBridge): void;
  onMessage(listener: (message: unknown) => void): void;
  /** What it prints: nothing, unless a library or the engine itself has something to say. */
  onOutput(listener: (text: string) => void): void;
  /** Called once, in a later turn than Electron's own event: whatever is called then may use Electron. */
  onExit(listener: (exitCode: number) => void): void;
  /** Ends it at once. For one that does not answer any more. */
  kill(): void;
}

/** Known by this name in the system's list of processes and in crash reports. */
const serviceName = 'Tillbridge bridge';

export function forkBridge(entryFile: string, reportFolder: string): BridgeChild {
  const child = utilityProcess.fork(entryFile, [reportFolder], {
    serviceName,
    stdio: 'pipe',
    cwd: process.cwd(),
  });
  const { port1: port, port2 } = new MessageChannelMain();
  child.postMessage('port', [port2]);
  // Electron forgets it before it tells of the end.
  let processId: number | undefined;
  child.once('spawn', () => (processId = child.pid));
  let gone = false;
  child.once('exit', () => (gone = true));
  port.start();
  return {
    send(message) {
      if (!gone) port.postMessage(message);
    },
    onMessage: (listener) => void port.on('message', ({ data }) => listener(data)),
    onOutput(listener) {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (piece: Buffer) => listener(piece.toString()));
      }
    },
    onExit: (listener) => void child.once('exit', (exitCode) => setImmediate(listener, exitCode)),
    kill() {
      // Electron's own `kill` waits on this thread until the process has gone, which one that hangs may never do.
      if (processId !== undefined && !gone) process.kill(processId, 'SIGKILL');
    },
  };
}
