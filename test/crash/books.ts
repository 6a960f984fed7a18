/** The terminal's ledger against the bridge's journal and against what the bridge says: every difference in words. */
import type { StoredEvent } from '../../src/contract/journal-events.ts';
import { formatAmount } from '../../src/contract/money.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { countsOf, type LedgerLine } from '../support/ledger.ts';
import type { SentCommand } from './cable.ts';
import type { MoneyCommand } from './wires/index.ts';

/** What one sale looks like from both sides. */
export interface SaleFacts {
  reference: string;
  amount: string;
  /** What QueryPayment says; null: there is no such payment. */
  status: TransactionStatus | null;
}

interface Expected {
  charged: number;
  autoReversed: number;
  reversed: number;
}
const once: Expected = { charged: 1, autoReversed: 0, reversed: 0 };
const voided: Expected = { charged: 1, autoReversed: 0, reversed: 1 };
const never: Expected = { charged: 0, autoReversed: 0, reversed: 0 };
const undone: Expected = { charged: 1, autoReversed: 1, reversed: 0 };

const expectations: Record<TransactionStatus, readonly Expected[]> = {
  approved: [once],
  settled: [once],
  voided: [voided],
  declined: [never],
  cancelled: [never, undone],
  failed: [never, undone],
  // Not decided: both are possible, but never twice.
  in_progress: [never, once, undone],
  unknown: [never, once, undone],
  voiding: [once, voided],
};

/** One sale against the ledger; empty when they agree. */
export function compareSale(sale: SaleFacts, ledger: LedgerLine[]): string[] {
  const { reference, amount, status } = sale;
  const found = countsOf(ledger, amount);
  const allowed = status === null ? [never] : expectations[status];
  const fits = allowed.some(
    (one) =>
      one.charged === found.charged &&
      one.autoReversed === found.autoReversed &&
      one.reversed === found.reversed,
  );
  const words = `${reference} (${amount}) is ${status ?? 'not known'}`;
  if (!fits) return [`${words}, but the ledger says ${JSON.stringify(found)}`];
  if (status !== 'approved' && status !== 'settled') return [];
  const chargedAt = ledger.findIndex((line) => line.event === 'charged' && line.amount === amount);
  const closed = ledger.slice(chargedAt).some((line) => line.event === 'settled');
  if (closed === (status === 'settled')) return [];
  return [`${words}, but the terminal has ${closed ? '' : 'not '}closed the day since`];
}

/**
 * No command that moves money is on the wire more often than the journal has begun it: what was begun and not written
 * down first shows here, and so does anything that was sent again.
 */
function compareCommands(commands: readonly SentCommand[], journal: StoredEvent[]): string[] {
  const begun = journal.flatMap(({ event }) => {
    if (event.type !== 'operation_started') return [];
    const amount = event.kind === 'batch_close' ? null : formatAmount(event.amountMinor, event.currency);
    return [{ kind: event.kind, amount }];
  });
  const sent = commands.filter(({ refused }) => !refused);
  // Most voids name no amount.
  const alike = (one: MoneyCommand, other: MoneyCommand) =>
    one.kind === other.kind && (other.amount === null || one.amount === other.amount);
  const problems = sent.flatMap((command) => {
    const [sentCount, begunCount] = [sent, begun].map(
      (list) => list.filter((one) => alike(one, command)).length,
    );
    const amount = command.amount === null ? '' : ` of ${command.amount}`;
    const what = `the ${command.kind.replace('_', ' ')}${amount}`;
    return (sentCount ?? 0) <= (begunCount ?? 0)
      ? []
      : [`${what} was sent ${sentCount} times and begun ${begunCount} times`];
  });
  return [...new Set(problems)];
}

/** Everything, at the end of a run. `sales` are all that the POS ever rang up. */
export function compareAll(books: {
  sales: SaleFacts[];
  ledger: LedgerLine[];
  journal: StoredEvent[];
  commands: readonly SentCommand[];
}): string[] {
  const { sales, ledger, journal, commands } = books;
  return [
    ...sales.flatMap((sale) => compareSale(sale, ledger)),
    ...strangers(sales, ledger),
    ...compareCommands(commands, journal),
    ...secondStarts(journal),
    ...compareBatches(journal, ledger),
  ];
}

function strangers(sales: SaleFacts[], ledger: LedgerLine[]): string[] {
  const amounts = new Set(sales.map(({ amount }) => amount));
  return ledger
    .filter((line) => line.event === 'charged' && !amounts.has(line.amount))
    .map((line) => `nobody asked for ${line.amount}, but it was charged`);
}

function secondStarts(journal: StoredEvent[]): string[] {
  const seen = new Set<string>();
  return journal.flatMap(({ event }) => {
    if (event.type !== 'operation_started' || event.kind !== 'sale') return [];
    if (seen.has(event.reference)) return [`the journal has a second sale for ${event.reference}`];
    seen.add(event.reference);
    return [];
  });
}

/**
 * The days that the terminal closed are the batches that the journal closed, in the same order, to the cent. What a terminal
 * does not tell of its totals, the settled payments themselves have to agree with. Empty closes do not count: some terminals
 * carry them out, others say that there is nothing to close.
 */
function compareBatches(journal: StoredEvent[], ledger: LedgerLine[]): string[] {
  const theirs = ledger.flatMap((line) =>
    line.event === 'settled' && line.count !== 0 ? [`${line.count ?? '?'} × ${line.total ?? '?'}`] : [],
  );
  const ours: string[] = [];
  const amounts = new Map<string, number>();
  const problems: string[] = [];
  const settledBefore = new Set<string>();
  for (const { seq, event } of journal) {
    if (event.type === 'operation_started' && event.kind === 'sale') {
      amounts.set(event.operationId, event.amountMinor);
    }
    if (event.type !== 'operation_ended' || event.outcome !== 'closed' || event.batch === null) continue;
    const { count, totalMinor, currency, reconciled, differences } = event.batch;
    const sum = event.settled.reduce((total, id) => total + (amounts.get(id) ?? Number.NaN), 0);
    if (event.settled.length > 0) ours.push(`${event.settled.length} × ${formatAmount(sum, currency)}`);
    if ((count ?? event.settled.length) !== event.settled.length || (totalMinor ?? sum) !== sum) {
      problems.push(
        `batch ${seq}: ${count} for ${totalMinor}, but ${event.settled.length} for ${sum} are settled`,
      );
    }
    // Where the terminal has told nothing of its batch, there is nothing to compare with.
    const isTold = count !== null || totalMinor !== null;
    if (isTold && !reconciled)
      problems.push(`batch ${seq} is not reconciled: ${JSON.stringify(differences)}`);
    for (const id of event.settled) {
      if (settledBefore.has(id)) problems.push(`batch ${seq}: ${id} was settled before`);
      settledBefore.add(id);
    }
  }
  if (ours.join() !== theirs.join()) {
    problems.push(`the journal closed [${ours.join(', ')}], the terminal [${theirs.join(', ')}]`);
  }
  return problems;
}
