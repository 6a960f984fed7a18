/** Processes of their own for what is measured, all under the Node that runs the benchmark. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

const startLimitMs = 60_000;
/** A process that does not end on SIGTERM in this time is killed. */
const endLimitMs = 20_000;

export interface Running {
  child: ChildProcess;
  processId: number;
  /** Waits until it is gone; may be called twice. */
  end(): Promise<void>;
}

export interface Server extends Running {
  port: number;
}

/** The argument that runs a file of the repository. */
export function repositoryFile(path: string): string {
  return join(import.meta.dirname, '../..', path);
}

/** A bridge on any free port, with a simulated terminal that takes no time unless another is named. */
export function bridgeOptions(dataDir: string, terminal = 'simulator'): string[] {
  return ['bridge', `--terminal=${terminal}`, '--pace=0', '--port=0', `--data-dir=${dataDir}`];
}

/** The same with the program from the source in front. */
export function bridgeArguments(dataDir: string, terminal?: string): string[] {
  return [repositoryFile('src/headless/tillbridge.ts'), ...bridgeOptions(dataDir, terminal)];
}

const unit = 'build/linux/tillbridge.service';

/** What the systemd unit sets, as a bridge has it that is installed; whatever is compared with one gets the same. */
export function serviceEnvironment(): NodeJS.ProcessEnv {
  const text = readFileSync(repositoryFile(unit), 'utf8');
  const set = [...text.matchAll(/^Environment=(\w+)=(\S+)$/gm)].map(([, name = '', value]) => [name, value]);
  if (set.length === 0) throw new Error(`${unit} sets no variable`);
  return { ...process.env, ...Object.fromEntries(set) };
}

/** Runs `node ...args`; its end is the bench's end at the latest. */
export function run(bench: Bench, args: readonly string[], output: 'ignore' | 'pipe' = 'ignore'): Running {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', output, 'inherit', 'ipc'],
    env: serviceEnvironment(),
  });
  const ended = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(kill, endLimitMs);
    await ended;
    clearTimeout(timer);
  };
  bench.atEnd(end);
  return { child, processId: child.pid ?? 0, end };
}

/** Waits for the line in which a server names its port. */
export async function startServer(bench: Bench, args: readonly string[]): Promise<Server> {
  const running = run(bench, args, 'pipe');
  const [, port] = await printed(running, /[Ll]istening on http:\/\/127\.0\.0\.1:(\d+)/);
  return { ...running, port: Number(port) };
}

/** The first match in what the process prints; rejects when it ends first or takes too long. */
export function printed({ child }: Running, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (why: string) => reject(new Error(`a process of the benchmark ${why}: ${text}`));
    const timer = setTimeout(() => fail('did not start in time'), startLimitMs);
    child.stdout?.on('data', (piece: Buffer) => {
      text = (text + piece.toString()).slice(-10_000);
      const match = pattern.exec(text);
      if (match === null) return;
      clearTimeout(timer);
      resolve(match);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
  });
}

/** Sends one message to a worker and gives the one that it sends back. */
export function invoke(running: Running, message: unknown): Promise<unknown> {
  const { child } = running;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      act();
    };
    const onMessage = (answer: unknown) => settle(() => resolve(answer));
    const onExit = () => settle(() => reject(new Error('a worker of the benchmark ended')));
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(message as object);
  });
}
