import path from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers, and the programs that tests start, read their modules as an earlier one has compiled them.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled');

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
    pool: 'forks',
    // The files of a worker share its process, and what takes long to start in it, but no module (fresh-modules.ts).
    // Most of the time is spent waiting: for terminals that take their time, and for browsers.
    maxWorkers: 3,
    isolate: false,
    setupFiles: ['test/support/node-version.ts', 'test/support/fresh-modules.ts'],
    // Nothing takes as long, but a machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
