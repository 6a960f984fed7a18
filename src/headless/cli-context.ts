/** What the command line has around it: the process, its output, its signals. Tests put another in its place. */
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  maxOutputLineCharacters,
  printableJson,
  printableLine,
  printableLines,
} from '../base/printable-text.ts';
import { maskCardNumbers } from '../log/index.ts';
import { systemChance, type Chance } from '../base/chance.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { systemMemory, type ProcessMemory } from '../base/process-memory.ts';
import { defaultDataDir } from '../host/index.ts';
import packageFacts from '../../package.json' with { type: 'json' };

export interface CliContext {
  version: string;
  clock: Clock;
  chance: Chance;
  /** Null: nobody looks after it. */
  memory: ProcessMemory | null;
  environment: NodeJS.ProcessEnv;
  currentFolder: string;
  /** The user's own folder. */
  home: string;
  /** Where data goes when nobody says. */
  defaultDataDir: string;
  /** The console's built page; null: it has not been built. */
  rendererFolder: string | null;
  /** How wide help may be. */
  columns: number;
  /**
   * One or more lines of result, to standard output. What no window should get is written out, and no line is endless; a
   * foreign text in a line has been through `oneLine`, or it could begin lines of its own.
   */
  stdout(text: string): void;
  /**
   * A result that has to arrive as it is, of any length: JSON or a table for a program, which is escaped where a window would
   * act on it, or a secret. Lines may end as in RFC 4180 (CR LF), the last one too.
   */
  stdoutExact(text: string): void;
  /** One or more lines about trouble, to standard error. */
  error(text: string): void;
  /**
   * A line for whoever watches a process that runs for long, to standard output. Never waits: lines are dropped while
   * nobody reads them. `secret` stands behind it as it is.
   */
  info(line: string, secret?: string): void;
  /** Calls on each signal from now on; signals then do not end the process by themselves. */
  onSignal(handler: (signal: StopSignal) => void): () => void;
  /** Ends the process shortly, even if something still holds it: for commands that ran for long and are done. */
  endSoon(): void;
  /** Ends the process at once, whatever runs. */
  endNow(exitCode: number): void;
}

/** `abandoned`: who started this process, and would pass signals on, is gone. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'abandoned';

/** Exit codes: all is well; it did not work; it was called wrongly. */
export const exitOk = 0;
export const exitFailed = 1;
export const exitUsage = 2;

const minColumns = 60;
const maxColumns = 110;

export function createCliContext(): CliContext {
  // Whoever read our output may be gone (`| head`, a closed window); a bridge with a payment in progress goes on.
  process.stdout.on('error', ignore);
  process.stderr.on('error', ignore);
  return {
    version: packageFacts.version,
    clock: systemClock,
    chance: systemChance(systemClock),
    memory: systemMemory,
    environment: process.env,
    currentFolder: process.cwd(),
    home: os.homedir(),
    defaultDataDir: defaultDataDir(),
    rendererFolder: builtRendererFolder(),
    columns: Math.min(Math.max(process.stdout.columns ?? maxColumns, minColumns), maxColumns),
    ...createOutput(process.stdout, process.stderr),
    onSignal(handler) {
      const onInterrupt = () => handler('SIGINT');
      const onTerminate = () => handler('SIGTERM');
      process.on('SIGINT', onInterrupt);
      process.on('SIGTERM', onTerminate);
      const onAbandoned = () => handler('abandoned');
      const letLauncherGo = watchLauncher(onAbandoned);
      const letShellGo = watchNpmShell(onAbandoned);
      return () => {
        process.off('SIGINT', onInterrupt);
        process.off('SIGTERM', onTerminate);
        letLauncherGo();
        letShellGo();
      };
    },
    endSoon: () => void setTimeout(() => process.exit(), lingerMs).unref(),
    endNow: (exitCode) => process.exit(exitCode),
  };
}

/** Where the console’s page is that `npm run build` makes; null when it has not been built. Of the built program, this is a part in `dist/tillbridge/`. */
function builtRendererFolder(): string | null {
  const fromSource = import.meta.filename.endsWith('.ts');
  // As in vite.config.ts: tests build into a folder of their own.
  const built = path.resolve(import.meta.dirname, '../..', process.env['TILLBRIDGE_DIST'] ?? 'dist');
  const folder = path.join(fromSource ? built : path.dirname(import.meta.dirname), 'renderer');
  return existsSync(path.join(folder, 'index.html')) ? folder : null;
}

/** `text`, which has foreign parts, as one line for `stdout` or `error`. */
export function oneLine(text: string): string {
  return printableLine(text, maxOutputLineCharacters);
}

/** Everything that the command line prints goes out here. Card numbers are masked, whoever has put them into a text. */
export function createOutput(
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Pick<CliContext, 'stdout' | 'stdoutExact' | 'error' | 'info'> {
  const shown = (text: string) => `${printableLines(maskCardNumbers(text))}\n`;
  return {
    stdout: (text) => void stdout.write(shown(text)),
    stdoutExact(text) {
      const lines = text.split('\r\n').map(printableJson).join('\r\n');
      stdout.write(text.endsWith('\r\n') ? lines : `${lines}\n`);
    },
    error: (text) => void stderr.write(shown(text)),
    info(line, secret) {
      const waitingBytes = 'writableLength' in stdout ? Number(stdout.writableLength) : 0;
      if (waitingBytes >= maxUnreadBytes) return;
      const exact = secret === undefined ? '' : ` ${printableJson(secret)}`;
      stdout.write(`${oneLine(maskCardNumbers(line))}${exact}\n`);
    },
  };
}

/** More than this in bytes is not kept for a reader who does not read. */
const maxUnreadBytes = 256 * 1024;

/** What a process holds open after its work is done (a device, output that nobody reads) keeps it this long at most. */
const lingerMs = 2_000;

/**
 * An installed `tillbridge` may run this process from a launcher under another Node (bin/tillbridge.mjs). When the
 * launcher is killed its channel closes, and the bridge stops: nobody could reach it any more.
 */
function watchLauncher(onAbandoned: () => void): () => void {
  if (process.channel === undefined || process.channel === null) return () => {};
  process.on('disconnect', onAbandoned);
  process.channel.unref();
  return () => void process.off('disconnect', onAbandoned);
}

/** How often the parent is looked at. */
const parentCheckMs = 250;

/**
 * `npm start` puts a shell between itself and us. On SIGTERM npm ends the shell, and that does not pass the signal on:
 * without this, `npm start` would leave its bridge behind. Windows tells nothing of a parent's end.
 */
function watchNpmShell(onAbandoned: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onAbandoned();
  }, parentCheckMs);
  timer.unref();
  return () => clearInterval(timer);
}

function ignore(): void {}
