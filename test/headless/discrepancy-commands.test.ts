/** discrepancies, acknowledge and resolve on data folders, with and without a bridge that has the journal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discrepancyKindSchema, type DiscrepancyView } from '../../src/contract/discrepancy.ts';
import { discrepancyFact } from '../support/memory-payments.ts';
import { openTestJournal, seedOpenSale } from './seed-journal.ts';
import { run } from './test-context.ts';
import { withBridge } from './with-bridge.ts';

const first = '01890000-0000-7000-8000-000000000001';
const second = '01890000-0000-7000-8000-000000000002';

let dataDir: string;
let simulatorDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-data-'));
  simulatorDir = path.join(dataDir, 'simulator');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

type Found = Parameters<typeof discrepancyFact>[1];

function seed(folder: string, id: string, more: Found = {}): void {
  const journal = openTestJournal(folder);
  journal.append(discrepancyFact(id, more));
  journal.close();
}

const list = (...more: string[]) => run(['discrepancies', '--data-dir', dataDir, ...more]);
const acknowledge = (id: string, ...more: string[]) =>
  run(['acknowledge', id, '--by', 'Ada Meier', '--reason', 'paid by hand', '--data-dir', dataDir, ...more]);

describe('tillbridge discrepancies', () => {
  it('says that there is no journal', async () => {
    expect(await list()).toMatchObject({ exitCode: 1, errors: expect.stringContaining(dataDir) });
  });

  it('says that none is open', async () => {
    openTestJournal(dataDir).close();
    expect((await list()).output).toContain('(no bridge is running on it): no discrepancy is open.');
  });

  it('lists what is open in each journal, with what the terminal showed and how to acknowledge it', async () => {
    seed(dataDir, first, { references: ['A-1', 'A-2'] });
    seed(simulatorDir, second);
    const { exitCode, output } = await list();
    expect(exitCode).toBe(0);
    expect(output).toContain(
      `The journal in ${dataDir} (no bridge is running on it): 1 discrepancy is open.`,
    );
    expect(output).toContain('a payment that the bridge did not make, found 2');
    expect(output).toContain('The terminal shows an approved payment of 12.00 EUR');
    expect(output).toContain('payments:  A-1, A-2');
    expect(output).toContain('a payment that was approved, 12.00 EUR, receipt 0007');
    expect(output).toContain('no payment of exactly 12.00 EUR is possible');
    expect(output).toContain(`tillbridge acknowledge ${first} --data-dir ${dataDir} --by NAME --reason TEXT`);
    expect(output).toContain(`The journal of the simulator in ${simulatorDir}`);
    const only = await list('--simulator');
    expect(only.output).toContain(second);
    expect(only.output).not.toContain(first);
  });

  it.each(discrepancyKindSchema.options)('has words for %s', async (kind) => {
    seed(dataDir, first, { kind, record: null, amountMinor: null, currency: null });
    const { output } = await list();
    expect(output).toContain('1 discrepancy is open');
    expect(output).not.toContain('undefined');
    expect(output).not.toContain(kind);
    expect(output.includes('no payments are possible')).toBe(kind === 'journal_loss');
  });

  it('gives the same as JSON', async () => {
    seed(dataDir, first);
    const { output } = await list('--json');
    expect(JSON.parse(output)).toMatchObject({
      journals: [
        {
          folder: dataDir,
          simulated: false,
          bridge: 'stopped',
          discrepancies: [{ discrepancyId: first, kind: 'unexplained_payment', acknowledged: null }],
        },
      ],
    });
  });

  it('asks the bridge while one runs', async () => {
    seed(dataDir, first);
    await withBridge(dataDir, async () => {
      expect((await list()).output).toContain('its bridge is running): 1 discrepancy is open.');
    });
  });

  it.each(['running', 'stopped'])('lists more than one page of them; the bridge is %s', async (bridge) => {
    const journal = openTestJournal(dataDir);
    const ids = Array.from(
      { length: 2_001 },
      (_, number) => `01890000-0000-7000-8000-${number.toString().padStart(12, '0')}`,
    );
    journal.append(...ids.map((id) => discrepancyFact(id)));
    journal.close();
    const last = ids.at(-1) ?? '';
    const listAndAcknowledge = async () => {
      const { output } = await list('--json');
      const { journals } = JSON.parse(output) as { journals: [{ discrepancies: DiscrepancyView[] }] };
      expect(journals[0].discrepancies.map(({ discrepancyId }) => discrepancyId)).toEqual(ids);
      expect(await acknowledge(last)).toMatchObject({ exitCode: 0 });
      expect((await list()).output).toContain('2000 discrepancies are open.');
    };
    await (bridge === 'running' ? withBridge(dataDir, listAndAcknowledge) : listAndAcknowledge());
  });

  it('does not call a damaged journal one without discrepancies', async () => {
    seed(dataDir, first);
    writeFileSync(path.join(dataDir, 'journal.sqlite'), 'no journal any more');
    expect(await list()).toMatchObject({ exitCode: 1, output: '' });
  });
});

describe('tillbridge acknowledge', () => {
  it('closes one by its id, and keeps who and why', async () => {
    seed(dataDir, first);
    seed(dataDir, second);
    expect(await acknowledge(first)).toEqual({
      exitCode: 0,
      errors: '',
      output:
        'The discrepancy (a payment that the bridge did not make) was acknowledged by Ada Meier. ' +
        `It is recorded in the journal in ${dataDir}.`,
    });
    const { output } = await list();
    expect(output).toContain('1 discrepancy is open');
    expect(output).not.toContain(first);
    const journal = openTestJournal(dataDir);
    expect(journal.discrepancy(first)?.acknowledged).toMatchObject({
      by: 'Ada Meier',
      reason: 'paid by hand',
    });
    journal.close();
  });

  it('goes through the bridge while one runs', async () => {
    seed(dataDir, first);
    const asked: unknown[] = [];
    await withBridge(
      dataDir,
      async () => {
        expect(await acknowledge(first)).toMatchObject({ exitCode: 0, errors: '' });
        expect((await list()).output).toContain('no discrepancy is open');
      },
      asked,
    );
    expect(asked).toEqual([{ discrepancyId: first, by: 'Ada Meier', reason: 'paid by hand' }]);
  });

  it('does not write while another program has the journal without a control channel', async () => {
    seed(dataDir, first);
    const held = openTestJournal(dataDir);
    expect(await acknowledge(first)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('Another bridge is using'),
    });
    expect(held.openDiscrepancyCount()).toBe(1);
    held.close();
  });

  it('finds it in the simulator’s journal', async () => {
    openTestJournal(dataDir).close();
    seed(simulatorDir, first);
    expect((await acknowledge(first)).output).toContain('journal of the simulator');
  });

  it('knows nothing of one that is not open', async () => {
    seed(dataDir, first);
    expect(await acknowledge(second)).toMatchObject({
      exitCode: 1,
      errors: `No open discrepancy has the id "${second}" in the journal in ${dataDir}. See "tillbridge discrepancies --data-dir ${dataDir}".`,
    });
    await acknowledge(first);
    expect((await acknowledge(first)).exitCode).toBe(1);
  });

  it('wants a name and a reason that say something', async () => {
    seed(dataDir, first);
    const command = ['acknowledge', first, '--data-dir', dataDir];
    expect((await run([...command, '--by', ' ', '--reason', 'x'])).exitCode).toBe(1);
    expect((await run([...command, '--by', 'x', '--reason', ' '])).exitCode).toBe(1);
    expect((await run([...command, '--by', 'x'])).exitCode).toBe(2);
    expect((await list()).output).toContain('1 discrepancy is open');
  });
});

describe('tillbridge resolve', () => {
  it('says how to decide when the terminal has not been seen idle, as "doubts" does', async () => {
    seedOpenSale(dataDir, 'A-1');
    const listed = await run(['doubts', '--data-dir', dataDir]);
    expect(listed.output).toContain('once the terminal is idle; add --terminal-unreachable');
    const command = ['resolve', 'A-1', '--outcome', 'charged', '--by', 'Ada', '--reason', 'x'];
    const refused = await run([...command, '--data-dir', dataDir]);
    expect(refused.exitCode).toBe(1);
    expect(refused.errors).toContain('has not been idle since');
    expect(refused.errors).toContain('--terminal-unreachable');
    const decided = await run([...command, '--data-dir', dataDir, '--terminal-unreachable']);
    expect(decided).toMatchObject({ exitCode: 0, errors: '' });
    const { output } = await run(['journal', 'export', '--data-dir', dataDir]);
    expect(output).toContain('"terminalUnreachable":true');
  });

  it.each([[[]], [['--terminal-unreachable']]])(
    'tells the bridge whether it was stated that the terminal cannot be reached: %j',
    async (flags) => {
      const operationId = seedOpenSale(dataDir, 'A-1');
      const asked: unknown[] = [];
      const command = ['resolve', 'A-1', '--outcome', 'charged', '--by', 'Ada', '--reason', 'x'];
      await withBridge(
        dataDir,
        () => run([...command, '--data-dir', dataDir, ...flags]).then(() => {}),
        asked,
      );
      expect(asked).toEqual([
        {
          operationId,
          resolution: 'charged',
          by: 'Ada',
          reason: 'x',
          terminalUnreachable: flags.length > 0,
        },
      ]);
    },
  );
});
