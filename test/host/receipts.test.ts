/** Receipts as the console gets them: what became of a payment, who decided it, and whether it was printed before. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { receiptOf } from '../../src/host/views/receipt-view.ts';
import { isReady, newFolder, readyHost, type HostKit } from './host-kit.ts';

async function paid(kit: HostKit, reference: string): Promise<string> {
  await isReady(kit);
  await kit.till().create('12.00', reference, 10);
  const { lastPayment } = await kit.state((state) => state.lastPayment?.reference === reference, 'the end');
  return lastPayment?.transactionId ?? '';
}

describe('the receipt', () => {
  it('of a payment has its sale, and of a voided one the void as well', async () => {
    const kit = await readyHost({ flags: { pace: '0.02' } });
    const transactionId = await paid(kit, 'A-1');
    const sale = await kit.invoke('receipt', { transactionId });
    expect(sale.slips).toMatchObject([
      { kind: 'sale', outcome: 'approved', operationId: transactionId, result: { amountMinor: 1200 } },
    ]);
    expect(sale.payment).toMatchObject({ reference: 'A-1', simulated: true, decisions: [] });

    await isReady(kit);
    await kit.invoke('voidPayment', { reference: 'A-1' });
    const voided = await kit.invoke('receipt', { transactionId });
    expect(voided.slips.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['sale', 'approved'],
      ['void', 'voided'],
    ]);
  });

  it('is none while the payment is in doubt, and names who decided it afterwards', async () => {
    const kit = await readyHost({ flags: { pace: '0.02', stopTimeoutMs: '0' } });
    await kit.till().create('12.07', 'A-7');
    await kit.state(({ terminal }) => terminal?.progressStep === 'waiting_for_host', 'the host');
    await kit.host.suspend();
    const { doubts } = await kit.state((state) => state.doubts.length === 1, 'the doubt');
    const transactionId = doubts[0]?.operationId ?? '';
    expect((await kit.invoke('receipt', { transactionId })).slips).toEqual([]);

    const decision = { by: 'Kim Berg', reason: 'Slip 0123 is in the drawer.' };
    await kit.invoke('resolve', {
      operationId: transactionId,
      resolution: 'charged',
      ...decision,
      terminalUnreachable: true,
    });
    const { payment, slips } = await kit.invoke('receipt', { transactionId });
    expect(slips).toMatchObject([{ kind: 'sale', outcome: 'approved', result: null, printed: [] }]);
    expect(payment.decisions).toMatchObject([
      { ...decision, outcome: 'approved', terminalUnreachable: true, operationId: transactionId },
    ]);
    const all = { span: null, status: null, text: null };
    const { payments } = await kit.invoke('payments', { filter: all, before: null, limit: 10 });
    expect(payments.map(({ decisions }) => decisions)).toEqual([payment.decisions]);
    const { content } = await kit.host.console.makeFile({ kind: 'payments', filter: all });
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toContain('"Kim Berg"');
  });

  it('is none while a void of it is under way', async () => {
    const kit = await readyHost({ flags: { pace: '0.02' } });
    const transactionId = await paid(kit, 'A-1');
    const journal = kit.host.bridge?.journal ?? null;
    const row = journal?.payment(transactionId) ?? null;
    if (journal === null || row === null) throw new Error('The payment is not there.');
    expect(receiptOf(row, journal, false).slips).toHaveLength(1);
    expect(receiptOf({ ...row, status: 'voiding' }, journal, false).slips).toEqual([]);
  });

  it('is a copy once it was printed, after a restart too, and without the file nobody is stopped', async () => {
    const folder = newFolder();
    const kit = await readyHost({ folder, flags: { pace: '0.02' } });
    const first = await paid(kit, 'A-1');
    const second = await paid(kit, 'A-2');
    const printedBefore = async (of: HostKit, transactionId: string) =>
      (await of.invoke('receipt', { transactionId })).printedBefore;
    expect(await printedBefore(kit, first)).toBe(false);
    await kit.invoke('receiptPrinted', { transactionId: first });
    expect(await printedBefore(kit, first)).toBe(true);
    expect(await printedBefore(kit, second)).toBe(false);
    await kit.host.stop();

    const again = await readyHost({ folder });
    expect(await printedBefore(again, first)).toBe(true);
    expect(await printedBefore(again, second)).toBe(false);
    await again.host.stop();

    writeFileSync(join(folder, 'printed-receipts.json'), '{');
    const damaged = await readyHost({ folder });
    expect(await printedBefore(damaged, second)).toBe(false);
    await damaged.invoke('receiptPrinted', { transactionId: second });
    expect(await printedBefore(damaged, second)).toBe(true);
  });

  it('of an unknown payment is refused', async () => {
    const kit = await readyHost();
    const transactionId = '01a1ffe8-3316-7291-ad76-000000000007';
    for (const method of ['receipt', 'receiptPrinted'])
      expect(await kit.refusal(method, { transactionId })).toMatchObject({ code: 'payment_not_found' });
  });
});
