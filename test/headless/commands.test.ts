import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asNobody, isRoot } from '../support/nobody.ts';
import { addersFor, createProgram } from '../../src/headless/program.ts';
import { onDataDir } from '../../src/headless/commands/shared.ts';
import { settings } from '../../src/contract/configuration.ts';
import { vectorsOf } from '../wire/frame-kit.ts';
import { createTestContext, run } from './test-context.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = async (...commandLine: string[]) =>
  createProgram(createTestContext(), async () => {}, await addersFor(commandLine));
const everyCommand = (await program('help', 'simulator')).commands;
/** With those of a command, as they are called. */
const commands = everyCommand.flatMap((command) => [
  [command.name()],
  ...command.commands.map((below) => [command.name(), below.name()]),
]);

describe('a command line', () => {
  it.each(everyCommand.map((command) => command.name()))(
    'that begins with %s makes that command and no other',
    async (name) => {
      const made = (await program(name, '--help')).commands;
      expect(made.map((command) => command.name())).toEqual([name]);
      expect(made[0]?.helpInformation()).toBe(
        everyCommand.find((command) => command.name() === name)?.helpInformation(),
      );
    },
  );

  it.each(['', 'help', '--version', 'brigde', 'constructor'])(
    'that begins with "%s" makes all of them',
    async (first) => {
      expect((await program(first)).commands).toHaveLength(everyCommand.length);
    },
  );
});

