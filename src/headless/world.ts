/** What the command line has around it: the process, its output, its signals. Tests put another in its place. */
import { systemClock, type Clock } from '../contract/clock.ts';
import envPaths from 'env-paths';
import packageFacts from '../../package.json' with { type: 'json' };

export interface World {
  version: string;
  clock: Clock;
  environment: NodeJS.ProcessEnv;
  currentFolder: string;
  /** Where data goes when nobody says. */
  defaultDataDir: string;
  /** How wide help may be. */
  columns: number;
  /** One or more lines of result, to standard output. */
  print(text: string): void;
  /** One or more lines about trouble, to standard error. */
  complain(text: string): void;
  /**
   * A line for whoever watches a process that runs for long, to standard output. Never waits: lines are dropped while
   * nobody reads them.
   */
  announce(line: string): void;
  /** Calls on each SIGINT and SIGTERM from now on, which then do not end the process by themselves. */
  onSignal(handler: (signal: StopSignal) => void): () => void;
  /** Ends the process at once, whatever runs. */
  endNow(exitCode: number): void;
}

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Exit codes: all is well; it did not work; it was called wrongly. */
export const exitOk = 0;
export const exitFailed = 1;
export const exitUsage = 2;

const minColumns = 60;
const maxColumns = 110;

export function createWorld(): World {
  // Whoever read our output may be gone (`| head`, a closed window); a bridge with a payment in hand goes on.
  process.stdout.on('error', ignore);
  process.stderr.on('error', ignore);
  return {
    version: packageFacts.version,
    clock: systemClock,
    environment: process.env,
    currentFolder: process.cwd(),
    defaultDataDir: envPaths('tillbridge', { suffix: '' }).data,
    columns: Math.min(Math.max(process.stdout.columns ?? maxColumns, minColumns), maxColumns),
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    announce: announcer(process.stdout),
    onSignal(handler) {
      const onInterrupt = () => handler('SIGINT');
      const onTerminate = () => handler('SIGTERM');
      process.on('SIGINT', onInterrupt);
      process.on('SIGTERM', onTerminate);
      const letGo = watchLauncher(onTerminate);
      return () => {
        process.off('SIGINT', onInterrupt);
        process.off('SIGTERM', onTerminate);
        letGo();
      };
    },
    endNow: (exitCode) => process.exit(exitCode),
  };
}

/** More than this in bytes is not kept for a reader who does not read. */
const maxUnreadBytes = 256 * 1024;

/**
 * Node writes to pipes synchronously: a reader who stops reading would stop the bridge in the middle of a payment.
 * There is no public way to say otherwise.
 */
function announcer(stream: NodeJS.WriteStream): (line: string) => void {
  let prepared = false;
  return (line) => {
    if (!prepared) {
      prepared = true;
      const handle: unknown = Reflect.get(stream, '_handle');
      if (!stream.isTTY && canSetBlocking(handle)) handle.setBlocking(false);
    }
    if (stream.writableLength < maxUnreadBytes) stream.write(`${line}\n`);
  };
}

function canSetBlocking(handle: unknown): handle is { setBlocking(blocking: boolean): void } {
  return typeof handle === 'object' && handle !== null && 'setBlocking' in handle;
}

/**
 * An installed `tillbridge` may run this process from a launcher under another Node (bin/tillbridge.mjs). When the
 * launcher is killed its channel closes, and the bridge stops as on SIGTERM: nobody could reach it any more.
 */
function watchLauncher(stop: () => void): () => void {
  if (process.channel === undefined || process.channel === null) return () => {};
  process.on('disconnect', stop);
  process.channel.unref();
  return () => void process.off('disconnect', stop);
}

function ignore(): void {}
