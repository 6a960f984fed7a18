/** What terminal and journal disagree about, as the console's host tells it and takes a person's word on it. */
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { acknowledge } from '../../src/bridge/payments/manual-decisions.ts';
import type { DiscrepancyView } from '../../src/contract/discrepancy.ts';
import { maxShownDiscrepancies } from '../../src/contract/discrepancy.ts';
import { discrepancyFact } from '../support/memory-payments.ts';
import { openTestJournal } from '../headless/seed-journal.ts';
import { isReady, newFolder, newHost, readyHost } from './host-kit.ts';

function idOf(number: number): string {
  return `01890000-0000-7000-8000-${number.toString().padStart(12, '0')}`;
}

/** A data folder whose real terminal's journal has two open discrepancies and an acknowledged one. */
function folderOfRealTerminal(): string {
  const folder = newFolder();
  const journal = openTestJournal(folder);
  for (const number of [1, 2, 3]) journal.append(discrepancyFact(idOf(number), { kind: 'journal_loss' }));
  acknowledge(journal, { discrepancyId: idOf(2), by: 'Ada', reason: 'the day list' });
  journal.close();
  return folder;
}

/** A data folder whose simulator journal has `count` open discrepancies about payment A-1. */
function folderWith(count: number): string {
  const folder = newFolder();
  const journal = openTestJournal(join(folder, 'simulator'));
  for (let number = 1; number <= count; number += 1) {
    // Of a kind that holds nothing back.
    journal.append(discrepancyFact(idOf(number), { kind: 'unseen_records', references: ['A-1'] }));
  }
  journal.close();
  return folder;
}

describe('open discrepancies of the real terminal, while the simulator runs', () => {
  it('are told at the start and in the state, and hold nothing back on the simulator', async () => {
    const kit = newHost({ folder: folderOfRealTerminal(), flags: { terminal: 'simulator' } });
    const { warnings } = await kit.host.start();
    expect(warnings).toEqual([expect.stringContaining('Discrepancies of the real terminal are open')]);
    await isReady(kit);
    expect(kit.host.state()).toMatchObject({
      discrepancies: [],
      discrepancyCount: 0,
      discrepanciesElsewhere: 2,
      doubtsElsewhere: 0,
    });
    expect((await kit.till().create('12.00', 'A-1', 10)).body).toMatchObject({
      transaction_status: 'approved',
    });
  });
});

