/** `--for`: each command reads and decides on the journal of the terminal that is named, and of no other. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/shell-word.ts';
import { tamper } from '../bridge/journal/folder.ts';
import { discrepancyFact } from '../support/memory-payments.ts';
import { openTestJournal, seedOpenSale } from './seed-journal.ts';
import { run } from './test-context.ts';
import { withBridge } from './with-bridge.ts';

const ofMain = '01890000-0000-7000-8000-000000000001';
const ofBar = '01890000-0000-7000-8000-000000000002';
const word = ['--by', 'Ada Meier', '--reason', 'on the day list'];

let dataDir: string;
let bar: string;
let sales: { main: string; bar: string };

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-data-'));
  bar = path.join(dataDir, 'terminals', 'bar');
  sales = { main: seedOpenSale(dataDir, 'M-1'), bar: seedOpenSale(bar, 'B-1') };
  append(dataDir, ofMain);
  append(bar, ofBar);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function append(folder: string, discrepancyId: string): void {
  const journal = openTestJournal(folder);
  journal.append(discrepancyFact(discrepancyId));
  journal.close();
}

/** What the journal in this folder has of its sale and its discrepancy. */
function stateOf(folder: string, reference: string, discrepancyId: string) {
  const journal = openTestJournal(folder);
  const state = [
    journal.paymentByReference(reference)?.status,
    journal.discrepancy(discrepancyId)?.acknowledged?.by ?? null,
  ];
  journal.close();
  return state;
}

const tell = (command: string[], terminal = 'bar') =>
  run([...command, '--for', terminal, '--data-dir', dataDir]);

describe.each(['stopped', 'running'])('with a bridge that is %s', (bridge) => {
  const act = (what: () => Promise<void>) => (bridge === 'running' ? withBridge(bar, what) : what());

  it.each([
    ['doubts', ['doubts'], 'B-1', 'M-1'],
    ['discrepancies', ['discrepancies'], ofBar, ofMain],
    ['journal export', ['journal', 'export'], 'B-1', 'M-1'],
  ])('%s shows that of the terminal alone', async (_name, command, shown, hidden) => {
    await act(async () => {
      const { exitCode, output } = await tell(command);
      expect(exitCode).toBe(0);
      expect(output).toContain(shown);
      expect(output).not.toContain(hidden);
    });
  });

  it('journal verify reads its journal alone', async () => {
    await act(async () => {
      const { exitCode, output } = await tell(['journal', 'verify']);
      expect(exitCode).toBe(0);
      expect(output.split('\n')).toEqual([expect.stringContaining(bar)]);
    });
  });

  it('resolve and acknowledge write to its journal alone', async () => {
    await act(async () => {
      const outcome = ['--outcome', 'charged', '--terminal-unreachable'];
      expect(await tell(['resolve', sales.bar, ...outcome, ...word])).toMatchObject({ exitCode: 0 });
      expect(await tell(['acknowledge', ofBar, ...word])).toMatchObject({ exitCode: 0 });
      // What belongs to another terminal is not found there.
      expect(await tell(['resolve', sales.main, ...outcome, ...word])).toMatchObject({ exitCode: 1 });
      expect(await tell(['acknowledge', ofMain, ...word])).toMatchObject({ exitCode: 1 });
    });
    expect(stateOf(bar, 'B-1', ofBar)).toEqual(['approved', 'Ada Meier']);
    expect(stateOf(dataDir, 'M-1', ofMain)).toEqual(['in_progress', null]);
  });
});

it.each(['doubts', 'discrepancies', 'journal export', 'journal verify'])(
  '%s says that there is no such terminal',
  async (command) => {
    expect(await tell(command.split(' '), 'cellar')).toMatchObject({ exitCode: 1, output: '' });
  },
);

