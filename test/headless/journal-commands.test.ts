/** doubts, resolve and journal on data folders, with and without a bridge that has the journal. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchStarted, VoidStarted } from '../../src/contract/journal-events.ts';
import { batch, ended, record, sale, voidOf } from '../bridge/journal/sample-events.ts';
import { append, openTestJournal, seedOpen, seedOpenSale } from './seed-journal.ts';
import { run } from './test-context.ts';
import { withBridge } from './with-bridge.ts';

let dataDir: string;
let simulatorDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-data-'));
  simulatorDir = path.join(dataDir, 'simulator');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const doubts = (...more: string[]) => run(['doubts', '--data-dir', dataDir, ...more]);
const resolve = (operation: string, outcome: string, ...more: string[]) =>
  run([
    'resolve',
    operation,
    '--outcome',
    outcome,
    '--by',
    'Ada Meier',
    '--reason',
    'on the day list',
    '--terminal-unreachable',
    '--data-dir',
    dataDir,
    ...more,
  ]);
const journal = (command: string, ...more: string[]) =>
  run(['journal', command, '--data-dir', dataDir, ...more]);

function statusOf(folder: string, reference: string): string | undefined {
  const read = openTestJournal(folder);
  const status = read.paymentByReference(reference)?.status;
  read.close();
  return status;
}

describe('tillbridge doubts', () => {
  it('says that there is no journal', async () => {
    expect(await doubts()).toMatchObject({ exitCode: 1, errors: expect.stringContaining(dataDir) });
  });

  it('lists what is open in the real journal and in the simulator’s, and says which is which', async () => {
    const real = seedOpenSale(dataDir, 'A-1');
    const simulated = seedOpenSale(simulatorDir, 'S-1');
    const { exitCode, output } = await doubts();
    expect(exitCode).toBe(0);
    expect(output).toContain(
      `The journal in ${dataDir} (no bridge is running on it): 1 operation is in doubt.`,
    );
    expect(output).toContain(`The journal of the simulator in ${simulatorDir}`);
    expect(output).toContain('payment A-1 of 12.00 EUR');
    expect(output).toContain(
      `tillbridge resolve ${real} --data-dir ${dataDir} --outcome charged|not-charged`,
    );
    expect(output).toContain('the terminal said that it has no record');
    const only = await doubts('--simulator');
    expect(only.output).toContain(simulated);
    expect(only.output).not.toContain(real);
  });

  it('lists a void, and takes what is decided of it', async () => {
    const paid = sale({ reference: 'A-1' });
    seedOpen(dataDir, paid);
    append(dataDir, ended(paid, 'approved', { result: record({ receiptNumber: '0001' }) }));
    expect(await listedThenDecided(voidOf(paid), 'voided')).toContain('void A-1 of 12.00 EUR, started');
    expect(statusOf(dataDir, 'A-1')).toBe('approved');
  });

  it('lists a batch close, and takes what is decided of it', async () => {
    expect(await listedThenDecided(batch(), 'closed')).toContain('batch close, started');
  });

  /** What the list said before it was decided that it had not taken place. */
  async function listedThenDecided(started: VoidStarted | BatchStarted, outcome: string): Promise<string> {
    const operationId = seedOpen(dataDir, started);
    const { output } = await doubts();
    expect(output).toContain(
      `tillbridge resolve ${operationId} --data-dir ${dataDir} --outcome ${outcome}|not-${outcome} `,
    );
    expect(await resolve(operationId, `not-${outcome}`)).toMatchObject({ exitCode: 0, errors: '' });
    expect((await doubts()).output).toContain('nothing is in doubt');
    return output;
  }

  it('gives the same as JSON', async () => {
    const operationId = seedOpenSale(dataDir, 'A-1');
    const { output } = await doubts('--json');
    expect(JSON.parse(output)).toMatchObject({
      journals: [
        {
          folder: dataDir,
          simulated: false,
          bridge: 'stopped',
          doubts: [{ operationId, reference: 'A-1', amount: '12.00' }],
        },
      ],
    });
  });

  it('asks the bridge while one runs', async () => {
    seedOpenSale(dataDir, 'A-1');
    await withBridge(dataDir, async () => {
      expect((await doubts()).output).toContain('its bridge is running): 1 operation is in doubt.');
    });
  });

  it('has the terminal checked first, and says what came of it beside the list', async () => {
    seedOpenSale(dataDir, 'A-1');
    const asked: unknown[] = [];
    await withBridge(
      dataDir,
      async () => {
        const { output, errors } = await doubts('--check');
        expect(errors).toContain('the terminal was asked. The terminal does not answer: no reply.');
        expect(output).toContain('1 operation is in doubt.');
      },
      asked,
    );
    expect(asked).toEqual(['check']);
    expect((await doubts('--check')).errors).toContain('no bridge is running on it');
  });

  it('does not call a damaged journal one without doubts', async () => {
    seedOpenSale(dataDir, 'A-1');
    writeFileSync(path.join(dataDir, 'journal.sqlite'), 'no journal any more');
    expect(await doubts()).toMatchObject({ exitCode: 1, output: '' });
  });
});