describe('help', () => {
  it.each(commands)('of %s %s has an example', async (...names) => {
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
    expect(output).not.toContain('default )');
  });

  it('of a recording from the middle has the settings of what it records, and nothing else', async () => {
    const output = (await run(['capture', '--help'])).output.replaceAll(/\s+/g, ' ');
    expect(output).toContain('--ecr17-lrc');
    expect(output).toContain('one of ecr-edc, ecr17, transbank, zvt; default zvt');
    expect(output).toContain('bits per second, if not those that are usual for the protocol.');
    expect(output).not.toMatch(/--kpay|http:HOST/);
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
  const kpayFromTheMiddle =
    'capture --protocol kpay --terminal http:127.0.0.1:18080 --listen tcp:0 --out capture.jsonl'.split(' ');
  const recordAtTheBridge = 'record there: "tillbridge bridge --capture"';
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
    ['a simulator of KPay that is nowhere', ['simulator', '--protocol', 'kpay'], '--http PORT'],
    ['a simulator of ZVT on HTTP', ['simulator', '--http', '0'], '--http is for --protocol kpay'],
    ['a simulator on no port', ['simulator', '--protocol', 'kpay', '--http', 'all'], '--http must be'],
    ['a simulator of Transbank that is nowhere', ['simulator', '--protocol', 'transbank'], '--tcp PORT'],
    [
      'a simulator of Transbank in a currency with a minor unit',
      ['simulator', '--protocol', 'transbank', '--tcp', '0', '--currency', 'EUR'],
      'EUR has a minor unit',
    ],
    [
      'a dialect of another protocol',
      ['simulator', '--protocol', 'transbank', '--tcp', '0', '--dialect', 'late-id'],
      'late-id is not one of Transbank: strict, ',
    ],
    ['a simulator of ECR17 that is nowhere', ['simulator', '--protocol', 'ecr17'], '--tcp PORT'],
    [
      'a simulator of ECR17 in another currency',
      ['simulator', '--protocol', 'ecr17', '--tcp', '0', '--currency', 'CHF'],
      'euros only',
    ],
    [
      'a simulator of ECR17 with the id of any terminal',
      ['simulator', '--protocol', 'ecr17', '--tcp', '0', '--terminal-id', '00000000'],
      'not only zeros',
    ],
    [
      'a simulator of ECR17 with a dialect of Transbank',
      ['simulator', '--protocol', 'ecr17', '--tcp', '0', '--dialect', 'tips'],
      'hangs-up',
    ],
    ['a simulator of ECR-EDC that is nowhere', ['simulator', '--protocol', 'ecr-edc'], '--tcp PORT'],
    [
      'a simulator of ECR-EDC in a currency without hundredths',
      ['simulator', '--protocol', 'ecr-edc', '--tcp', '0', '--currency', 'JPY'],
      'JPY has no two decimals',
    ],
    [
      'a simulator of ECR-EDC by a profile that is for reading only',
      ['simulator', '--protocol', 'ecr-edc', '--tcp', '0', '--profile', 'ktb'],
      'generic, kbtg',
    ],
    ['a dialect of another protocol, of ZVT', ['simulator', '--tcp', '0', '--dialect', 'blanks'], 'of ZVT: '],
    ['a recording of KPay from the middle', kpayFromTheMiddle, recordAtTheBridge],
    ['the same, with the flags of a bridge', [...kpayFromTheMiddle, '--kpay-app-id', '1'], recordAtTheBridge],
    [
      'a recording of requests',
      ['capture', '--terminal', 'http:127.0.0.1:80', '--out', 'a'],
      recordAtTheBridge,
    ],
    ['a recording that goes nowhere', ['capture', '--terminal', 'tcp:127.0.0.1:1'], '--out'],
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

  it.each([
    ['transbank', '02 30373130 7c3030 7c31 7c32303030 03 4a', { command: '0710', lrc: '4a' }],
    ['ecr17', '06:03:7A', { kind: 'ack', lrc: '7a' }],
  ])('reads frames of %s', async (protocol, hex, decoded) => {
    const { exitCode, output } = await run(['decode', protocol, hex]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toEqual(expect.objectContaining(decoded));
    expect((await run(['decode', protocol, hex.slice(0, 6)])).exitCode).toBe(1);
  });

  const others = ['transbank', 'ecr17', 'kpay', 'ecr-edc'].flatMap((protocol) =>
    vectorsOf(protocol).map((vector) => [vector.id, protocol, vector] as const),
  );

  it.each(others)('prints what %s says, of %s', async (_, protocol, vector) => {
    const profile = vector.profile === undefined ? [] : ['--profile', vector.profile];
    const named = ['--framing', vector.framing, ...profile];
    const { exitCode, output } = await run(['decode', protocol, vector.hex, ...named]);
    expect(exitCode).toBe(0);
    // Neither card data nor what needs a key is shown; that each says exactly this is shown in `wire/`.
    const shown = Object.keys(JSON.parse(output) as Record<string, unknown>);
    const left = Object.keys(vector.decoded).filter((key) => !shown.includes(key));
    expect(['parts', 'signature', 'signatureValid']).toEqual(expect.arrayContaining(left));
  });

  it('takes blanks, colons and capitals', async () => {
    const { output } = await run(['decode', 'zvt', '80', '00 00', '--apdu']);
    expect(JSON.parse(output)).toMatchObject({ name: 'positive-ack' });
    expect((await run(['decode', 'zvt', '10:02:80:00:00:10:03:F5:1F'])).exitCode).toBe(0);
  });

  it('checks a signature of KPay with the keys of a file', async () => {
    const messages = vectorsOf('kpay');
    const hexOf = (id: string) => messages.find((one) => one.id === id)?.hex ?? '';
    const answer = messages.find((one) => one.id === 'kpay-sign-resp')?.decoded['body'];
    const file = path.join(folder, 'keys.json');
    writeFileSync(file, JSON.stringify(answer));
    const checked = await run(['decode', 'kpay', hexOf('kpay-sale-req'), '--key', file]);
    expect(JSON.parse(checked.output)).toMatchObject({ kind: 'request', signatureValid: true });
    const unchecked = await run(['decode', 'kpay', hexOf('kpay-sale-req')]);
    expect(JSON.parse(unchecked.output)).not.toHaveProperty('signatureValid');
    const missing = await run(['decode', 'kpay', '00', '--key', path.join(folder, 'none')]);
    expect(missing).toMatchObject({ exitCode: 1, output: '' });
    expect(missing.errors).toContain('--key cannot be read');
  });

  it('takes the framing by its name', async () => {
    const bare = await run(['decode', 'zvt', '800000', '--framing', 'apdu']);
    expect(JSON.parse(bare.output)).toMatchObject({ name: 'positive-ack' });
    expect((await run(['decode', 'zvt', '800000', '--framing', 'serial'])).exitCode).toBe(1);
    const { exitCode, output, errors } = await run(['decode', 'zvt', '800000', '--framing', 'http']);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
    expect(errors).toBe('--framing must be one of serial, apdu for zvt.');
  });

  it('takes the dialect by its name, and finds out without it', async () => {
    const withStx = '02001830303030303030303030313035303030301c0331';
    for (const profile of [[], ['--profile', 'ktb']]) {
      const { output } = await run(['decode', 'ecr-edc', withStx, ...profile]);
      expect(JSON.parse(output)).toMatchObject({ lrcIncludesStx: true, txCode: '50', fields: [] });
    }
    const { exitCode, errors } = await run(['decode', 'ecr-edc', withStx, '--profile', 'kbtg']);
    expect({ exitCode, errors }).toEqual({
      exitCode: 1,
      errors: 'This is not a valid frame: bad LRC: expected 33, found 31',
    });
    expect((await run(['decode', 'ecr-edc', withStx, '--profile', 'bbl'])).exitCode).toBe(2);
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
    const { exitCode, output } = await run(['ports', '--data-dir', folder]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^(No serial port was found\.|PORT.*\nserial:.+)/);
    expect(Array.isArray(JSON.parse((await run(['ports', '--json', '--data-dir', folder])).output))).toBe(
      true,
    );
  });

  it('accepts another device than before on request only', async () => {
    const file = path.join(folder, 'device.json');
    writeFileSync(file, '{}');
    await run(['ports', '--data-dir', folder]);
    expect(existsSync(file)).toBe(true);
    const { output } = await run(['ports', '--accept', '--data-dir', folder]);
    expect(output).toContain('is used as the terminal');
    expect(existsSync(file)).toBe(false);
  });

  it('accepts the device of the terminal that is named, and of no other', async () => {
    const bar = path.join(folder, 'terminals', 'bar');
    mkdirSync(bar, { recursive: true });
    writeFileSync(path.join(bar, 'journal.sqlite'), '');
    const files = [path.join(folder, 'device.json'), path.join(bar, 'device.json')];
    for (const file of files) writeFileSync(file, '{}');
    const accept = (name: string) => run(['ports', '--accept', '--for', name, '--data-dir', folder]);
    const unknown = await accept('cellar');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.errors).toBe(`There is no terminal "cellar" in ${folder}. There are: main, bar.`);
    expect(files.map((file) => existsSync(file))).toEqual([true, true]);
    expect((await accept('bar')).output).toContain('the port of the terminal "bar"');
    expect(files.map((file) => existsSync(file))).toEqual([true, false]);
  });
});

describe('tillbridge bridge', () => {
  it.skipIf(!isRoot)('says what to do where it may not write its data folder', async () => {
    chmodSync(folder, 0o755);
    const flags = ['--terminal', 'simulator', '--port', '0', '--data-dir', path.join(folder, 'data')];
    const started = await asNobody(() => run(['bridge', ...flags]));
    expect(started.exitCode).toBe(1);
    expect(started.errors).toMatch(
      /^The bridge cannot start: EACCES: permission denied, mkdir '.*'\. Start it as/,
    );
  });

  it('calls a data folder that is a file no folder, in one sentence', async () => {
    const dataDir = path.join(folder, 'file');
    writeFileSync(dataDir, '');
    const { errors } = await run(['bridge', '--terminal', 'simulator', '--port', '0', '--data-dir', dataDir]);
    expect(errors).toBe(`The bridge cannot start: ${dataDir} is no folder.`);
  });

  it('does not ask for a terminal where the configuration that may name one cannot be read', async () => {
    const { exitCode, errors } = await run(['bridge', '--config', path.join(folder, 'no-such-file.json')]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('no-such-file.json');
    expect(errors).not.toContain('No terminal is configured');
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

it('says what to do about a data folder that belongs to another user', async () => {
  const context = createTestContext();
  const refusedAt = (where: string) => () => {
    const error = new Error("EACCES: permission denied, scandir '/var/lib/x'");
    throw Object.assign(error, { code: 'EACCES', path: where });
  };
  expect(await onDataDir({ dataDir: folder }, context, refusedAt(path.join(folder, 'x')))).toBe(1);
  expect(context.errors).toEqual([
    `EACCES: permission denied, scandir '/var/lib/x'. Run the command as the user that the bridge runs as: ${folder} is for that one alone.`,
  ]);
  await expect(onDataDir({ dataDir: folder }, context, refusedAt('/dev/ttyS0'))).rejects.toThrow('EACCES');
});
