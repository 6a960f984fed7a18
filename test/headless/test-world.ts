/** A world for the command line that a test can look into: output as text, signals on demand, no process to end. */
import os from 'node:os';
import { runTillbridge } from '../../src/headless/program.ts';
import type { StopSignal, World } from '../../src/headless/world.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

export interface TestWorld extends World {
  printed: string[];
  complaints: string[];
  announced: string[];
  /** The exit code with which the process would have ended at once. */
  endedNow: number | null;
  signal(signal: StopSignal): void;
}

export function createTestWorld(changes: Partial<World> = {}): TestWorld {
  const handlers = new Set<(signal: StopSignal) => void>();
  // It stands still: a deadline passes only where a test gives a clock that moves.
  const clock = createVirtualClock();
  const world: TestWorld = {
    version: '9.9.9',
    clock,
    chance: seededChance(clock),
    environment: {},
    currentFolder: os.tmpdir(),
    defaultDataDir: '/nowhere/tillbridge',
    rendererFolder: null,
    columns: 100,
    printed: [],
    complaints: [],
    announced: [],
    endedNow: null,
    print: (text) => void world.printed.push(text),
    printExact: (text) => void world.printed.push(text),
    complain: (text) => void world.complaints.push(text),
    announce: (line, secret) => void world.announced.push(secret === undefined ? line : `${line} ${secret}`),
    onSignal(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    endSoon: () => {},
    endNow: (exitCode) => (world.endedNow = exitCode),
    signal: (signal) => {
      for (const handler of handlers) handler(signal);
    },
    ...changes,
  };
  return world;
}

/** Runs one command line in this process. */
export async function run(commandLine: string[], changes: Partial<World> = {}) {
  const world = createTestWorld(changes);
  const exitCode = await runTillbridge(commandLine, world);
  return { exitCode, output: world.printed.join('\n'), complaints: world.complaints.join('\n') };
}
