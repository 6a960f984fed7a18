/** Real processes for tests: the command line as a user runs it, started, watched, and ended by its own id. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { builtApp } from './built-app.ts';

export interface Program {
  readonly process: ChildProcess;
  /** All that it printed so far, both streams. */
  output(): string;
  /** Of these the standard output alone: what comes on the other stream may stand in the middle of one of its lines. */
  stdout(): string;
  /** The first match in what it prints; rejects when it ends first or says nothing fitting in time. */
  printed(pattern: RegExp, withinMs?: number): Promise<RegExpMatchArray>;
  /** Ends it and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

/** The command line of a headless bridge, on a port that the system chooses. */
export function bridgeOn(terminal: string, dataDir: string, ...more: string[]): string[] {
  return ['bridge', '--terminal', terminal, '--port', '0', '--data-dir', dataDir, ...more];
}

/** Runs `tillbridge ...args` as it is built, which starts in two thirds of the time that the source takes. */
export function runTillbridge(args: string[], environment: Record<string, string> = {}): Program {
  const commandLine = join(builtApp(), 'dist/tillbridge.js');
  const all = ['--disable-warning=ExperimentalWarning', commandLine, ...args];
  return runProgram(process.execPath, all, { ...process.env, ...environment });
}

/** What a program leaves that has ended by itself. */
export interface Ended {
  exitCode: number | null;
  /** As of the program. */
  output: string;
  stdout: string;
}

/** Waits until it has. */
export async function ended(program: Program): Promise<Ended> {
  const exitCode = await program.exited;
  return { exitCode, output: program.output(), stdout: program.stdout() };
}

/** Runs `command` with nothing but `environment` around it. */
export function runProgram(command: string, args: string[], environment: NodeJS.ProcessEnv): Program {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  let text = '';
  let stdout = '';
  const looks = new Set<() => void>();
  const take = (piece: string) => {
    text += piece;
    for (const look of looks) look();
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
  child.stdout.on('data', (piece: string) => {
    stdout += piece;
    take(piece);
  });
  child.stderr.on('data', take);
  // A test that is cut off must not leave a process behind.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      process.off('exit', kill);
      resolve(code);
      for (const look of looks) look();
    });
  });
  return {
    process: child,
    output: () => text,
    stdout: () => stdout,
    exited,
    printed(pattern, withinMs = 90_000) {
      return new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          looks.delete(look);
          clearTimeout(timer);
          settle();
        };
        const look = () => {
          const match = pattern.exec(text);
          if (match !== null) return finish(() => resolve(match));
          if (child.exitCode !== null || child.signalCode !== null) {
            finish(() => reject(new Error(`ended before it printed ${String(pattern)}:\n${text}`)));
          }
        };
        const timer = setTimeout(
          () =>
            finish(() => reject(new Error(`did not print ${String(pattern)} in ${withinMs} ms:\n${text}`))),
          withinMs,
        );
        looks.add(look);
        look();
      });
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
  };
}
