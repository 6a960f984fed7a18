/** A world for the command line that a test can look into: output as text, signals on demand, no process to end. */
import os from 'node:os';
import { systemChance } from '../../src/contract/chance.ts';
import { systemClock } from '../../src/contract/clock.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import type { StopSignal, World } from '../../src/headless/world.ts';

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
  const world: TestWorld = {
    version: '9.9.9',
    clock: systemClock,
    chance: systemChance(systemClock),
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
    complain: (text) => void world.complaints.push(text),
    announce: (line) => void world.announced.push(line),
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