describe('open discrepancies', () => {
  it('are in the state, oldest first, and bounded; all are counted', async () => {
    const kit = await readyHost({ folder: folderWith(maxShownDiscrepancies + 2) });
    const { discrepancies, discrepancyCount } = kit.host.state();
    expect(discrepancyCount).toBe(maxShownDiscrepancies + 2);
    expect(discrepancies).toHaveLength(maxShownDiscrepancies);
    expect(discrepancies[0]).toMatchObject({ discrepancyId: idOf(1), acknowledged: null });
  });

  it('are read page by page behind those of the state', async () => {
    const count = 2 * maxShownDiscrepancies + 1;
    const kit = await readyHost({ folder: folderWith(count) });
    const found = kit.host.state().discrepancies;
    for (let page = 2; page <= 4; page += 1) {
      const { discrepancies } = await kit.invoke('discrepancies', { after: found.at(-1)?.seq ?? 0 });
      found.push(...discrepancies);
    }
    const all = Array.from({ length: count }, (_, index) => idOf(index + 1));
    expect(found.map(({ discrepancyId }) => discrepancyId)).toEqual(all);
  });

  it('of another terminal are read behind those of the state as well, with its name', async () => {
    const folder = folderWith(1);
    const journal = openTestJournal(join(folder, 'simulator', 'terminals', 'bar'));
    const count = maxShownDiscrepancies + 2;
    for (let number = 1; number <= count; number += 1)
      journal.append(discrepancyFact(idOf(number + 100), { kind: 'unseen_records', references: ['B-1'] }));
    journal.close();
    const kit = await readyHost({ folder, environment: { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' } });
    const { discrepancies: first, discrepancyCount } = kit.host.state();
    expect(discrepancyCount).toBe(count + 1);
    const found = first.filter(({ onTerminal }) => onTerminal === 'bar');
    // The main one's have their place.
    expect(first).toHaveLength(found.length + 1);
    while (found.length < count) {
      const after = found.at(-1)?.seq ?? 0;
      const { discrepancies } = await kit.invoke('discrepancies', { after, terminal: 'bar' });
      expect(discrepancies).not.toEqual([]);
      found.push(...discrepancies);
    }
    expect(found.map(({ discrepancyId }) => discrepancyId)).toEqual(
      Array.from({ length: count }, (_, index) => idOf(index + 101)),
    );
    expect(found.every(({ onTerminal }) => onTerminal === 'bar')).toBe(true);
  });

  it('hold sales back however many lie before, and the state says so', async () => {
    const folder = folderWith(1_000);
    const journal = openTestJournal(join(folder, 'simulator'));
    journal.append(discrepancyFact(idOf(1_001), { kind: 'journal_loss', record: null }));
    journal.close();
    const kit = await readyHost({ folder });
    expect(kit.host.state()).toMatchObject({ discrepancyCount: 1_001, salesHeld: true });
    expect((await kit.till().health()).status).toBe(503);
    expect((await kit.till().create('12.00', 'A-1')).body).toMatchObject({
      code: 'payment_unresolved',
      payment_state: 'unknown',
    });
    await kit.invoke('acknowledge', { discrepancyId: idOf(1_001), by: 'Ada', reason: 'the day list' });
    expect(kit.host.state().salesHeld).toBe(false);
    expect((await kit.till().create('12.00', 'A-1', 10)).body).toMatchObject({
      transaction_status: 'approved',
    });
  });

  it('stand in the detail and the timeline of the payment that they name', async () => {
    const kit = await readyHost({ folder: folderWith(2) });
    await kit.till().create('12.00', 'A-1', 10);
    await kit.invoke('acknowledge', { discrepancyId: idOf(1), by: 'Ada', reason: 'a test card' });
    const { payments } = await kit.invoke('payments', {
      filter: { span: null, status: null, text: 'A-1' },
      before: null,
      limit: 1,
    });
    const detail = await kit.invoke('payment', { transactionId: payments[0]?.transactionId ?? '' });
    expect(detail.discrepancies.map(({ discrepancyId }) => discrepancyId)).toEqual([idOf(2)]);
    const told = detail.timeline.flatMap((entry) =>
      entry.kind === 'discrepancy' ? [`${entry.step} ${entry.discrepancy.discrepancyId}`] : [],
    );
    // The journal was filled at another time than the host lives in, so their order says nothing.
    expect(told.toSorted()).toEqual([`acknowledged ${idOf(1)}`, `found ${idOf(1)}`, `found ${idOf(2)}`]);
    expect(detail.payment).toMatchObject({ amountMinor: 1_200, approvedMinor: 1_200 });
  });

  it('are acknowledged by a person, who gives name and reason for the journal', async () => {
    const kit = await readyHost({ folder: folderWith(1) });
    const word = { discrepancyId: idOf(1), by: 'Ada', reason: 'a test card' };
    expect(await kit.refusal('acknowledge', { ...word, by: ' ' })).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'by' }],
    });
    expect(await kit.refusal('acknowledge', { ...word, discrepancyId: idOf(2) })).toMatchObject({
      code: 'invalid_request',
    });
    await kit.invoke('acknowledge', word);
    await kit.state(({ discrepancyCount }) => discrepancyCount === 0, 'no discrepancy');
    expect(kit.host.bridge?.journal?.discrepancy(idOf(1))?.acknowledged).toMatchObject({
      by: 'Ada',
      reason: 'a test card',
    });
    await kit.change(
      (change) =>
        change.kind === 'log' &&
        change.lines.some(({ source, fields }) => source === 'console' && fields['by'] === 'Ada'),
      'the line in the log',
    );
    expect(await kit.refusal('acknowledge', word)).toMatchObject({ code: 'invalid_request' });
  });

  it('are in the support bundle, with who acknowledged them, and with no card number', async () => {
    const kit = await readyHost({ folder: folderWith(2) });
    const card = '4111111111111111';
    await kit.invoke('acknowledge', { discrepancyId: idOf(1), by: `Ada ${card}`, reason: card });
    const { content } = await kit.host.console.makeFile({ kind: 'support_bundle' });
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    const entries = unzipSync(Buffer.concat(pieces));
    const text = strFromU8(entries['discrepancies.jsonl'] ?? new Uint8Array());
    const listed = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as DiscrepancyView);
    expect(listed.map(({ discrepancyId }) => discrepancyId)).toEqual([idOf(2), idOf(1)]);
    expect(listed.map(({ acknowledged }) => acknowledged?.by)).toEqual([undefined, 'Ada 411111******1111']);
    expect(text).not.toContain(card);
  });
});
