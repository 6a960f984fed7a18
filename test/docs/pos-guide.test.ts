/** The programs of docs/pos-guide.md, taken from the page as they stand there and run against a bridge with the simulator. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../support/chromium.ts';
import { csharpCompiler, csharpLibraries, needs } from '../support/needs.ts';
import { runTillbridge, type Program } from '../support/programs.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../docs/pos-guide.md'), 'utf8');
const expected = ['payment approved', 'void done', 'cancel done', 'batch closed'];

let folder: string;
let bridge: Program;
let address: string;
let site: Server;
let origin: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-guide-'));
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A POS in a browser</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const simulator = ['bridge', '--terminal', 'simulator', '--port', '0', '--pace', '0'];
  bridge = runTillbridge([...simulator, '--data-dir', folder, '--allow-origin', origin]);
  const [, port = ''] = await bridge.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await bridge.printed(/The terminal is ready/);
  address = `http://localhost:${port}`;
});
afterAll(async () => {
  await bridge.end();
  site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The program, calling the bridge of this test instead of the usual port. */
function example(name: string): string {
  const marked = guide.slice(guide.indexOf(`<!-- example: ${name} -->`));
  const program = /^```\w+\n([^]*?)^```/m.exec(marked)?.[1] ?? '';
  expect(program).toContain('http://localhost:8080');
  return program.replace('http://localhost:8080', address);
}

/** Every line that a program printed, once it has ended well. Bounded by the test's own time. */
function run(command: string, ...parameters: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let complaints = '';
    child.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed.trim().split(/\r?\n/));
      else reject(new Error(`${command} ended with ${code}: ${complaints}`));
    });
  });
}

function file(name: string, content: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return place;
}

describe.skipIf(!needs('bash, curl and jq'))('the example in the shell', () => {
  it('pays, voids, cancels and closes the day', async () => {
    expect(await run('bash', file('till.sh', example('shell')))).toEqual(expected);
  });
});

describe.skipIf(!needs('python3'))('the example in Python', () => {
  it('pays, voids, cancels and closes the day', async () => {
    expect(await run('python3', file('till.py', example('python')))).toEqual(expected);
  });
});

describe.skipIf(!needs('a C# compiler and Mono'))('the example in C#', () => {
  it('pays, voids, cancels and closes the day', async () => {
    const program = path.join(folder, 'Till.exe');
    const source = file('Till.cs', example('csharp'));
    execFileSync(csharpCompiler, [...csharpLibraries, `-out:${program}`, source]);
    expect(await run('mono', program)).toEqual(expected);
  });
});

describe.skipIf(!needs('chromium'))('the example in a web page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
  });

  it('pays, voids, cancels and closes the day from an allowed origin', async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    const printed = await page.evaluate<string[]>(`(async () => {
      ${example('browser')}
      const lines = [];
      await day((line) => lines.push(line));
      return lines;
    })()`);
    expect(printed).toEqual(expected);
  });

  it('gets no answer from another origin', async () => {
    const page = await browser.newPage();
    await page.goto(origin.replace('127.0.0.1', 'localhost'));
    const call = page.evaluate(
      (bridge) => fetch(`${bridge}/health`).then((answer) => answer.status),
      address,
    );
    await expect(call).rejects.toThrow('Failed to fetch');
  });
});
