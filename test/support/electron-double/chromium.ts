/** Starts the browser that shows the double's windows. It ends when this process does, however that ends. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { findChromium } from '../find-chromium.ts';
import { talkOverPipe, type DevTools } from './devtools.ts';

/** Set it to see the windows; needs a display. */
const headed = (process.env['ELECTRON_DOUBLE_HEADED'] ?? '') !== '';

const switches = [
  ...(headed ? [] : ['--headless=new']),
  '--no-sandbox',
  '--no-first-run',
  '--no-startup-window',
  // The pipe is ours, and Chromium ends when it closes; the port is for Playwright.
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--deny-permission-prompts',
  '--mute-audio',
  '--password-store=basic',
];

/** Resolves when it can be talked to. By then it has told its address on our standard error, as Electron does. */
export async function startChromium(): Promise<DevTools> {
  const program = await findChromium();
  if (program === null) throw new Error('the electron double needs Chromium, which is not installed');
  const profile = mkdtempSync(path.join(process.env['ELECTRON_DOUBLE_PROFILES'] ?? os.tmpdir(), 'chromium-'));
  const child = spawn(program.executablePath, [...program.args, ...switches, `--user-data-dir=${profile}`], {
    env: program.env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  });
  await toldAddress(child.stderr as Readable);
  return talkOverPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
}

function toldAddress(output: Readable): Promise<void> {
  output.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let said = '';
    output.on('data', (piece: string) => {
      said = (said + piece).slice(-10_000);
      const told = /^DevTools listening on ws:\S+$/m.exec(said);
      if (told === null) return;
      said = '';
      process.stderr.write(`${told[0]}\n`);
      resolve();
    });
    output.on('close', () => reject(new Error(`Chromium ended before it was ready:\n${said}`)));
  });
}
