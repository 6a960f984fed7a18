/** Where the money of the closed batches is, as the console shows it: what was found last, and what people decide. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxStatementBytes, type FoundMoney } from '../../src/contract/console/index.ts';
import { readRulesFile, type KeptResults } from '../../src/host/reconcile/index.ts';
import { readClosedBatches } from '../../src/host/reconcile/closed-batches.ts';
import { decideMoney } from '../../src/host/reconcile/index.ts';
import { keepResults, readDecisions, readResults } from '../../src/host/reconcile/money-files.ts';
import type { AccountEntry, ReceivableResult } from '../../src/reconcile/index.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { acmeRules } from '../headless/money-kit.ts';
import { oneAcquirer } from '../reconcile/shop-values.ts';
import { startScriptedServer } from '../remote/client/scripted-server.ts';
import { afterThisTest, isReady, readyHost, type HostKit } from './host-kit.ts';

const sample = path.join(import.meta.dirname, '../statements/samples/giro-2024-06-04.xml');
const giro = readFileSync(sample, 'utf8');
const everything = { only: 'all', onTerminal: null } as const;
const rulesFile = (kit: HostKit) => path.join(kit.folder, 'reconcile-rules.json');
const simulatorFolder = (kit: HostKit) => path.join(kit.folder, 'simulator');

/** A host whose simulator has closed this many days. */
async function closedDays(days: number, environment: NodeJS.ProcessEnv = {}): Promise<HostKit<VirtualClock>> {
  const kit = await readyHost({ flags: { pace: '0.02' }, environment });
  for (let day = 1; day <= days; day += 1) {
    const reference = `A-${day}`;
    await kit.till().create('100.00', reference, 10);
    await kit.state((state) => state.lastPayment?.reference === reference, 'the end');
    await isReady(kit);
    await kit.invoke('submitBatch', {});
    await isReady(kit);
  }
  return kit;
}

function entry(id: string, amountMinor: number, change: Partial<AccountEntry> = {}): AccountEntry {
  return {
    id,
    account: 'giro',
    date: '2024-06-04',
    currency: 'EUR',
    amountMinor,
    remark: 'ACME PAY',
    sender: 'Acme AG',
    code: '',
    ...change,
  };
}

function part(batchId: string, change: Partial<ReceivableResult> = {}): ReceivableResult {
  return {
    batchId,
    acquirer: 'Acme',
    schemes: null,
    grossMinor: 10_000,
    feeMinor: 100,
    expectedMinor: 9_900,
    toleranceMinor: 0,
    closedOn: '2024-06-03',
    expectedOn: '2024-06-04',
    dueBy: '2024-06-06',
    state: 'late',
    needsPerson: true,
    pastDue: true,
    match: null,
    reason: null,
    possible: [],
    ruledOut: [],
    ...change,
  };
}

function readBatchIds(kit: HostKit): string[] {
  const closed = readClosedBatches(kit.folder, true, '');
  return closed.ok ? closed.batches.map(({ id }) => id) : [];
}

/** Of the first batch the money has come; of the second one something that may be it. Both are as the simulator closed them. */
function keep(kit: HostKit, change: Partial<KeptResults> = {}): string[] {
  const closed = readClosedBatches(kit.folder, true, '');
  if (!closed.ok) throw new Error(closed.message);
  const batches = closed.batches.toSorted((one, other) => one.closedAt.localeCompare(other.closedAt));
  const [first = '', second = ''] = batches.map(({ id }) => id);
  const entries = [entry('c1', 9_900), entry('c2', 9_000, { date: '2024-06-05' })];
  const arrived = part(first, {
    state: 'arrived',
    needsPerson: false,
    match: {
      batchIds: [first],
      entryIds: ['c1'],
      expectedMinor: 9_900,
      arrivedMinor: 9_900,
      evidence: 'net',
      certainty: 'high',
      arrivedOn: '2024-06-04',
      bankingDaysLate: 0,
      decision: null,
    },
  });
  const open = part(second, { possible: ['c2'], ruledOut: [{ entryId: 'c1', why: 'of-another' }] });
  keepResults(simulatorFolder(kit), {
    at: new Date(kit.clock.now()).toISOString(),
    rulesVersion: 'another',
    batches: [
      { batchId: first, state: 'arrived', needsPerson: false, parts: [arrived] },
      { batchId: second, state: 'late', needsPerson: true, parts: [open] },
    ],
    closed: batches,
    entries,
    unexplained: entries.slice(1),
    ...change,
  });
  return [first, second];
}