describe('tillbridge resolve', () => {
  it('decides by the operation’s id, and keeps who and why', async () => {
    const operationId = seedOpenSale(dataDir, 'A-1');
    const { exitCode, output } = await resolve(operationId, 'charged');
    expect(exitCode).toBe(0);
    expect(output).toBe(
      `The payment A-1 of 12.00 EUR is decided: charged, by Ada Meier. It is recorded in the journal in ${dataDir}.`,
    );
    expect(statusOf(dataDir, 'A-1')).toBe('approved');
    const { output: facts } = await journal('export');
    expect(facts).toContain('"name":"Ada Meier"');
    expect(facts).toContain('on the day list');
    expect((await doubts()).output).toContain('nothing is in doubt');
  });

  it('decides by the reference', async () => {
    seedOpenSale(simulatorDir, 'S-1');
    const { exitCode, output } = await resolve('S-1', 'not-charged');
    expect(exitCode).toBe(0);
    expect(output).toContain('journal of the simulator');
    expect(statusOf(simulatorDir, 'S-1')).toBe('failed');
  });

  it('goes through the bridge while one runs', async () => {
    seedOpenSale(dataDir, 'A-1');
    await withBridge(dataDir, async () => {
      expect(await resolve('A-1', 'charged')).toMatchObject({ exitCode: 0, errors: '' });
      expect((await doubts()).output).toContain('nothing is in doubt');
    });
    expect(statusOf(dataDir, 'A-1')).toBe('approved');
  });

  it('does not write while another program has the journal without a control channel', async () => {
    seedOpenSale(dataDir, 'A-1');
    const held = openTestJournal(dataDir);
    expect(await resolve('A-1', 'charged')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('Another bridge is using'),
    });
    held.close();
    expect(statusOf(dataDir, 'A-1')).toBe('in_progress');
  });

  it('does not choose between two operations with one reference', async () => {
    const ids = [seedOpenSale(dataDir, 'A-1'), seedOpenSale(simulatorDir, 'A-1')];
    const { exitCode, errors } = await resolve('A-1', 'charged');
    expect(exitCode).toBe(1);
    for (const id of ids) expect(errors).toContain(id);
    expect((await resolve('A-1', 'charged', '--simulator')).exitCode).toBe(0);
    expect(statusOf(simulatorDir, 'A-1')).toBe('approved');
    expect((await doubts()).output).toContain('1 operation is in doubt');
  });

  it.each([
    ['an operation that is not in doubt', 'B-1', 'charged', 'No operation in doubt'],
    ['an outcome that another kind has', 'A-1', 'voided', 'charged or not-charged'],
  ])('refuses %s', async (_, operation, outcome, words) => {
    seedOpenSale(dataDir, 'A-1');
    expect(await resolve(operation, outcome)).toMatchObject({
      exitCode: 1,
      output: '',
      errors: expect.stringContaining(words),
    });
  });

  it('gives the command that lists what can be decided in this folder', async () => {
    seedOpenSale(dataDir, 'A-1');
    expect((await resolve('B-1', 'charged')).errors).toContain(
      `See "tillbridge doubts --data-dir ${dataDir}".`,
    );
  });

  it('wants a name and a reason that say something', async () => {
    seedOpenSale(dataDir, 'A-1');
    const command = ['resolve', 'A-1', '--outcome', 'charged', '--data-dir', dataDir];
    expect((await run([...command, '--by', ' ', '--reason', 'x'])).exitCode).toBe(1);
    expect((await run([...command, '--by', 'x', '--reason', ' '])).exitCode).toBe(1);
    expect((await run([...command, '--by', 'x'])).exitCode).toBe(2);
  });
});

