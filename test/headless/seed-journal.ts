/** A journal on disk with operations that were started and did not end, as a killed bridge leaves it. */
import { randomUUID } from 'node:crypto';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/index.ts';
import type { JournalEvent } from '../../src/contract/journal-events.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

export function openTestJournal(folder: string) {
  const opened = openJournal({ folder, clock: createVirtualClock(), log: silentLog, version: '0.0.0' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  return opened.journal;
}

export function startedSale(reference: string, simulated = false): JournalEvent & { operationId: string } {
  return {
    type: 'operation_started',
    kind: 'sale',
    operationId: randomUUID(),
    terminal: { protocol: 'zvt', terminalId: '68000001' },
    baseline: { kind: 'empty' },
    simulated,
    reference,
    conditionCode: '00',
    amountMinor: 1200,
    currency: 'EUR',
  };
}

/** Makes the journal if it is missing and starts a sale in it; gives the operation's id. */
export function seedOpenSale(folder: string, reference: string): string {
  return seedOpen(folder, startedSale(reference));
}

/** As `seedOpenSale`, with whatever was started. */
export function seedOpen(folder: string, started: JournalEvent & { operationId: string }): string {
  append(folder, started);
  return started.operationId;
}

export function append(folder: string, event: JournalEvent): void {
  const journal = openTestJournal(folder);
  journal.append(event);
  journal.close();
}
