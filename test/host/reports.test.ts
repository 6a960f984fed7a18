/** The report of a day and of a batch, as the console shows them and as tables. */
import { describe, expect, it } from 'vitest';
import type { FileRequest } from '../../src/contract/console/index.ts';
import { isReady, readyHost, type HostKit } from './host-kit.ts';

async function paid(kit: HostKit, reference: string, amount = '12.00'): Promise<void> {
  await isReady(kit);
  await kit.till().create(amount, reference, 10);
  await kit.state((state) => state.lastPayment?.reference === reference, 'the end');
}

const dayMs = 86_400_000;

/** The day of the kit's clock, and the one a week before. */
function today(kit: HostKit) {
  const start = Math.floor(kit.clock.now() / dayMs) * dayMs;
  const day = (from: number) => ({
    from: new Date(from).toISOString(),
    until: new Date(from + dayMs).toISOString(),
  });
  return { span: day(start), compared: day(start - 7 * dayMs) };
}

async function fileOf(kit: HostKit, request: FileRequest): Promise<string> {
  const { content } = await kit.host.console.makeFile(request);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('the report of a day', () => {
  it('has its payments, voids, doubts, decisions and batches, and a table of them', async () => {
    const kit = await readyHost({ flags: { pace: '0.02', stopTimeoutMs: '0' } });
    await paid(kit, 'A-1');
    await paid(kit, 'A-2', '20.00');
    await isReady(kit);
    await kit.invoke('voidPayment', { reference: 'A-2' });
    await isReady(kit);
    await kit.invoke('submitBatch', {});
    await isReady(kit);
    await kit.till().create('12.07', 'A-7');
    await kit.state(({ terminal }) => terminal?.progressStep === 'waiting_for_host', 'the host');
    await kit.host.suspend();
    const { doubts } = await kit.state((state) => state.doubts.length === 1, 'the doubt');
    const operationId = doubts[0]?.operationId ?? '';
    const inDoubt = await kit.invoke('dayReport', today(kit));
    expect(inDoubt.doubts.items).toMatchObject([{ reference: 'A-7', outcome: null, endedAt: null }]);
    await kit.invoke('resolve', {
      operationId,
      resolution: 'not-charged',
      by: 'Kim Berg',
      reason: '=1+1',
      terminalUnreachable: true,
    });

    const report = await kit.invoke('dayReport', today(kit));
    expect(report).toMatchObject({
      complete: true,
      voids: { count: 1, items: [{ reference: 'A-2', amountMinor: 2_000, byHand: false }] },
      doubts: { count: 1, items: [{ reference: 'A-7', outcome: 'failed' }] },
      decisions: {
        count: 1,
        items: [{ reference: 'A-7', by: 'Kim Berg', reason: '=1+1', outcome: 'failed', operationId }],
      },
      batches: { count: 1, items: [{ outcome: 'closed' }] },
      discrepancies: { count: 0 },
    });
    const [only, ...others] = report.currencies;
    expect(others).toEqual([]);
    expect(only?.day).toMatchObject({ currency: 'EUR', count: 3, approved: 2, sumMinor: 1_200 });
    expect(only?.day.statuses).toEqual([
      { status: 'failed', count: 1, sumMinor: 1_207 },
      { status: 'voided', count: 1, sumMinor: 2_000 },
      { status: 'settled', count: 1, sumMinor: 1_200 },
    ]);
    expect(only?.compared).toMatchObject({ count: 0, sumMinor: 0 });

    const table = await fileOf(kit, { kind: 'day_report', ...today(kit) });
    const lines = table.split('\r\n');
    expect(lines[0]).toBe(
      '"section","name","at","reference","count","amount","currency","compared_count","compared_amount","by","reason"',
    );
    expect(lines).toContain('"total","payments","","","3","12.00","EUR","0","0.00","",""');
    expect(lines).toContain('"status","voided","","","1","20.00","EUR","0","0.00","",""');
    expect(table).toMatch(/^"decision","failed",[^\r]*"A-7",[^\r]*"Kim Berg","'=1\+1"\r$/m);
    expect(table).toMatch(/^"void","void",[^\r]*"A-2","","20.00","EUR"/m);
  });

  it('compares it with the day a week before', async () => {
    const kit = await readyHost({ flags: { pace: '0.02' } });
    await paid(kit, 'A-1');
    const { span, compared } = today(kit);
    // As it will be in a week.
    const later = await kit.invoke('dayReport', { span: compared, compared: span });
    expect(later.currencies).toMatchObject([
      { day: { count: 0, sumMinor: 0 }, compared: { count: 1, sumMinor: 1_200 } },
    ]);
    const table = await fileOf(kit, { kind: 'day_report', span: compared, compared: span });
    expect(table).toMatch(/^"status","approved","","","0","0.00","EUR","1","12.00"/m);
  });
});

describe('a span that is no day', () => {
  it('is not added up beside a payment that runs', async () => {
    const kit = await readyHost();
    const { span, compared } = today(kit);
    const year = { ...span, from: new Date(Date.parse(span.until) - 365 * 86_400_000).toISOString() };
    for (const [name, request] of [
      ['today', year],
      ['dayReport', { span: year, compared }],
      ['dayReport', { span, compared: year }],
    ] as const)
      expect(await kit.refusal(name, request)).toMatchObject({ code: 'invalid_request' });
  });
});

describe('the report of a batch', () => {
  it('has the totals of both, and the payments that it settled', async () => {
    const kit = await readyHost({ flags: { pace: '0.02' } });
    await paid(kit, 'A-1');
    await paid(kit, 'A-2', '20.00');
    await isReady(kit);
    await kit.invoke('submitBatch', {});
    const { batches } = await kit.invoke('batches', { before: null, limit: 5 });
    const operationId = batches[0]?.operationId ?? '';
    const report = await kit.invoke('batchReport', { operationId });
    expect(report.batch).toEqual(batches[0]);
    expect(report.decision).toBe(null);
    expect(report.payments.count).toBe(2);
    expect(report.payments.items.map(({ reference, status }) => [reference, status])).toEqual([
      ['A-1', 'settled'],
      ['A-2', 'settled'],
    ]);
    const table = await fileOf(kit, { kind: 'batch_report', operationId });
    expect(table).toMatch(/^"total","[^"]+","2","32.00","2","32.00","EUR"\r\n/m);
    expect(table.match(/"settled"/g)).toHaveLength(2);
  });

  it('of what is no batch is refused', async () => {
    const kit = await readyHost({ flags: { pace: '0.02' } });
    await paid(kit, 'A-1');
    const { lastPayment } = kit.host.state();
    for (const operationId of ['none', lastPayment?.transactionId ?? '']) {
      expect(await kit.refusal('batchReport', { operationId })).toMatchObject({ code: 'payment_not_found' });
      await expect(kit.host.console.makeFile({ kind: 'batch_report', operationId })).rejects.toThrow(
        'There is no such batch.',
      );
    }
  });
});
