/** A context for the command line that a test can look into: output as text, signals on demand, no process to end. */
import os from 'node:os';
import { runTillbridge } from '../../src/headless/program.ts';
import type { StopSignal, CliContext } from '../../src/headless/cli-context.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

export interface TestContext extends CliContext {
  results: string[];
  errors: string[];
  infos: string[];
  /** The exit code with which the process would have ended at once. */
  endedNow: number | null;
  signal(signal: StopSignal): void;
}

export function createTestContext(changes: Partial<CliContext> = {}): TestContext {
  const handlers = new Set<(signal: StopSignal) => void>();
  // It stands still: a deadline passes only where a test gives a clock that moves.
  const clock = createVirtualClock();
  const context: TestContext = {
    version: '9.9.9',
    clock,
    chance: seededChance(clock),
    memory: null,
    environment: {},
    currentFolder: os.tmpdir(),
    home: os.tmpdir(),
    defaultDataDir: '/nowhere/tillbridge',
    rendererFolder: null,
    columns: 100,
    results: [],
    errors: [],
    infos: [],
    endedNow: null,
    stdout: (text) => void context.results.push(text),
    stdoutExact: (text) => void context.results.push(text),
    error: (text) => void context.errors.push(text),
    info: (line, secret) => void context.infos.push(secret === undefined ? line : `${line} ${secret}`),
    onSignal(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    endSoon: () => {},
    endNow: (exitCode) => (context.endedNow = exitCode),
    signal: (signal) => {
      for (const handler of handlers) handler(signal);
    },
    ...changes,
  };
  return context;
}

/** Runs one command line in this process. */
export async function run(commandLine: string[], changes: Partial<CliContext> = {}) {
  const context = createTestContext(changes);
  const exitCode = await runTillbridge(commandLine, context);
  return { exitCode, output: context.results.join('\n'), errors: context.errors.join('\n') };
}
