import { defineConfig } from 'vitest/config';

/** Set by `.ci/run`: where the counts go that its last line prints. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: ['test/package/**'] },
      },
      // Makes the package first, which takes a while: `npm run test:package`.
      { extends: true, test: { name: 'package', include: ['test/package/**/*.test.ts'] } },
    ],
    environment: 'node',
    // A process of its own for each file: tests open ports, take locks and set umasks.
    pool: 'forks',
    // Most of the time is spent waiting: for terminals that take their time, and for browsers.
    maxWorkers: 3,
    setupFiles: ['test/support/node-version.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
