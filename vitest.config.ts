import { defineConfig } from 'vitest/config';

/** Set by `.ci/run`: where the counts go that its last line prints. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    environment: 'node',
    // A process of its own for each file: tests open ports, take locks and set umasks.
    pool: 'forks',
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/node-version.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