it('a journal that turns out to be damaged hides no other one', async () => {
  const journal = openTestJournal(dataDir);
  // More events than are looked at when it is opened.
  journal.append(
    ...Array.from({ length: 300 }, () => ({ type: 'journal_opened', version: '0.0.0' }) as const),
  );
  journal.close();
  tamper(dataDir, `UPDATE events SET body = '{' WHERE body LIKE '%${ofMain}%'`);
  const listed = await run(['discrepancies', '--data-dir', dataDir]);
  expect(listed.exitCode).toBe(1);
  expect(listed.errors).toContain(`The journal in ${dataDir} is damaged`);
  expect(listed.output).toContain(ofBar);
  // Its doubts can be read, and there may be more to know.
  const doubts = await run(['doubts', '--data-dir', dataDir]);
  expect(doubts.output).toContain('M-1');
  expect(doubts.output).toContain(`The journal in ${dataDir} is damaged`);
  const acknowledged = await run(['acknowledge', ofBar, ...word, '--data-dir', dataDir]);
  expect(acknowledged).toMatchObject({ exitCode: 0 });
});

it('journal repair says which journals it did not look at', async () => {
  const simulator = path.join(dataDir, 'simulator');
  seedOpenSale(simulator, 'S-1');
  const notLookedAt = (whose: string, folder: string, flags: string) =>
    `Not looked at: the journal ${whose}in ${folder}. "tillbridge journal repair --data-dir ${shellWord(dataDir)} ${flags}--by NAME --reason TEXT" is for that one.`;
  const ofMain = notLookedAt('', dataDir, '');
  const ofBar = notLookedAt('of "bar" ', bar, '--for bar ');
  const ofSimulator = notLookedAt('of the simulator ', simulator, '--simulator ');
  const repair = (...flags: string[]) => run(['journal', 'repair', ...word, '--data-dir', dataDir, ...flags]);
  expect(await repair()).toMatchObject({ exitCode: 0, errors: `${ofBar}\n${ofSimulator}` });
  expect(await repair('--for', 'bar')).toMatchObject({ exitCode: 0, errors: `${ofMain}\n${ofSimulator}` });
  expect(await repair('--simulator')).toMatchObject({ exitCode: 0, errors: `${ofMain}\n${ofBar}` });
  tamper(dataDir, 'PRAGMA user_version = 99');
  const { exitCode, errors } = await repair();
  expect(exitCode).toBe(1);
  expect(errors).toContain('was written by a newer Tillbridge');
  expect(errors).toContain(`${ofBar}\n${ofSimulator}`);
});

it('doubts and the others say which terminals there are where one is named that is none', async () => {
  const { exitCode, errors } = await run(['doubts', '--for', 'foo', '--data-dir', dataDir]);
  expect({ exitCode, errors }).toEqual({
    exitCode: 1,
    errors: `There is no terminal "foo" in ${dataDir}. There are: main, bar.`,
  });
});

it('journal verify says that it cannot check a newer one, and does not call it damaged', async () => {
  tamper(dataDir, 'PRAGMA user_version = 99');
  const verified = await run(['journal', 'verify', '--data-dir', dataDir]);
  expect(verified).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('the journal of "bar"'),
    errors: `This version cannot check the journal in ${dataDir}. The journal in ${dataDir} was written by a newer Tillbridge (format 99). Use that version.`,
  });
});

it('journal verify and repair know a journal of which only the mark is left, set aside by the bridge', async () => {
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(path.join(dataDir, `journal.sqlite${suffix}`), { force: true });
  expect(() => openTestJournal(dataDir)).toThrow('The journal file is missing');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('journal-damaged-'))).toEqual([
    expect.stringMatching(/-mark$/),
  ]);
  expect(await run(['journal', 'verify', '--data-dir', dataDir])).toMatchObject({ exitCode: 1 });
  const repaired = await run(['journal', 'repair', ...word, '--data-dir', dataDir]);
  expect(repaired).toMatchObject({ exitCode: 0, output: expect.stringContaining(dataDir) as string });
  expect(repaired.output).not.toContain(bar);
  expect((await run(['journal', 'verify', '--data-dir', dataDir])).exitCode).toBe(0);
  expect(stateOf(bar, 'B-1', ofBar)).toEqual(['in_progress', null]);
});
