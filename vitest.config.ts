import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasTool } from './test/support/needs.ts';

// Workers, and the programs that tests start, read their modules as an earlier one has compiled them.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Set by `.ci/run`: where the counts go that its last line prints. */
const report = process.env['TEST_REPORT'];

/** Attacks on real sockets, on running programs and from a browser. */
const attacks = ['test/security/**/*.realtime.test.ts'];
/** Bridge and simulator of each protocol as programs of their own, which take their time, as real terminals do. */
const terminals = [
  'test/end-to-end/{ecr17,kpay,pty,two-bridges}.realtime.test.ts',
  'test/matrix/**/*.realtime.test.ts',
  'test/several/**/*.realtime.test.ts',
  'test/crash/**/*.realtime.test.ts',
  'test/simulator/transbank/sdk.realtime.test.ts',
  'test/headless/capture-command.realtime.test.ts',
  'test/example-protocol/**/*.test.ts',
  'test/host/find/**/*.realtime.test.ts',
];
/** The console in a browser: each of its pages, and a walk through all of them. */
const pages = ['test/renderer/**/*.test.ts', 'test/console/headless.realtime.test.ts'];
/** What the documents show, and the POS programs that are examined, as programs of their own. */
const guides = [
  'test/docs/**/*.realtime.test.ts',
  'test/examine/**/*.realtime.test.ts',
  'test/headless/examine-command.realtime.test.ts',
];
/** The head office on its databases: PostgreSQL within the process, and a server where there is one. */
const office = ['test/office/**/*.realtime.test.ts'];
/** Those of them that are about the server itself. Without one, on-a-server.realtime.test.ts says how many they are. */
const onAServerOnly = hasTool('PostgreSQL') ? [] : ['test/office/**/*.server.realtime.test.ts'];
const desktop = ['test/main/**/*.realtime.test.ts', 'test/console/desktop.realtime.test.ts'];

/** Those that wait for the world outside begin first, so that none of them is left over at the end. */
class RealTimeFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isRealTime = ({ moduleId }: TestSpecification) => moduleId.includes('.realtime.');
    return [...sorted.filter(isRealTime), ...sorted.filter((file) => !isRealTime(file))];
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['test/package/**', ...desktop, ...attacks, ...pages, ...terminals, ...guides, ...office],
        },
      },
      // Every page, state and size of the console: `npm run test:window`.
      { extends: true, test: { name: 'window', include: pages } },
      // The examples of the documents, each in its language: `npm run test:guides`.
      { extends: true, test: { name: 'guides', include: guides } },
      // The head office's tables and what is asked of them: `npm run test:office`.
      { extends: true, test: { name: 'office', include: office, exclude: onAServerOnly } },
      // The desktop app as a whole, which starts anew for each test: `npm run test:desktop`.
      { extends: true, test: { name: 'desktop', include: desktop } },
      // Attacks for which programs start and connections are held: `npm run test:security`.
      { extends: true, test: { name: 'security', include: attacks } },
      // Each protocol over each of its lines, between programs: `npm run test:terminals`.
      { extends: true, test: { name: 'terminals', include: terminals } },
      // What is installed and packaged, which takes a while: `npm run test:package`.
      { extends: true, test: { name: 'package', include: ['test/package/**/*.test.ts'] } },
    ],
    environment: 'node',
    pool: 'forks',
    // The files of a worker share its process, and what takes long to start in it, but no module (fresh-modules.ts).
    isolate: false,
    // More than cores that are usual in CI: part of the time is spent waiting for processes and browsers.
    maxWorkers: 3,
    sequence: { sequencer: RealTimeFirst },
    setupFiles: ['test/support/node-version.ts', 'test/support/fresh-modules.ts'],
    // Nothing takes as long, but a machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
