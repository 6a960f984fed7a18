import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createProgram } from '../../src/headless/program.ts';
import { settings } from '../../src/contract/configuration.ts';
import { createTestContext, run } from './test-context.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every command and command of a command, as it is called. */
function everyCommand(): string[][] {
  const program = createProgram(createTestContext(), async () => {});
  return program.commands.flatMap((command) => [
    [command.name()],
    ...command.commands.map((below) => [command.name(), below.name()]),
  ]);
}

describe('help', () => {
  it.each(everyCommand())('of %s %s has an example', async (...names) => {
    const { exitCode, output } = await run([...names.filter((name) => name !== undefined), '--help']);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/Examples?:\n {2}\$ /);
    expect(output).toContain('Usage: tillbridge');
  });

  it('of the bridge has every setting, by flag and by variable', async () => {
    const { output } = await run(['bridge', '--help']);
    for (const { flag, variable } of settings) {
      expect(output).toContain(flag);
      expect(output).toContain(`[${variable}]`);
    }
  });

  it('lists the commands when there is none', async () => {
    const { exitCode, errors } = await run([]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('decode');
  });

  it('has the version beside it', async () => {
    expect(await run(['--version'])).toEqual({ exitCode: 0, output: '9.9.9', errors: '' });
  });
});

describe('a wrong command line', () => {
  it.each([
    ['an unknown command', ['brigde'], 'Did you mean bridge?'],
    ['an unknown flag', ['bridge', '--prot', '1'], 'Did you mean --port?'],
    [
      'an unknown outcome',
      ['resolve', 'A', '--outcome', 'paid', '--by', 'a', '--reason', 'b'],
      'not-charged',
    ],
    ['a missing name', ['resolve', 'A', '--outcome', 'charged', '--reason', 'b'], '--by'],
    ['an unknown protocol', ['decode', 'opi', '00'], 'zvt'],
    ['a simulator that is nowhere', ['simulator'], '--tcp PORT'],
    ['a simulator in two places', ['simulator', '--tcp', '1', '--serial', '/dev/null'], '--serial'],
    ['a port that is none', ['simulator', '--tcp', 'all'], '--tcp must be'],
    ['a currency that is none', ['simulator', '--tcp', '0', '--currency', 'EURO'], 'EURO'],
  ])('with %s is said, with exit code 2', async (_, commandLine, words) => {
    const { exitCode, output, errors } = await run(commandLine);
    expect(exitCode).toBe(2);
    expect(output).toBe('');
    expect(errors).toContain(words);
  });
});

describe('tillbridge bridge', () => {
  it('does not start without a terminal, and says how to name one', async () => {
    const { exitCode, errors } = await run(['bridge', '--data-dir', folder]);
    expect(exitCode).toBe(2);
    for (const way of [
      '--terminal serial:',
      '--terminal tcp:',
      '--terminal simulator',
      'TILLBRIDGE_TERMINAL',
      'tillbridge ports',
    ]) {
      expect(errors).toContain(way);
    }
  });

  it('says everything that is wrong with its settings', async () => {
    const { exitCode, errors } = await run(['bridge', '--terminal', 'usb', '--port', '-1'], {
      environment: { TILLBRIDGE_PACE: 'x' },
    });
    expect(exitCode).toBe(2);
    expect(errors.split('\n')).toEqual([
      expect.stringContaining('--terminal: "usb"'),
      expect.stringContaining('--port: -1'),
      expect.stringContaining('TILLBRIDGE_PACE: "x"'),
    ]);
  });
});

describe('tillbridge decode', () => {
  const vectorSchema = z.array(
    z.object({
      id: z.string(),
      framing: z.enum(['serial', 'apdu']),
      hex: z.string(),
      decoded: z.record(z.string(), z.unknown()),
      textEncoding: z.string().optional(),
    }),
  );
  const vectors = vectorSchema.parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, '../wire/zvt.json'), 'utf8')),
  );

  it.each(vectors.map((vector) => [vector.id, vector] as const))('prints what %s says', async (_, vector) => {
    const { hex, framing, textEncoding, decoded } = vector;
    const apdu = framing === 'apdu' ? ['--apdu'] : [];
    const encoding = textEncoding === undefined ? [] : ['--encoding', textEncoding];
    const { exitCode, output, errors } = await run(['decode', 'zvt', hex, ...apdu, ...encoding]);
    expect(errors).toBe('');
    expect(exitCode).toBe(0);
    expect(output.split('\n')).toHaveLength(1);
    expect(JSON.parse(output)).toMatchObject(decoded);
  });

  it('takes blanks, colons and capitals', async () => {
    const { output } = await run(['decode', 'zvt', '80', '00 00', '--apdu']);
    expect(JSON.parse(output)).toMatchObject({ name: 'positive-ack' });
    expect((await run(['decode', 'zvt', '10:02:80:00:00:10:03:F5:1F'])).exitCode).toBe(0);
  });

  it.each([
    ['a wrong checksum', ['1002800000 1003f51e']],
    ['half a frame', ['10028000']],
    ['half a byte', ['800']],
    ['no hex', ['hello']],
    ['a wrong length', ['--apdu', '80000100ff']],
  ])('refuses %s on standard error, with exit code 1', async (_, rest) => {
    const { exitCode, output, errors } = await run(['decode', 'zvt', ...rest]);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toMatch(/^This is not a valid frame: .+/);
  });
});

describe('tillbridge ports', () => {
  it('prints what --terminal takes', async () => {
    const { exitCode, output } = await run(['ports']);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^(No serial port was found\.|serial:.+)/);
    expect(Array.isArray(JSON.parse((await run(['ports', '--json'])).output))).toBe(true);
  });
});

describe('tillbridge token', () => {
  const token = (...rest: string[]) => run(['token', ...rest, '--data-dir', folder]);

  it('makes, lists and removes tokens', async () => {
    expect((await token('list')).output).toContain('There are no tokens');
    const made = await token('create', 'till-1');
    expect(made.exitCode).toBe(0);
    expect(made.output).toMatch(/^tb_[\w-]{43}$/);
    expect((await token('list')).output).toMatch(/^till-1 {2}created \d{4}-/);
    expect(readFileSync(path.join(folder, 'tokens.json'), 'utf8')).not.toContain(made.output);
    expect((await token('create', 'till-1')).exitCode).toBe(1);
    expect((await token('remove', 'till-2')).exitCode).toBe(1);
    expect(await token('remove', 'till-1')).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('any program on this computer can send payments'),
    });
  });

  it('says when the file cannot be used', async () => {
    writeFileSync(path.join(folder, 'tokens.json'), 'no tokens');
    expect(await token('list')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('tokens.json'),
    });
  });

  it('finds the data folder by the environment and by a file', async () => {
    await token('create', 'till-1');
    const byVariable = await run(['token', 'list'], { environment: { TILLBRIDGE_DATA_DIR: folder } });
    expect(byVariable.output).toContain('till-1');
    writeFileSync(path.join(folder, 'till.json'), '{"dataDir": "."}');
    expect((await run(['token', 'list', '--config', path.join(folder, 'till.json')])).output).toContain(
      'till-1',
    );
    expect((await run(['token', 'list', '--config', '/missing.json'])).exitCode).toBe(2);
  });
});
