/**
 * `npm run package`: the desktop app as it is installed, in a folder (`out/linux-unpacked` and the like).
 *
 *     npm run package                          the folder build for this system
 *     npm run package -- --linux AppImage deb  packages; arguments are those of electron-builder
 *     npm run package -- --stand-in            without Electron's runtime: what is packaged can be looked at, not run
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fillStage } from './package/stage.ts';
import { makeStandIn } from './package/stand-in.ts';

const repository = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const electronFolder = path.dirname(require.resolve('electron/package.json'));
const { version: electronVersion } = require('electron/package.json') as { version: string };

process.exitCode = main(process.argv.slice(2));

function main(commandLine: string[]): number {
  const args = commandLine.filter((argument) => argument !== '--stand-in');
  const work = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-package-'));
  try {
    const runtime = commandLine.includes('--stand-in') ? standIn(work) : findRuntime();
    if (runtime === null) {
      complain(
        "Electron's runtime is not here and could not be fetched. Where GitHub can be reached, " +
          '"npx install-electron" gets it. "npm run package -- --stand-in" packages everything but the runtime.',
      );
      return 1;
    }
    const stage = path.join(work, 'stage');
    const built = run(
      process.execPath,
      [binOf('vite', 'bin/vite.js'), 'build', '--app', '--logLevel', 'warn'],
      {
        TILLBRIDGE_DIST: path.join(stage, 'dist'),
      },
    );
    if (built !== 0) return built;
    fillStage(repository, stage);
    return run(process.execPath, [
      binOf('electron-builder', 'cli.js'),
      `--projectDir=${stage}`,
      `--config=${path.join(stage, 'electron-builder.yml')}`,
      `-c.directories.output=${path.resolve(repository, process.env['TILLBRIDGE_OUT'] ?? 'out')}`,
      `-c.electronVersion=${electronVersion}`,
      `-c.electronDist=${runtime}`,
      ...(args.length > 0 ? args : ['--dir']),
    ]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The folder with Electron's program for this system; fetched by Electron's own installer when it is missing. */
function findRuntime(): string | null {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? path.join(electronFolder, 'dist');
  const isThere = () => existsSync(path.join(folder, 'version'));
  if (!isThere()) run(process.execPath, [path.join(electronFolder, 'install.js')]);
  return isThere() ? folder : null;
}

function standIn(work: string): string {
  complain(
    "A stand-in takes the place of Electron's runtime: this package shows what is in it and cannot run.",
  );
  return makeStandIn(path.join(work, 'stand-in'), electronVersion);
}

function binOf(name: string, file: string): string {
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), file);
}

/** Its exit code; 1 when it could not be run. */
function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): number {
  const env = { ...process.env, ...environment };
  return spawnSync(command, args, { cwd: repository, stdio: 'inherit', env }).status ?? 1;
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
