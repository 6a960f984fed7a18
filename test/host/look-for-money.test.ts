/** One look for the money, with entries from a source of the test, and from a service. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countBatchesWithoutMoney, lookForMoney, serviceEntries } from '../../src/host/reconcile/index.ts';
import { keepDecision } from '../../src/host/reconcile/money-files.ts';
import type { EntriesReading, EntryRequest } from '../../src/host/reconcile/entry-source.ts';
import { acmeRules, closeBatch, transaction } from '../headless/money-kit.ts';
import { sandboxHeader } from '../../src/remote/catalogue/index.ts';
import { startScriptedServer, type Reply, type ScriptedServer } from '../remote/client/scripted-server.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const batch = '01890000-0000-7000-8000-000000000001';
/** The batch was closed on 3 June 2024, a Monday. */
const clock = { ...createVirtualClock(), now: () => Date.parse('2024-06-13T10:00:00Z') };
const credit = {
  id: 'c1',
  account: 'giro',
  date: '2024-06-04',
  currency: 'EUR',
  amountMinor: 9_900,
  remark: 'ACME PAY BATCH 7',
  sender: 'Acme AG',
  code: '',
} as const;

let dataDir: string;
let server: ScriptedServer | null = null;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-look-'));
  writeFileSync(path.join(dataDir, 'reconcile-rules.json'), JSON.stringify(acmeRules));
  closeBatch(dataDir, batch, '7', 10_000);
});
afterEach(async () => {
  await server?.close();
  server = null;
  rmSync(dataDir, { recursive: true, force: true });
});

const resultsFile = () => path.join(dataDir, 'reconcile-results.json');

function look(entries: (request: EntryRequest) => EntriesReading) {
  return lookForMoney({
    dataDir,
    simulated: false,
    days: 30,
    clock,
    service: { ok: true, value: async (request) => entries(request) },
  });
}

async function lookAtService(script: (asked: string) => Reply) {
  server = await startScriptedServer(({ path: asked }) => script(asked));
  const access = { baseUrl: server.baseUrl, auth: { bearer: 'the-token' } };
  return lookForMoney({
    dataDir,
    simulated: false,
    days: 30,
    clock,
    service: { ok: true, value: serviceEntries(access, clock) },
  });
}

