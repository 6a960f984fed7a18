/** tillbridge reconcile, match and unmatch, on journals of two terminals and a service that answers what it is told to. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readResults } from '../../src/host/reconcile/money-files.ts';
import { startScriptedServer, type Heard, type ScriptedServer } from '../remote/client/scripted-server.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { acmeRules, closeBatch, transaction } from './money-kit.ts';
import { createOutput, type CliContext } from '../../src/headless/cli-context.ts';
import { run } from './test-context.ts';

const main = '01890000-0000-7000-8000-000000000001';
const bar = '01890000-0000-7000-8000-000000000002';
/** The journals are written on 3 June 2024, a Monday; so many days later the money is looked for. */
const daysLater = 10;

let dataDir: string;
let server: ScriptedServer | null = null;
let posted: Record<string, unknown>[];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-money-'));
  posted = [];
  writeRules(acmeRules);
  closeBatch(dataDir, main, '7', 10_000);
  closeBatch(path.join(dataDir, 'terminals', 'bar'), bar, '12', 20_000);
});
afterEach(async () => {
  await server?.close();
  server = null;
  rmSync(dataDir, { recursive: true, force: true });
});

function writeRules(content: unknown): void {
  writeFileSync(path.join(dataDir, 'reconcile-rules.json'), JSON.stringify(content));
}

const tillbridge = (...commandLine: string[]) => tillbridgeWith({}, ...commandLine);

async function tillbridgeWith(changes: Partial<CliContext>, ...commandLine: string[]) {
  await server?.close();
  server = await startScriptedServer(({ path: asked }) => ({ body: asked.includes('token=') ? [] : posted }));
  const clock = createVirtualClock();
  const result = await run(['reconcile', ...commandLine, '--data-dir', dataDir], {
    ...changes,
    environment: { TILLBRIDGE_REMOTE_TOKEN: 'the-token', TILLBRIDGE_REMOTE_URL: server.baseUrl },
    clock: { ...clock, now: () => clock.now() + daysLater * 86_400_000 },
  });
  return { ...result, heard: server.heard };
}

/** As it goes out of the program. */
async function printed(...commandLine: string[]): Promise<string> {
  const written: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  await tillbridgeWith(createOutput(sink, sink), ...commandLine);
  return written.join('');
}