async function found(kit: HostKit, request: Parameters<HostKit['invoke']>[1] = everything) {
  const money = await kit.invoke('money', request as typeof everything);
  if (money.kind !== 'found') throw new Error(JSON.stringify(money));
  return money satisfies FoundMoney;
}

/** The service answers in time of the machine's, in which the clock would go from timer to timer. */
async function lookOverTheNetwork(kit: HostKit<VirtualClock>) {
  const goOn = kit.clock.hold();
  const reply = await kit.host.console.invoke('lookForMoney', {});
  goOn();
  return reply;
}

describe('the money of the closed batches', () => {
  it('says how much is missing, once for what paid two batches together', async () => {
    const kit = await closedDays(2);
    const [first = '', second = ''] = keep(kit);
    const match = {
      batchIds: [first, second],
      entryIds: ['c1', 'c2'],
      expectedMinor: 19_800,
      arrivedMinor: 18_900,
      evidence: 'sum' as const,
      certainty: 'high' as const,
      arrivedOn: '2024-06-05',
      bankingDaysLate: 0,
      decision: null,
    };
    keep(kit, {
      batches: [first, second].map((batchId) => ({
        batchId,
        state: 'short',
        needsPerson: true,
        parts: [part(batchId, { state: 'short', match })],
      })),
    });
    expect((await found(kit)).sums).toEqual([
      { state: 'short', currency: 'EUR', count: 2, expectedMinor: 19_800, differenceMinor: -900 },
    ]);
  });

  it('says what has to be done first', async () => {
    const kit = await readyHost();
    expect(await kit.invoke('money', everything)).toEqual({ kind: 'no_rules', file: rulesFile(kit) });
    writeFileSync(rulesFile(kit), JSON.stringify({ ...acmeRules, timeZone: 'Nowhere' }));
    expect(await kit.invoke('money', everything)).toEqual({
      kind: 'wrong_rules',
      ruleErrors: [expect.stringContaining('timeZone')],
    });
    writeFileSync(rulesFile(kit), JSON.stringify(acmeRules));
    expect(await kit.invoke('money', everything)).toEqual({ kind: 'not_looked' });
    writeFileSync(path.join(simulatorFolder(kit), 'reconcile-results.json'), '{', { mode: 0o600 });
    expect(await kit.invoke('money', everything)).toMatchObject({ kind: 'unreadable' });
  });

  it('is what was found last, and says by which rules', async () => {
    const kit = await closedDays(2);
    const [first, second] = keep(kit);
    const money = await found(kit);
    expect(
      money.rows.map(({ batch, part: { state }, arrivedMinor }) => [batch.id, state, arrivedMinor]),
    ).toEqual([
      [second, 'late', null],
      [first, 'arrived', 9_900],
    ]);
    expect(money).toMatchObject({
      rules: 'missing',
      rowCount: 2,
      needsPerson: 1,
      terminals: ['main'],
      acquirers: ['Acme'],
      sums: [
        { state: 'arrived', currency: 'EUR', count: 1, expectedMinor: 9_900, differenceMinor: 0 },
        { state: 'late', currency: 'EUR', count: 1, expectedMinor: 9_900, differenceMinor: 0 },
      ],
      days: [
        { day: '2024-06-04', currency: 'EUR', arrivedMinor: 9_900, unexplainedMinor: 0 },
        { day: '2024-06-05', currency: 'EUR', arrivedMinor: 0, unexplainedMinor: 9_000 },
      ],
      unexplained: [{ id: 'c2', possibleFor: [{ id: second }], decidedSince: false }],
    });
    expect((await found(kit, { only: 'needs_person', onTerminal: null })).rows).toHaveLength(1);
    expect((await found(kit, { only: 'open', onTerminal: 'bar' })).rows).toEqual([]);

    writeFileSync(rulesFile(kit), JSON.stringify(acmeRules));
    expect((await found(kit)).rules).toBe('changed');
    const read = readRulesFile(rulesFile(kit));
    keep(kit, { rulesVersion: read.ok ? read.version : '' });
    expect((await found(kit)).rules).toBe('same');
    writeFileSync(rulesFile(kit), '{}');
    const wrong = await found(kit);
    expect([wrong.rules, wrong.ruleErrors.length > 0]).toEqual(['wrong', true]);
  });

  it('tells the window when it was looked for again, and stops looking with the host', async () => {
    const kit = await closedDays(2);
    keep(kit);
    await found(kit);
    const told = () => kit.changes.filter(({ kind }) => kind === 'money').length;
    await kit.clock.advance(60_000);
    expect(told()).toBe(0);
    const [, second] = keep(kit, { unexplained: [] });
    await kit.change(({ kind }) => kind === 'money', 'the change');
    await kit.state(({ overdueBatches }) => overdueBatches?.[0] === second, 'what is overdue');
    expect((await found(kit)).unexplained).toEqual([]);
    rmSync(path.join(simulatorFolder(kit), 'reconcile-results.json'));
    await kit.clock.advance(10_000);
    expect(told()).toBe(2);
  });

  it('has of one batch its evidence, its entries, what is free, and what people have said', async () => {
    const kit = await closedDays(2);
    const [first = '', second = ''] = keep(kit);
    expect(await kit.invoke('moneyOfBatch', { batchId: second })).toMatchObject({
      batch: { id: second, terminal: 'main' },
      parts: [{ possible: ['c2'], ruledOut: [{ entryId: 'c1', why: 'of-another' }], arrivedMinor: null }],
      entries: [{ id: 'c1' }, { id: 'c2' }],
      unexplained: ['c2'],
      companions: [],
      decisions: [],
    });
    expect(await kit.invoke('moneyOfBatch', { batchId: first })).toMatchObject({
      parts: [{ match: { entryIds: ['c1'], certainty: 'high' }, arrivedMinor: 9_900 }],
    });
    expect(await kit.refusal('moneyOfBatch', { batchId: 'nothing' })).toMatchObject({ code: 'not_found' });
  });

  it('is decided by a person with a name and a reason, for what was found and nothing else', async () => {
    const kit = await closedDays(2);
    const [first = '', second = ''] = keep(kit);
    const said = {
      kind: 'match' as const,
      batchIds: [second],
      acquirer: 'Acme',
      entryIds: ['c2'],
      by: ' Ada Meier ',
      reason: 'Acme kept a chargeback on 4111 1111 1111 1111',
    };
    expect(await kit.refusal('decideMoney', { ...said, by: ' ' })).toMatchObject({ code: 'invalid_request' });
    expect(await kit.refusal('decideMoney', { ...said, entryIds: ['c9'] })).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('no entry with the id "c9"'),
    });
    expect(await kit.refusal('decideMoney', { ...said, acquirer: 'Other' })).toMatchObject({
      code: 'invalid_request',
    });
    await kit.clock.advance(1_000);
    await kit.invoke('decideMoney', said);
    const file = path.join(simulatorFolder(kit), 'reconcile-decisions.jsonl');
    const kept = readFileSync(file, 'utf8').trim().split('\n');
    expect(kept.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        ...said,
        by: 'Ada Meier',
        reason: expect.stringMatching(/^Acme kept a chargeback on [\d* ]*\*[\d* ]*$/),
        at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await kit.invoke('moneyOfBatch', { batchId: second })).decisions).toMatchObject([
      { by: 'Ada Meier', kind: 'match' },
    ]);
    expect((await found(kit)).rows.map(({ batch, decidedSince }) => [batch.id, decidedSince])).toEqual([
      [second, true],
      [first, false],
    ]);
    const isEntryDecided = async () => (await found(kit)).unexplained.map((entry) => entry.decidedSince);
    expect(await isEntryDecided()).toEqual([true]);
    await kit.invoke('decideMoney', { ...said, kind: 'unmatch' });
    expect(await isEntryDecided()).toEqual([false]);
    // What cannot be read is not overruled in silence.
    writeFileSync(file, 'nothing\n', { mode: 0o600 });
    expect(await kit.invoke('money', everything)).toMatchObject({
      kind: 'unreadable',
      message: expect.stringContaining('line 1 is no decision'),
    });
    // Nor is anything added to it: it would be as lost.
    expect(await kit.refusal('decideMoney', said)).toMatchObject({
      message: expect.stringContaining('line 1 is no decision'),
    });
    expect(readFileSync(file, 'utf8')).toBe('nothing\n');
  });

  it('counts the later word of a person though the clock was set back meanwhile', async () => {
    const kit = await closedDays(1);
    const place = { dataDir: kit.folder, simulated: true };
    keep(kit);
    const kept = readResults(simulatorFolder(kit));
    const last = kept.ok ? kept.value : null;
    const said = { batchIds: readBatchIds(kit), acquirer: 'Acme', entryIds: ['c1'], by: 'Ada', reason: 'r' };
    const at = (hours: number) => ({ ...kit.clock, now: () => hours * 3_600_000 });
    expect(decideMoney({ ...place, clock: at(10) }, { ...said, kind: 'match' }, last)).toEqual({ ok: true });
    expect(decideMoney({ ...place, clock: at(9) }, { ...said, kind: 'unmatch' }, last)).toEqual({ ok: true });
    const decisions = readDecisions(simulatorFolder(kit));
    expect(
      decisions.ok && decisions.value.map((decision) => [decision.kind, Date.parse(decision.at)]),
    ).toEqual([
      ['match', 36_000_000],
      ['unmatch', 36_000_001],
    ]);
  });

  it('is looked for at once when somebody asks, as far back as before', async () => {
    const server = await startScriptedServer(() => ({ body: [] }));
    afterThisTest(() => server.close());
    const environment = { TILLBRIDGE_REMOTE_TOKEN: 'the-token', TILLBRIDGE_REMOTE_URL: server.baseUrl };
    const kit = await closedDays(1, environment);
    writeFileSync(rulesFile(kit), JSON.stringify(acmeRules));
    expect(await lookOverTheNetwork(kit)).toEqual({ ok: true, value: { notes: [] } });
    const money = await found(kit);
    expect(money).toMatchObject({ rules: 'same', rowCount: 1, rows: [{ part: { state: 'waiting' } }] });
    expect(new Set(server.heard.map(({ method }) => method))).toEqual(new Set(['GET']));
    // The window is told without a wait.
    const told = () => kit.changes.filter(({ kind }) => kind === 'money').length;
    expect(told()).toBe(0);
    await lookOverTheNetwork(kit);
    await kit.change(({ kind }) => kind === 'money', 'the change');
  });

  it('is looked for in the statements that somebody hands in', async () => {
    const kit = await closedDays(1);
    const hand = (name: string, text: string | Uint8Array) =>
      kit.host.console.invoke('keepStatement', { name, content: Buffer.from(text).toString('base64') });
    const refusal = (message: unknown) => ({ ok: false, refusal: { code: 'statement_not_kept', message } });
    expect(await hand('june.xml', giro)).toEqual(refusal(expect.stringContaining('reconcile-rules.json')));

    const payTo = (account: string) =>
      writeFileSync(
        rulesFile(kit),
        JSON.stringify({ ...acmeRules, acquirers: [{ ...oneAcquirer, account }] }),
      );
    payTo('DE02 1203');
    const stranger =
      'june.xml belongs to the account DE02120300000000202051. In the rules no acquirer pays to it.';
    expect(await hand('june.xml', giro)).toEqual(refusal(stranger));
    payTo('DE02 1203 0000 0000 2020 51');
    expect(await hand('june.pdf', '%PDF')).toEqual(
      refusal('june.pdf cannot be used: it is no XML (line 1).'),
    );
    const large = Buffer.alloc(maxStatementBytes + 1, ' ');
    expect(await hand('june.xml', large)).toEqual(refusal('june.xml is larger than 8 MiB.'));
    const folder = path.join(simulatorFolder(kit), 'statements');
    expect(existsSync(folder)).toBe(false);

    const kept = (name: string, isNew: boolean) => ({ ok: true, value: { name, isNew } });
    expect(await hand('../Auszug Nr. 7.XML', giro)).toEqual(kept('Auszug-Nr-7.xml', true));
    expect(await hand('another-name.xml', giro)).toEqual(kept('Auszug-Nr-7.xml', false));
    // Another one of the same name, and one that contradicts what is there.
    const next = `${giro}<!-- told once more -->`;
    expect(await hand('auszug-Nr-7.xml', next)).toEqual(kept('auszug-Nr-7-2.xml', true));
    const other = giro.replaceAll('>99.00<', '>98.00<').replace('>1049.50<', '>1048.50<');
    expect(await hand('other.xml', other)).toEqual(
      refusal(
        expect.stringMatching(
          /^other\.xml was not kept beside the statements in \/.*: other\.xml \(new\) and .* contradict each other on 2024-06-04/,
        ),
      ),
    );
    expect(readdirSync(folder).toSorted()).toEqual(['Auszug-Nr-7.xml', 'auszug-Nr-7-2.xml']);
    expect(readFileSync(path.join(folder, 'Auszug-Nr-7.xml'), 'utf8')).toBe(giro);
    expect(await lookOverTheNetwork(kit)).toMatchObject({ ok: true });
    expect(await found(kit)).toMatchObject({ rules: 'same', unexplained: [{ amountMinor: 9_900 }] });

    // Two at the same time that contradict each other are not both kept, nor does a look from before tell what was kept since.
    rmSync(folder, { recursive: true });
    const looks = [lookOverTheNetwork(kit)];
    const both = await Promise.all([hand('one.xml', giro), hand('two.xml', other)]);
    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
    looks.push(lookOverTheNetwork(kit));
    await Promise.all(looks);
    expect((await found(kit)).unexplained).toHaveLength(1);
  });

  it('is not looked for without an account to look at, and says what to do', async () => {
    const kit = await closedDays(1);
    expect(await kit.refusal('lookForMoney', {})).toMatchObject({ code: 'money_not_looked_for' });
    writeFileSync(rulesFile(kit), JSON.stringify(acmeRules));
    expect(await kit.refusal('lookForMoney', {})).toMatchObject({
      code: 'money_not_looked_for',
      message: expect.stringContaining('TILLBRIDGE_REMOTE_TOKEN'),
    });
    expect(await kit.invoke('money', everything)).toEqual({ kind: 'not_looked' });
  });

  it('is a table, the same as that of the command line', async () => {
    const kit = await closedDays(2);
    await expect(kit.host.console.makeFile({ kind: 'money' })).rejects.toThrow('Nobody has looked');
    const [first, second] = keep(kit);
    const { name, content } = await kit.host.console.makeFile({ kind: 'money' });
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    const lines = Buffer.concat(pieces).toString().trimEnd().split('\r\n');
    expect(name).toMatch(/^tillbridge-money-.*\.csv$/);
    expect(lines[0]).toMatch(/^"closed","terminal","batch","acquirer"/);
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual([`"${first}"`, `"${second}"`]);
  });
});
