/**
 * `npm run test:electron`: the specs of the desktop app and of the console on Electron itself, where its runtime is
 * installed (`npx install-electron`). On Linux without a screen: `xvfb-run npm run test:electron`.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const vitest = path.join(
  path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
const { status } = spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--project',
    'quick',
    '--project',
    'desktop',
    'test/main',
    'test/console/desktop',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, TILLBRIDGE_ELECTRON: 'real' } },
);
process.exitCode = status ?? 1;