describe('tillbridge reconcile', () => {
  it('says of each batch of each terminal where its money is, and only reads from the service', async () => {
    posted = [
      transaction('c1', '2024-06-04T09:00:00Z', '99.00', 'ACME PAY BATCH 7'),
      transaction('c2', '2024-06-05T09:00:00Z', '198.00', 'ACME PAY BATCH 12'),
    ];
    const { exitCode, output, heard } = await tillbridge();
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toMatch(
      /2024-06-03 +main +7 +Acme +EUR +99\.00 +99\.00 +2024-06-04 .*arrived +by its number/,
    );
    expect(output).toMatch(/bar +12 +Acme +EUR +198\.00 +198\.00 .*arrived +by its number/);
    expect(new Set(heard.map(({ method }: Heard) => method))).toEqual(new Set(['GET']));
  });

  it('masks no amount, although beside a date it may look like a card number', async () => {
    const numbers = Array.from({ length: 30 }, (_, at) => at + 20);
    for (const number of numbers)
      closeBatch(
        dataDir,
        `01890000-0000-7000-8000-0000000000${number}`,
        String(number),
        100_000 + number * 1_100,
      );
    posted = numbers.map((number) =>
      transaction(
        `c${number}`,
        '2024-06-04T09:00:00Z',
        (990 + number * 10.89).toFixed(2),
        `ACME PAY BATCH ${number}`,
      ),
    );
    posted.push(transaction('c9', '2024-06-04T09:00:00Z', '11.00', 'ACME PAY 4111 1111 1111 1111'));
    const output = await printed();
    expect(output.match(/arrived +by its number/g)).toHaveLength(30);
    expect(output.replace(/ACME PAY .*/, '')).not.toContain('*');
    expect(output).not.toContain('4111 1111 1111 1111');
  });

  it('ends with 1 while something is late, and keeps what was found with the version of the rules', async () => {
    posted = [transaction('c1', '2024-06-04T09:00:00Z', '99.00', 'ACME PAY BATCH 7')];
    const { exitCode, output } = await tillbridge();
    expect(exitCode).toBe(1);
    expect(output).toMatch(/bar +12 .*LATE/);
    // With the flags that were given, or the decision would be kept elsewhere.
    const place = `--data-dir ${dataDir}`;
    expect(output).toContain(`tillbridge reconcile match ${bar} --entry ID --by NAME --reason TEXT ${place}`);
    const kept = JSON.parse(readFileSync(path.join(dataDir, 'reconcile-results.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(kept).toMatchObject({
      rulesVersion: expect.stringMatching(/^[0-9a-f]{12}$/),
      batches: [
        { batchId: bar, state: 'late' },
        { batchId: main, state: 'arrived' },
      ],
    });
  });

  it('keeps with it the batches and the entries that it speaks of, and no card number', async () => {
    posted = [
      transaction(
        '4111111111111111',
        '2024-06-04T09:00:00Z',
        '99.00',
        'ACME PAY BATCH 7 4111 1111 1111 1111',
      ),
      transaction('c2', '2024-06-05T09:00:00Z', '11.00', 'RENT'),
    ];
    await tillbridge();
    const kept = readResults(dataDir);
    if (!kept.ok || kept.value === null) throw new Error(JSON.stringify(kept));
    expect(kept.value.closed.map(({ id, terminal, number }) => [id, terminal, number])).toEqual([
      [main, 'main', '7'],
      [bar, 'bar', '12'],
    ]);
    // Decisions name it by its id.
    expect(kept.value.entries.map(({ id, amountMinor }) => [id, amountMinor])).toEqual([
      ['4111111111111111', 9_900],
    ]);
    expect(kept.value.entries[0]?.remark).toMatch(/^ACME PAY BATCH 7 .*\*/);
    const file = path.join(dataDir, 'reconcile-results.json');
    writeFileSync(file, JSON.stringify({ ...kept.value, batches: [{}] }), { mode: 0o600 });
    expect(readResults(dataDir)).toMatchObject({ ok: false, message: expect.stringContaining('look again') });
    rmSync(file);
    expect(readResults(dataDir)).toEqual({ ok: true, value: null });
  });

  it('leaves out what is not posted, and what is another account’s', async () => {
    posted = [
      transaction('c1', '2024-06-04T09:00:00Z', '99.00', 'ACME PAY BATCH 7', { pending: true }),
      transaction('c2', '2024-06-04T09:00:00Z', '198.00', 'ACME PAY BATCH 12', { account_id: 'savings' }),
      // Without any entry of it nobody knew that there is such an account.
      transaction('c3', '2024-06-04T09:00:00Z', '11.00', 'RENT'),
    ];
    const { output } = await tillbridge('--json');
    const { batches } = JSON.parse(output) as { batches: { state: string }[] };
    expect(batches.map(({ state }) => state)).toEqual(['late', 'late']);
  });

  it('says nothing where an amount cannot be read', async () => {
    posted = [transaction('c1', '2024-06-04T09:00:00Z', 'many', 'ACME PAY BATCH 7')];
    expect(await tillbridge()).toMatchObject({
      exitCode: 1,
      output: '',
      errors: 'Transaction c1 has an amount that cannot be read.',
    });
  });

  it('gives a table for a spreadsheet', async () => {
    posted = [transaction('c1', '2024-06-04T09:00:00Z', '90.00', 'ACME PAY BATCH 7')];
    const table = await printed('--csv');
    expect(table).toMatch(/^("[^"]*",?)+\r\n/);
    const [head = '', , first = '', ...end] = table.split('\r\n');
    expect(end).toEqual(['']);
    const names = head.split(',').map((cell) => cell.slice(1, -1));
    const cells = first.split(',').map((cell) => cell.slice(1, -1));
    expect(Object.fromEntries(names.map((name, at) => [name, cells[at]]))).toMatchObject({
      terminal: 'main',
      state: 'short',
      expected: '99.00',
      arrived: '90.00',
      difference: '-9.00',
      evidence: 'number',
      entries: 'c1',
    });
  });

  it('names what is wrong in the rules', async () => {
    writeRules({
      ...acmeRules,
      acquirers: [{ ...acmeRules.acquirers[0], delay: { usual: 3, latest: 1 }, fee: { percent: '1,5' } }],
    });
    const { exitCode, errors } = await tillbridge();
    expect(exitCode).toBe(2);
    expect(errors).toContain(
      'reconcile-rules.json: acquirers[0].delay: "usual" must not be more than "latest"',
    );
    expect(errors).toContain(
      'acquirers[0].fee.percent: must be per cent with at most four decimals, such as "0.95"',
    );
  });

  it('demands a number of days', async () => {
    expect(await tillbridge('--days', '0')).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('--days'),
    });
  });
});