describe('tillbridge journal', () => {
  it('verifies every journal of the data folder', async () => {
    seedOpenSale(dataDir, 'A-1');
    seedOpenSale(simulatorDir, 'S-1');
    const { exitCode, output } = await journal('verify');
    expect(exitCode).toBe(0);
    expect(output.split('\n')).toHaveLength(2);
    expect(output).toMatch(/^2 events, all in order: the journal in /);
    expect((await journal('verify', '--simulator')).output.split('\n')).toHaveLength(1);
  });

  it('does not call a copy whole that may lack the newest events: one without the mark', async () => {
    const held = openTestJournal(dataDir);
    held.append(sale());
    // As after a copy of this one file while the bridge runs: the events are still in the write-ahead file.
    const copy = path.join(dataDir, 'copy');
    mkdirSync(copy);
    copyFileSync(path.join(dataDir, 'journal.sqlite'), path.join(copy, 'journal.sqlite'));
    held.close();

    const verified = await run(['journal', 'verify', '--data-dir', copy]);
    expect(verified).toMatchObject({ exitCode: 1, output: expect.stringMatching(/^0 events/) });
    expect(verified.errors).toContain(`NOT certain to be whole: the journal in ${copy}: journal.sqlite-mark`);
    // A sound journal stays sound without it: no repair sets it aside, and the next start writes it anew.
    const repair = ['journal', 'repair', '--data-dir', copy, '--by', 'Ada Meier', '--reason', 'x'];
    expect((await run(repair)).output).toContain('The journal is sound.');
    openTestJournal(copy).close();
    expect(await run(['journal', 'verify', '--data-dir', copy])).toMatchObject({ exitCode: 0, errors: '' });
  });

  it('finds the simulator’s journal where there is no other', async () => {
    seedOpenSale(simulatorDir, 'S-1');
    expect((await journal('verify')).output).toContain('journal of the simulator');
    expect((await journal('export')).errors).toContain('journal of the simulator');
  });

  it('fails on a journal that was tampered with', async () => {
    seedOpenSale(dataDir, 'A-1');
    const file = path.join(dataDir, 'journal.sqlite');
    const bytes = readFileSync(file);
    const at = bytes.indexOf('"A-1"');
    bytes.write('"B-1"', at);
    writeFileSync(file, bytes);
    const { exitCode, errors } = await journal('verify');
    expect(exitCode).toBe(1);
    expect(errors).toContain('NOT in order');
    expect(errors).toContain('event 2 does not fit');
  });

  it('exports the facts as JSON lines', async () => {
    seedOpenSale(dataDir, 'A-1');
    const { output } = await journal('export');
    const facts = output
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; event: { type: string } });
    expect(facts.map(({ seq, event }) => `${seq} ${event.type}`)).toEqual([
      '1 journal_opened',
      '2 operation_started',
    ]);
  });

  it.each(['verify', 'export'])('says at %s that there is none', async (command) => {
    expect(await journal(command)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('no journal'),
    });
  });

  it('repairs a damaged one, by a person with a reason, and keeps the old one', async () => {
    seedOpenSale(dataDir, 'A-1');
    const file = path.join(dataDir, 'journal.sqlite');
    writeFileSync(file, readFileSync(file).subarray(0, 6_000));
    const repair = () => journal('repair', '--by', 'Ada Meier', '--reason', 'the disk was full');
    expect((await journal('verify')).exitCode).toBe(1);
    const repaired = await repair();
    expect(repaired).toMatchObject({ exitCode: 0, errors: '' });
    expect(readdirSync(dataDir).some((name) => name.startsWith('journal-damaged-'))).toBe(true);
    expect((await journal('verify')).exitCode).toBe(0);
    expect((await journal('export')).output).toContain('"by":"Ada Meier"');
    expect((await repair()).exitCode).toBe(0);
    expect((await journal('repair', '--by', 'Ada Meier')).exitCode).toBe(2);
  });

  it.each([
    ['', 'the disk was full', 'name'],
    [' ', 'the disk was full', 'name'],
    ['\u200b', 'the disk was full', 'name'],
    ['Ada Meier', '', 'reason'],
  ])('is not repaired by nobody or for nothing (%j, %j)', async (by, reason, wanted) => {
    seedOpenSale(dataDir, 'A-1');
    const file = path.join(dataDir, 'journal.sqlite');
    writeFileSync(file, readFileSync(file).subarray(0, 6_000));
    const before = readdirSync(dataDir);
    expect(await journal('repair', '--by', by, '--reason', reason)).toMatchObject({
      exitCode: 1,
      output: '',
      errors: expect.stringContaining(wanted),
    });
    expect(readdirSync(dataDir)).toEqual(before);
  });

  it('repairs nothing while a bridge runs', async () => {
    seedOpenSale(dataDir, 'A-1');
    await withBridge(dataDir, async () => {
      expect(await journal('repair', '--by', 'Ada', '--reason', 'x')).toMatchObject({
        exitCode: 1,
        errors: expect.stringContaining('Stop it first'),
      });
    });
  });
});

describe('tillbridge support-bundle', () => {
  const bundle = () => run(['support-bundle', '--data-dir', dataDir]);

  it('asks the bridge that runs', async () => {
    seedOpenSale(simulatorDir, 'S-1');
    await withBridge(simulatorDir, async () => {
      expect(await bundle()).toEqual({ exitCode: 0, output: '/data/tillbridge-support.zip', errors: '' });
    });
  });

  it('makes it itself where none runs', async () => {
    seedOpenSale(dataDir, 'A-1');
    const { exitCode, output } = await bundle();
    expect(exitCode).toBe(0);
    expect(path.dirname(output)).toBe(dataDir);
    expect(readFileSync(output).subarray(0, 2).toString()).toBe('PK');
    expect(await bundle()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('EEXIST') });
  });
});
