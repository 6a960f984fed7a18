/**
 * What the checker reads by itself: the terminal's ledger and the events of the journal. It shares no code with what it
 * checks, so that no mistake of the one can hide in the other.
 */
import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { CommandRecord, Evidence, HandRecord } from '../evidence.ts';
import { createBeginnings } from '../ledger-lines.ts';

/** Money that the terminal took, and what became of it. */
export interface Charge {
  offset: number;
  amountMinor: number;
  /** The terminal's own: trace number, or the number on the receipt where it has no other. */
  number: string;
  terminalId: string;
  /** The command that it was for; null: by hand. */
  command: CommandRecord | null;
  byHand: HandRecord | null;
  autoReversed: boolean;
  /** Where in the ledger it was undone because the till answered its result, and refused it; null: it was not. */
  refusedAt: number | null;
  /** Where in the ledger it was reversed; null: it stands. */
  reversedAt: number | null;
  /** The command that reversed it; null: by hand, or not at all. */
  reversedBy: CommandRecord | null;
  /** Where in the ledger its day was closed. */
  settledAt: number | null;
}

interface Settlement {
  offset: number;
  count: number;
  totalMinor: number;
  command: CommandRecord | null;
}

export interface Ledger {
  charges: Charge[];
  settlements: Settlement[];
}

export function readLedger({ ledgerFile, records }: Evidence): Ledger {
  const ledger: Ledger = { charges: [], settlements: [] };
  if (!existsSync(ledgerFile)) return ledger;
  const causes = records.filter((record) => record.kind === 'command' || record.kind === 'hand');
  const beganAt = createBeginnings();
  let offset = 0;
  for (const line of readFileSync(ledgerFile, 'utf8').split('\n')) {
    const at = offset;
    offset += Buffer.byteLength(line) + 1;
    if (line === '') continue;
    const fact = JSON.parse(line) as { [field: string]: unknown };
    const began = beganAt(at, fact);
    const cause = causes.findLast((one) =>
      one.kind === 'command' ? one.ledgerBytes <= began : one.ledgerFrom <= began && began < one.ledgerTo,
    );
    const command = cause?.kind === 'command' ? cause : null;
    const byHand = cause?.kind === 'hand' ? cause : null;
    const same = (one: Charge) =>
      one.terminalId === fact['terminal_id'] && one.settledAt === null && one.reversedAt === null;
    const numberOf = (trace: 'trace_number' | 'original_trace_number') =>
      String(fact[trace] ?? fact['receipt_number']);
    switch (fact['event']) {
      case 'charged':
        ledger.charges.push({
          offset: at,
          amountMinor: Number(fact['amount_minor']),
          number: numberOf('trace_number'),
          terminalId: String(fact['terminal_id']),
          command,
          byHand,
          autoReversed: false,
          refusedAt: null,
          reversedAt: null,
          reversedBy: null,
          settledAt: null,
        });
        break;
      case 'auto_reversed': {
        const number = numberOf('trace_number');
        const charge = ledger.charges.findLast((one) => same(one) && one.number === number);
        if (charge === undefined) break;
        charge.autoReversed = true;
        if (String(fact['reason']).startsWith('the till answered the result')) charge.refusedAt = at;
        break;
      }
      case 'reversed': {
        const number = numberOf('original_trace_number');
        const charge = ledger.charges.findLast((one) => same(one) && one.number === number);
        if (charge === undefined) break;
        charge.reversedAt = at;
        charge.reversedBy = command;
        break;
      }
      case 'settled':
        ledger.settlements.push({
          offset: at,
          count: Number(fact['count']),
          totalMinor: Number(fact['total_minor']),
          command: command?.what === 'batch_close' ? command : null,
        });
        for (const charge of ledger.charges) {
          if (same(charge) && !charge.autoReversed) charge.settledAt = at;
        }
        break;
      default:
    }
  }
  return ledger;
}

export interface JournalFact {
  seq: number;
  type: string;
  body: { [field: string]: unknown };
}

interface JournalPayment {
  reference: string;
  operationId: string;
  status: string;
  amountMinor: number;
}

export interface JournalContents {
  facts: JournalFact[];
  payments: Map<string, JournalPayment>;
  openOperations: string[];
}

export function readJournal(file: string): JournalContents {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const facts = database
      .prepare('SELECT seq, type, body FROM events ORDER BY seq')
      .all()
      .map((row) => ({
        seq: Number(row['seq']),
        type: String(row['type']),
        body: JSON.parse(String(row['body'])) as { [field: string]: unknown },
      }));
    const payments = new Map(
      database
        .prepare('SELECT reference, transaction_id, status, amount_minor FROM payments')
        .all()
        .map((row) => [
          String(row['reference']),
          {
            reference: String(row['reference']),
            operationId: String(row['transaction_id']),
            status: String(row['status']),
            amountMinor: Number(row['amount_minor']),
          },
        ]),
    );
    const openOperations = database
      .prepare("SELECT operation_id FROM operations WHERE phase <> 'ended'")
      .all()
      .map((row) => String(row['operation_id']));
    return { facts, payments, openOperations };
  } finally {
    database.close();
  }
}
