import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../src/headless/open-console.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const link = 'http://127.0.0.1:9999/#link=secret-of-one-use';
let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-open-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Opens with these programs there; those in `broken` end badly at once. */
async function open(options: {
  platform?: NodeJS.Platform;
  environment?: NodeJS.ProcessEnv;
  installed?: string[];
  broken?: string[];
}) {
  const { platform = 'linux', environment = {}, installed = [], broken = [] } = options;
  const clock = createVirtualClock();
  const tried: string[][] = [];
  const browser = openConsole(link, {
    platform,
    environment: { PATH: '/usr/bin:/snap/bin', ...environment },
    home,
    clock,
    exists: (file) => installed.includes(file.replaceAll('\\', '/')),
    start: (command) => {
      tried.push([...command]);
      return Promise.resolve(!broken.includes(command[0]));
    },
  });
  const opened = await browser.opened;
  const programs = tried.map(([program = '', ...args]) => [
    program.replaceAll('\\', '/'),
    ...args.map((arg) => arg.replace(/file:.*/, 'FILE')),
  ]);
  return { opened, tried, programs, clock, close: browser.close };
}

describe('the console by itself', () => {
  it('is an app window where a browser has them', async () => {
    const { opened, programs } = await open({ installed: ['/snap/bin/chromium'] });
    expect({ opened, programs }).toEqual({ opened: true, programs: [['/snap/bin/chromium', '--app=FILE']] });
    const windows = await open({
      platform: 'win32',
      environment: { 'ProgramFiles(x86)': 'C:/Programs' },
      installed: ['C:/Programs/Microsoft/Edge/Application/msedge.exe'],
    });
    expect(windows.programs).toEqual([['C:/Programs/Microsoft/Edge/Application/msedge.exe', '--app=FILE']]);
  });

  it.each([
    ['linux', ['xdg-open', 'FILE']],
    ['darwin', ['open', 'FILE']],
    ['win32', ['rundll32', 'url.dll,FileProtocolHandler', 'FILE']],
  ] as const)('is a page of the system’s browser elsewhere: %s', async (platform, command) => {
    expect((await open({ platform })).programs).toEqual([command]);
  });

  it('is tried with the next one when a browser does not come up', async () => {
    const { opened, programs } = await open({
      installed: ['/usr/bin/chromium'],
      broken: ['/usr/bin/chromium'],
    });
    expect(opened).toBe(true);
    expect(programs).toEqual([
      ['/usr/bin/chromium', '--app=FILE'],
      ['xdg-open', 'FILE'],
    ]);
  });

  it('is opened by the program that BROWSER names, and not at all by "none"', async () => {
    const environment = { BROWSER: '/opt/firefox' };
    expect((await open({ environment, installed: ['/usr/bin/chromium'] })).programs).toEqual([
      ['/opt/firefox', 'FILE'],
    ]);
    expect((await open({ environment: { BROWSER: 'none' } })).programs).toEqual([]);
    expect(readdirSync(home)).toHaveLength(1);
  });

  it('keeps the link off the command line, in a file that only this user can read, for a minute', async () => {
    const { tried, clock } = await open({});
    expect(JSON.stringify(tried)).not.toContain('secret-of-one-use');
    const file = new URL(tried[0]?.[1] ?? '');
    expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${link}"`);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    await clock.run(new Promise((resolve) => clock.after(60_000, () => resolve(null))), 'a minute');
    expect(readdirSync(home)).toEqual([]);
  });

  it('leaves no file behind when the bridge ends, or when nothing could be opened', async () => {
    const { tried, close } = await open({});
    close();
    expect(existsSync(new URL(tried[0]?.[1] ?? ''))).toBe(false);
    expect((await open({ broken: ['xdg-open'] })).opened).toBe(false);
    expect(readdirSync(home)).toEqual([]);
  });
});
