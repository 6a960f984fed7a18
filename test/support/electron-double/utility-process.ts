/** A utility process: a process of Node with a channel, and with ports that are handed to it. */
import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ForkOptions } from 'electron';
import { app } from './app.ts';
import type { FarEnd, MessagePortMain } from './message-port.ts';

/** What travels between the two processes; `port` is the place of a port among those handed over. */
export type BetweenProcesses =
  | { kind: 'message'; message: unknown; ports: number[] }
  | { kind: 'port'; port: number; message: unknown }
  | { kind: 'close'; port: number };

class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  stdout: Readable | null;
  stderr: Readable | null;
  private readonly child: ChildProcess;
  /** The ends in this process of the ports that were handed over. */
  private readonly ports: FarEnd[] = [];
  private exiting = false;

  constructor(entry: string, args: string[], options: ForkOptions) {
    super();
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    const { serviceName = 'Node Utility Process', stdio = 'inherit' } = options;
    if (typeof stdio !== 'string') throw new Error('the electron double takes one word for stdio');
    app.utilities.add({
      metric: () =>
        this.pid === undefined
          ? []
          : [{ pid: this.pid, type: 'Utility', name: serviceName, serviceName: 'node.mojom.NodeService' }],
    });
    const mode = stdio as 'pipe' | 'inherit' | 'ignore';
    this.child = fork(path.join(import.meta.dirname, 'run-utility.ts'), [entry, ...args], {
      env: options.env as NodeJS.ProcessEnv | undefined,
      cwd: options.cwd,
      // Not the inspector of the main process.
      execArgv: ['--disable-warning=ExperimentalWarning', ...(options.execArgv ?? [])],
      stdio: ['ignore', mode, mode, 'ipc'],
      serialization: 'advanced',
    });
    this.stdout = this.child.stdout;
    this.stderr = this.child.stderr;
    this.child.once('spawn', () => {
      this.pid = this.child.pid;
      this.emit('spawn');
    });
    this.child.on('message', (message) => this.take(message as BetweenProcesses));
    this.child.once('exit', (code, signal) => this.hasEnded(code, signal, serviceName));
  }

  private take(message: BetweenProcesses): void {
    if (message.kind === 'message') this.emit('message', message.message);
    else if (message.kind === 'port') this.ports[message.port]?.take(message.message);
    else this.ports[message.port]?.close();
  }

  private hasEnded(code: number | null, signal: NodeJS.Signals | null, serviceName: string): void {
    for (const port of this.ports) port.close();
    this.exiting = true;
    // The wait status of a process that a signal has ended: the signal's number.
    this.emit('exit', code ?? (signal === 'SIGKILL' ? 9 : 15));
    this.exiting = false;
    this.pid = undefined;
    this.stdout = null;
    this.stderr = null;
    if (code === 0) return;
    const reason = signal === null ? 'abnormal-exit' : 'killed';
    app.emit(
      'child-process-gone',
      {},
      { type: 'Utility', reason, exitCode: code ?? 9, serviceName, name: serviceName },
    );
  }

  private send(message: BetweenProcesses): void {
    if (this.child.connected) this.child.send(message, () => {});
  }

  // As in Electron.

  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    // There it takes the main process along: electron/electron#53923.
    if (this.exiting) throw new Error('postMessage inside of "exit" crashes Electron');
    const ports = transfer.map((handed) => {
      const place = this.ports.length;
      const far = handed.handOver({
        take: (data) => this.send({ kind: 'port', port: place, message: data }),
        close: () => this.send({ kind: 'close', port: place }),
      });
      if (far === null) throw new Error('Port at index 0 is already neutered');
      this.ports.push(far);
      return place;
    });
    this.send({ kind: 'message', message, ports });
  }
  kill(): boolean {
    return this.pid !== undefined && this.child.kill();
  }
}

export const utilityProcess = {
  fork: (entry: string, args: string[] = [], options: ForkOptions = {}) =>
    new UtilityProcess(entry, args, options),
};
