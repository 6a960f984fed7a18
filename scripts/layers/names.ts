/** By what names code reaches what it may not: the machine's clock and chance, a page, Node. */
export interface Names {
  /** The rule that these break, for people. */
  rule: string;
  globals: readonly string[];
  /** `object.property`. */
  members: readonly string[];
  modules: readonly string[];
  /** Names that are imported, wherever from. */
  imports: readonly string[];
}

const none = { globals: [], members: [], modules: [], imports: [] };

export const machineTime: Names = {
  rule: "the machine's clock is injected; a test that needs it is named *.realtime.test.ts",
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
  rule: "the machine's chance is injected",
  globals: [],
  members: ['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'],
  modules: ['uuid'],
  imports: ['randomBytes', 'randomInt', 'randomUUID', 'randomFillSync', 'randomFill', 'webcrypto'],
};

/** Types of elements and events need no place here: only the renderer is compiled with them. */
export const page: Names = {
  ...none,
  rule: 'only the renderer is in a page',
  globals: [
    'window',
    'document',
    'navigator',
    'location',
    'history',
    'screen',
    'localStorage',
    'sessionStorage',
    'indexedDB',
    'alert',
    'confirm',
    'prompt',
    'matchMedia',
    'getComputedStyle',
    'requestAnimationFrame',
    'cancelAnimationFrame',
    'customElements',
    'XMLHttpRequest',
    'EventSource',
    'MutationObserver',
    'ResizeObserver',
    'IntersectionObserver',
    'HTMLElement',
  ],
};

export const nodeOnly: Names = {
  ...none,
  rule: 'there is no Node in a page',
  globals: [
    'process',
    'Buffer',
    'global',
    'setImmediate',
    'clearImmediate',
    '__dirname',
    '__filename',
    'require',
    'module',
    'exports',
  ],
  members: ['import.meta.dirname', 'import.meta.filename'],
};