describe('a person', () => {
  const decide = (kind: string, batch: string, ...more: string[]) =>
    tillbridge(kind, batch, '--entry', 'c9', '--by', 'Ada Meier', '--reason', 'asked Acme', ...more);
  const states = async () => {
    const { output } = await tillbridge('--json');
    return (JSON.parse(output) as { batches: { state: string }[] }).batches.map(({ state }) => state);
  };

  it('matches and unmatches, by name and reason', async () => {
    posted = [transaction('c9', '2024-06-06T09:00:00Z', '198.00', 'SOMETHING NEW')];
    expect(await states()).toEqual(['unclear', 'late']);
    expect(await decide('match', bar)).toMatchObject({ exitCode: 0 });
    expect(await states()).toEqual(['arrived', 'late']);
    expect((await tillbridge()).output).toContain('Ada Meier: asked Acme');
    expect(await decide('unmatch', bar)).toMatchObject({ exitCode: 0 });
    expect(await states()).toEqual(['late', 'late']);
  });

  it('is told of an entry that there is not, and can take back what names one', async () => {
    posted = [transaction('c1', '2024-06-04T09:00:00Z', '90.00', 'ACME PAY BATCH 7')];
    // What came is named where it is not what should have come.
    expect((await tillbridge()).output).toContain('short. What came: c1.');
    expect(await decide('match', bar)).toMatchObject({
      exitCode: 1,
      output: '',
      errors:
        'There is no entry with the id "c9" among those that were found last. "tillbridge reconcile --json" looks again and names them.',
    });
    expect(await states()).toEqual(['late', 'short']);

    // As an older version kept it.
    const kept = { kind: 'match', batchIds: [bar], acquirer: 'Acme', entryIds: ['c9'] };
    const said = { ...kept, by: 'Ada Meier', reason: 'a slip', at: '2024-06-12T09:00:00.000Z' };
    writeFileSync(path.join(dataDir, 'reconcile-decisions.jsonl'), `${JSON.stringify(said)}\n`, {
      mode: 0o600,
    });
    expect(await states()).toEqual(['unclear', 'short']);
    expect(await decide('unmatch', bar)).toMatchObject({ exitCode: 0 });
    expect(await states()).toEqual(['late', 'short']);
  });

  it('is told of a batch that there is not', async () => {
    expect(await decide('match', 'nothing')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('There is no closed batch with the id "nothing"'),
    });
  });

  it('whose decision cannot be read any more is not overruled in silence', async () => {
    writeFileSync(path.join(dataDir, 'reconcile-decisions.jsonl'), '{"kind":"match"\n', { mode: 0o600 });
    expect(await tillbridge()).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('line 1 is no decision'),
    });
  });
});
