/** Programs that a script runs, none of which may outlive it. */
import { spawn } from 'node:child_process';

export interface ChildEnd {
  /** Null when a signal ended it, or it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it printed, with `output: 'kept'`; the reason when it could not be started. */
  text: string;
  timedOut: boolean;
  /** The signal that asked us to stop meanwhile; it was passed on. */
  stoppedBy: NodeJS.Signals | null;
}

export interface ChildOptions {
  /** `shown`: its output is ours. */
  output: 'kept' | 'shown';
  environment?: NodeJS.ProcessEnv;
  folder?: string;
  /** Ended when it takes longer, in milliseconds. */
  withinMs?: number;
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;
/** One press of Ctrl-C can arrive twice, from the console and from npm; a second one would end a bridge at once. */
const samePressMs = 300;
/** More than this in characters is not kept of what it prints. */
const maxKeptText = 20_000;

/** Runs `command` to its end; signals that come to us meanwhile go to it. Never rejects. */
export function runChild(command: string, args: string[], options: ChildOptions): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const output = options.output === 'kept' ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      stdio: [options.output === 'kept' ? 'ignore' : 'inherit', output, output],
      env: options.environment ?? process.env,
      ...(options.folder === undefined ? {} : { cwd: options.folder }),
    });
    let text = '';
    let timedOut = false;
    let stoppedBy: NodeJS.Signals | null = null;
    const keep = (piece: Buffer) => (text = (text + piece.toString()).slice(-maxKeptText));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    let passedOnMs = -Infinity;
    const passOn = (signal: NodeJS.Signals) => {
      stoppedBy ??= signal;
      if (performance.now() - passedOnMs < samePressMs) return;
      passedOnMs = performance.now();
      child.kill(signal);
    };
    for (const signal of stopSignals) process.on(signal, passOn);
    const timer =
      options.withinMs === undefined
        ? null
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, options.withinMs);
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      if (timer !== null) clearTimeout(timer);
      for (const each of stopSignals) process.off(each, passOn);
      resolve({ code, signal, text, timedOut, stoppedBy });
    };
    child.on('error', (error) => {
      text = error.message;
      if (child.pid === undefined) finish(null, null);
    });
    child.on('close', finish);
  });
}

/** Ends this process as `signal` would have, had it not been passed on. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Windows knows no signals to oneself.
  process.exit(1);
}

/** How often the parent is looked at. */
const parentCheckMs = 250;

/**
 * `npm start` puts a shell between itself and us. On SIGTERM npm ends the shell, and that does not pass the signal on:
 * from now on its end is a SIGTERM to us. Windows tells nothing of a parent's end.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs);
  timer.unref();
}