describe('a look for the money', () => {
  it('asks for the accounts of the rules, and keeps what was found', async () => {
    let asked: EntryRequest | null = null;
    const outcome = await look((request) => {
      asked = request;
      return { ok: true, entries: [credit], known: [] };
    });
    expect(asked).toMatchObject({
      accounts: ['giro'],
      sinceMs: clock.now() - 150 * 86_400_000,
      untilDay: Date.parse('2024-06-13') / 86_400_000,
      timeZone: 'Europe/Berlin',
    });
    expect(outcome).toMatchObject({ ok: true, results: { batches: [{ batchId: batch, state: 'arrived' }] } });
    expect(JSON.parse(readFileSync(resultsFile(), 'utf8'))).toMatchObject({
      at: '2024-06-13T10:00:00.000Z',
      batches: [{ batchId: batch, state: 'arrived' }],
    });
  });

  it('says nothing, and keeps what was found before, when entries cannot be read', async () => {
    await look(() => ({ ok: true, entries: [credit], known: [] }));
    const before = readFileSync(resultsFile(), 'utf8');
    expect(await look(() => ({ ok: false, message: 'No.' }))).toEqual({
      ok: false,
      kind: 'failed',
      messages: ['No.'],
    });
    expect(readFileSync(resultsFile(), 'utf8')).toBe(before);
  });

  it('tells how it was on another day, and keeps nothing of that', async () => {
    const asOf = (day: string, simulated = false) =>
      lookForMoney({
        dataDir,
        simulated,
        days: 30,
        clock,
        asOf: day,
        service: {
          ok: true,
          value: async () => ({
            ok: true,
            entries: [credit],
            known: [{ account: 'giro', from: '2024-05-01', until: '2024-06-13' }],
          }),
        },
      });
    const stateOn = async (day: string) => {
      const outcome = await asOf(day);
      return outcome.ok ? outcome.results.batches.map(({ state }) => state) : outcome.messages;
    };
    expect(await stateOn('2024-06-02')).toEqual([]);
    expect(await stateOn('2024-06-03')).toEqual(['waiting']);
    expect(await stateOn('2024-06-04')).toEqual(['arrived']);
    expect(existsSync(resultsFile())).toBe(false);
  });

  it('does not call the day known of which it asked for a part only', async () => {
    const outcome = await lookAtService((asked) => ({
      body: asked.includes('token=') ? [] : [transaction('c1', '2024-06-04T09:00:00Z', '99.00', 'ACME PAY')],
    }));
    expect(outcome).toMatchObject({ ok: true });
    if (server === null) throw new Error('no server');
    const since = new URL(
      server.heard.find(({ path: asked }) => asked.includes('since_time'))?.path ?? '',
      server.baseUrl,
    );
    expect(since.searchParams.get('since_time')).toBe('2024-01-15T10:00:00.000Z');
    const access = { baseUrl: server.baseUrl, auth: { bearer: 'the-token' } };
    const read = await serviceEntries(
      access,
      clock,
    )({
      accounts: ['giro'],
      sinceMs: Date.parse('2024-01-15T10:00:00Z'),
      untilDay: Date.parse('2024-06-13') / 86_400_000,
      timeZone: 'Europe/Berlin',
    });
    expect(read).toMatchObject({ known: [{ account: 'giro', from: '2024-01-16', until: '2024-06-13' }] });
  });

  it('does not take an account that the service does not have for one without entries', async () => {
    const outcome = await lookAtService((asked) => {
      if (asked.endsWith('/sandbox')) return { headers: { [sandboxHeader]: 'true' }, body: {} };
      if (asked.includes('/accounts/'))
        return { status: 404, body: { code: 'account_not_found', message: 'No.' } };
      return { body: [] };
    });
    expect(outcome).toMatchObject({
      ok: false,
      messages: ['The remote service has no account "giro"; the rules name it.'],
    });
    expect(existsSync(resultsFile())).toBe(false);
  });

  it('knows nothing of an account that the service does not show, while no entry of it came', async () => {
    const outcome = await lookAtService((asked) => {
      if (asked.includes('/accounts/')) return { status: 403, body: { code: 'forbidden', message: 'No.' } };
      return asked.endsWith('/sandbox') ? { headers: { [sandboxHeader]: 'true' }, body: {} } : { body: [] };
    });
    // Late would be said of each batch where one digit of the account is wrong.
    expect(outcome).toMatchObject({
      ok: true,
      results: { batches: [{ state: 'unclear', parts: [{ reason: 'account-not-known' }] }] },
    });
  });

  it('tells how it was on a day by what people had decided until then', async () => {
    keepDecision(dataDir, {
      kind: 'match',
      batchIds: [batch],
      acquirer: 'Acme',
      entryIds: ['c1'],
      by: 'Ada',
      reason: 'the slip',
      at: '2024-06-12T10:00:00.000Z',
    });
    const entries = [{ ...credit, remark: 'ACME PAY', amountMinor: 9_000 }];
    const personOn = async (asOf: string) => {
      const reading: EntriesReading = { ok: true, entries, known: [] };
      const service = { ok: true as const, value: async () => reading };
      const outcome = await lookForMoney({ dataDir, simulated: false, days: 30, clock, asOf, service });
      return outcome.ok && outcome.results.batches[0]?.parts[0]?.match?.decision?.by;
    };
    expect(await personOn('2024-06-11')).toBeUndefined();
    expect(await personOn('2024-06-12')).toBe('Ada');
  });

  it('does not replace what a look found that began later', async () => {
    const slow = await lookForMoney({
      dataDir,
      simulated: false,
      days: 30,
      clock,
      service: {
        ok: true,
        async value() {
          await lookForMoney({
            dataDir,
            simulated: false,
            days: 30,
            clock: { now: () => clock.now() + 1_000 },
            service: { ok: true, value: async () => ({ ok: true, entries: [credit], known: [] }) },
          });
          clock.now = () => Date.parse('2024-06-13T10:00:02Z');
          return { ok: true, entries: [], known: [] };
        },
      },
    });
    clock.now = () => Date.parse('2024-06-13T10:00:00Z');
    expect(slow).toMatchObject({ ok: true, notes: [] });
    expect(JSON.parse(readFileSync(resultsFile(), 'utf8'))).toMatchObject({
      at: '2024-06-13T10:00:01.000Z',
      batches: [{ state: 'arrived' }],
    });
  });

  it('tells what it found where that cannot be kept, and says so', async () => {
    mkdirSync(path.join(resultsFile(), 'a folder of that name'), { recursive: true });
    const outcome = await look(() => ({ ok: true, entries: [credit], known: [] }));
    expect(outcome).toMatchObject({
      ok: true,
      results: { batches: [{ state: 'arrived' }] },
      notes: [expect.stringMatching(/^What was found was not kept: /)],
    });
  });

  it('takes incoming transfers whose transactions are not in the list yet, and none twice', async () => {
    const account = '3f6c2f0e-5a57-4f0e-9c0b-0d6f3c1f9a11';
    const acquirers = [{ ...acmeRules.acquirers[0], account }];
    writeFileSync(path.join(dataDir, 'reconcile-rules.json'), JSON.stringify({ ...acmeRules, acquirers }));
    const transfer = (id: string, transaction_id: string | null, amount: string, more = {}) => ({
      id,
      transaction_id,
      amount,
      account_id: account,
      currency_code: 'EUR',
      status: 'completed',
      reference: 'ACME PAY',
      create_time: '2024-06-05T09:00:00Z',
      update_time: '2024-06-05T09:00:00Z',
      complete_time: '2024-06-05T09:00:00Z',
      receive_time: '2024-06-05T09:00:00Z',
      token: 't',
      etag: '"e"',
      customer_id: 'c',
      virtual_account_id: null,
      fail_reason: null,
      external_account: {
        type: 'bank-account',
        detail: { bank_identifier_code: '', bank_account_number: 'DE1', bank_account_name: 'Acme AG' },
      },
      ...more,
    });
    const answers: Record<string, unknown> = {
      '/sandbox': {},
      [`/accounts/${account}`]: { id: account, etag: '"e"' },
      '/transactions': [
        transaction('c1', '2024-06-04T09:00:00Z', '99.00', 'ACME PAY BATCH 7', { account_id: account }),
      ],
      '/incoming-transfers': [
        transfer('i1', 'c1', '99.00'),
        transfer('i2', 'c2', '5.00'),
        transfer('i3', null, '6.00'),
        transfer('i4', 'c4', '7.00', { status: 'pending', complete_time: null }),
        transfer('i5', 'c5', '8.00', { account_id: 'savings' }),
        transfer('i6', 'c6', '9.00', { complete_time: '2023-06-05T09:00:00Z' }),
      ],
    };
    const outcome = await lookAtService((asked) => {
      const { pathname, searchParams } = new URL(asked, 'http://x');
      const found = Object.entries(answers).find(([end]) => pathname.endsWith(end))?.[1];
      return {
        headers: { [sandboxHeader]: 'true' },
        body: Array.isArray(found) && searchParams.has('token') ? [] : found,
      };
    });
    if (!outcome.ok) throw new Error(outcome.messages.join());
    const { entries, unexplained } = outcome.results;
    const found = new Map([...entries, ...unexplained].map((entry) => [entry.id, entry]));
    expect([...found.values()].map(({ id, amountMinor, sender }) => [id, amountMinor, sender])).toEqual([
      ['c1', 9_900, 'Acme AG DE1'],
      ['c2', 500, 'Acme AG DE1'],
    ]);
  });

  it('passes on what the service refuses', async () => {
    const outcome = await lookAtService(() => ({
      status: 403,
      body: { code: 'scope_missing', message: 'No.' },
    }));
    expect(outcome).toMatchObject({ ok: false, kind: 'failed', cause: { kind: 'forbidden' } });
  });

  it('is counted for /metrics: the batches without money, by terminal', async () => {
    closeBatch(path.join(dataDir, 'terminals', 'bar'), '01890000-0000-7000-8000-000000000002', '12', 20_000);
    const counted = countBatchesWithoutMoney({ dataDir, simulated: false });
    expect(counted()).toEqual([]);
    const withMoney = (...entries: (typeof credit)[]) =>
      look(() => ({
        ok: true,
        entries,
        known: [{ account: 'giro', from: '2024-05-01', until: '2024-06-13' }],
      }));
    const counts = () =>
      Object.fromEntries(
        counted()
          .filter(({ count }) => count > 0)
          .map(({ terminal, state, count }) => [terminal, `${count} ${state}`]),
      );
    await withMoney();
    expect(counts()).toEqual({ main: '1 late', bar: '1 late' });
    await withMoney(credit);
    expect(counts()).toEqual({ bar: '1 late' });
    expect(counted()).toContainEqual({ terminal: 'main', state: 'late', count: 0 });
  });
});
