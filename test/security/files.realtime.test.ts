/** Pipes, devices, links and files of everybody where Tillbridge opens a file by its name. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTillbridge, type Program } from '../support/programs.ts';
import { entrances, precious, preciousIn, traps } from './traps.ts';

const trySchema = z.object({ entrance: z.string(), trap: z.string(), folder: z.string(), said: z.string() });
const rows = Object.keys(entrances).flatMap((entrance) =>
  Object.keys(traps).map((trap) => ({ entrance, trap })),
);

/** How it is said; a link that a person has named is followed, and who only reads a journal may read another's. */
const refused = /is a link|is a device or a pipe|a link, a device or a pipe|Every user|link/i;
const otherWords: Record<string, RegExp> = {
  '--config, a link to a file': /not JSON: see line 1, column 1/,
  '--config, a file that everybody can write': /not JSON/,
  'the journal, to be read, a file that everybody can write': /empty/,
  'the journal, to be verified, a file that everybody can write': /./,
  'the journal, to be exported, a file that everybody can write': /./,
  // Not a file to be read: then the channel is where it usually is.
  'the address of the control channel, a pipe': /control\.sock$/,
  'the address of the control channel, a link to a file': /control\.sock$/,
  'the address of the control channel, a link to a device without end': /control\.sock$/,
  'the address of the control channel, a file that everybody can write': /control\.sock$/,
};

const ended = 60_000;
let root = '';
const tries = new Map<string, z.infer<typeof trySchema>>();
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'tillbridge-traps-'));
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'try-to-open.ts'), root], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: ended,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await once(child, 'close');
  for (const line of output.split('\n').filter((text) => text !== '')) {
    const found = trySchema.parse(JSON.parse(line));
    tries.set(`${found.entrance}, ${found.trap}`, found);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a file that another user has laid in the way', () => {
  it.each(rows)('is not opened: $entrance, $trap', ({ entrance, trap }) => {
    const name = `${entrance}, ${trap}`;
    const found = tries.get(name);
    expect(found?.said, 'it was opened, and nothing came back').toBeDefined();
    expect(found?.said).toMatch(otherWords[name] ?? refused);
    expect(found?.said).not.toContain(precious);
    const kept = preciousIn(path.join(found?.folder ?? root, 'elsewhere'));
    expect(readFileSync(kept, 'utf8')).toBe(precious);
  });
});

describe.skipIf(process.platform === 'win32')('the command line', () => {
  const programs: Program[] = [];
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.end('SIGKILL');
  });
  function run(commandLine: string[]): Program {
    const program = runTillbridge(commandLine);
    programs.push(program);
    return program;
  }

  it.each([
    ['a configuration that is a device', ['bridge', '--config', '/dev/zero'], /is a device or a pipe/, 2],
    ['a configuration that is a folder', ['bridge', '--config', '/'], /is a folder/, 2],
    [
      'a data folder in /proc',
      ['token', 'create', 'a', '--data-dir', '/proc/self/x/y'],
      /cannot be written/,
      1,
    ],
    [
      'a data folder for everybody',
      ['bridge', '--terminal', 'simulator', '--no-console', '--port', '0', '--data-dir', tmpdir()],
      /Every user of this computer can write/,
      1,
    ],
  ])('ends, with words, on %s', async (_what, commandLine, words, exitCode) => {
    const program = run(commandLine);
    await program.printed(words);
    expect(await program.exited).toBe(exitCode);
  });

  it('quotes nothing of a file that is no configuration', async () => {
    const file = path.join(root, 'secret.json');
    writeFileSync(file, `{"zvt": {"password": "123456"},\n "terminal": ${precious}}`);
    const program = run(['bridge', '--config', file]);
    await program.printed(/line 2, column 14/);
    expect(await program.exited).toBe(2);
    expect(program.output()).not.toContain(precious.slice(0, 8));
    expect(program.output()).not.toContain('123456');
  });
});
