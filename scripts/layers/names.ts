/** By what names code reaches what it may not: the machine's clock and chance, a page, Node. */
export interface Names {
  /** The rule that these break, for people. */
  rule: string;
  globals: readonly string[];
  /** Globals that may be used, but not under another name, by which nobody would know them. */
  values: readonly string[];
  /** `object.property`; the object may be a module of Node from which the property is imported. */
  members: readonly string[];
  /** Properties of whatever object: a module that was loaded by any way, a page. */
  properties: readonly string[];
  /** Without "node:". */
  modules: readonly string[];
  /** Names that are imported, wherever from. */
  imports: readonly string[];
  /** Programs that are started. */
  programs: readonly string[];
}

const none = { globals: [], values: [], members: [], properties: [], modules: [], imports: [], programs: [] };

export const machineTime: Names = {
  rule: "the machine's clock is injected; a test that needs it is named *.realtime.test.ts",
  globals: ['setTimeout', 'setInterval', 'performance'],
  values: ['Date'],
  members: [
    'Date.now',
    'Temporal.Now',
    'AbortSignal.timeout',
    'Atomics.wait',
    'Atomics.waitAsync',
    // They look again and again, by the machine's time.
    'expect.poll',
    'vi.waitFor',
    'vi.waitUntil',
  ],
  properties: ['hrtime', 'uptime', 'waitForTimeout', 'systemClock', 'systemChance'],
  modules: ['timers', 'timers/promises', 'perf_hooks'],
  imports: ['hrtime', 'uptime', 'systemClock', 'systemChance'],
  programs: ['sleep'],
};

export const machineChance: Names = {
  ...none,
  rule: "the machine's chance is injected",
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
