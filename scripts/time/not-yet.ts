/** Files that still use the machine's clock or chance and should not. This list only ever gets shorter. */
export const notYet: readonly string[] = [
  'test/headless/bridge-process.test.ts',
  'test/headless/console/serve-console.test.ts',
  'test/headless/console/setup.ts',
  'test/headless/control.test.ts',
  'test/headless/seed-journal.ts',
  'test/headless/test-world.ts',
  'test/main/life.test.ts',
  'test/main/parts.test.ts',
  'test/main/settings.test.ts',
  'test/main/window.test.ts',
  'test/support/built-app.ts',
  'test/support/desktop.ts',
  'test/support/programs.ts',
  'test/support/stray-bridges.ts',
];
