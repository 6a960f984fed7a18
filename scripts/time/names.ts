/** By what names code reaches the machine's clock and its chance. */
export interface Names {
  globals: readonly string[];
  /** `object.property`. */
  members: readonly string[];
  modules: readonly string[];
  /** Names that are imported, wherever from. */
  imports: readonly string[];
}

export const machineTime: Names = {
  globals: ['setTimeout', 'setInterval', 'performance'],
  members: [
    'Date.now',
    'process.hrtime',
    'process.uptime',
    'AbortSignal.timeout',
    'Atomics.wait',
    'Atomics.waitAsync',
    // They look again and again, by the machine's time.
    'expect.poll',
    'vi.waitFor',
    'vi.waitUntil',
  ],
  modules: ['node:timers', 'node:timers/promises', 'node:perf_hooks', 'timers', 'timers/promises'],
  imports: ['systemClock', 'systemChance'],
};

export const machineChance: Names = {
  globals: [],
  members: ['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'],
  modules: ['uuid'],
  imports: ['randomBytes', 'randomInt', 'randomUUID', 'randomFillSync', 'randomFill', 'webcrypto'],
};
