/**
 * What a named person decides: how an operation in doubt ended, and that a discrepancy was seen. Works on a running
 * bridge and on the journal of a stopped one.
 */
import { discrepancyHold, type DiscrepancyView } from '../../contract/discrepancy.ts';
import { refuse, refuseField, type Result } from '../../contract/errors.ts';
import type { StoredEvent } from '../../contract/journal-events.ts';
import { formatAmount } from '../../contract/money.ts';
import { otherTerminal } from '../../contract/other-terminal.ts';
import type { Resolution } from '../../contract/operation.ts';
import type { TerminalRecord } from '../../contract/terminal.ts';
import { type Journal, JournalWriteError, namedPerson, type OperationRow } from '../journal/index.ts';
import { settlementOf } from './batch.ts';
import { applyInputs } from './journal-writer.ts';
import { seenIdle } from './seen-idle.ts';
import { resolutionsOf, wrongResolution, type OperationInput } from './operation-machine.ts';
import type { InDoubtView, PaymentsApi } from './payments-api.ts';
import { withoutRepeats, type Repeat, type RepeatedFindings } from './repeated-findings.ts';

/** What happened to an operation of an earlier run that has not ended. */
export const stoppedBeforeEnd: OperationInput = {
  kind: 'interrupted',
  reason: 'The bridge stopped before the operation had ended.',
};

export type Resolver = Pick<PaymentsApi, 'operationsInDoubt' | 'resolve'>;

/** What only a running bridge knows. */
interface OfRunning {
  /** The operation that is running on the terminal now; it is not in doubt. */
  currentOperation: () => string | null;
  repeats: RepeatedFindings;
  /** All ids of the terminal that is connected now; none while that is not known. */
  connected: () => string[];
}

export function createResolver(journal: Journal, uuid: () => string, now: Partial<OfRunning> = {}): Resolver {
  const { currentOperation = () => null } = now;
  return {
    operationsInDoubt: () =>
      rowsInDoubt(journal, currentOperation()).map((row) =>
        view(journal, row, now.repeats?.of(row.operationId) ?? new Map(), now.connected?.() ?? []),
      ),
    resolve({ operationId, resolution, by, reason, terminalUnreachable = false }) {
      const person = namedPerson(by, reason, 'the name of the person who decides is needed');
      if (!person.ok) return person;
      const row = journal.operation(operationId);
      if (row === null) {
        return refuseField(
          'operation',
          `there is no operation ${operationId}; "tillbridge doubts" lists what is open`,
        );
      }
      if (row.operationId === currentOperation()) {
        return refuse(
          'terminal_busy',
          'The operation is still running on the terminal; it cannot be decided by hand yet.',
        );
      }
      if (row.phase === 'ended') {
        return refuseField(
          'operation',
          `operation ${operationId} has ended (${row.outcome ?? 'unknown'}); nothing is in doubt`,
        );
      }
      const wrong = wrongResolution(row.kind, resolution);
      if (wrong !== null) return refuseField('outcome', wrong);
      if (!terminalUnreachable && !seenIdle(journal.eventsOf(operationId))) {
        return refuse('terminal_busy', notSeenIdle);
      }
      return orUnwritten(() => {
        const inputs: OperationInput[] = [
          stoppedBeforeEnd,
          {
            kind: 'resolved',
            resolution,
            ...person.value,
            terminalUnreachable,
            settlement: settlementOf(journal, row, row.result),
            held: heldByTerminal(row, journal.eventsOf(operationId)),
          },
        ];
        const applied = applyInputs(journal, operationId, inputs, { continuityOf: () => 'unknown', uuid });
        if (!applied.ok) return refuseField('outcome', applied.reason);
        return { ok: true, value: { operationId, kind: row.kind, reference: row.reference } };
      });
    },
  };
}

const notSeenIdle =
  'The terminal has not been idle since the operation came into doubt, so it may still be working on it. Let the bridge ' +
  'check with the terminal first, or state that the terminal cannot be reached (on the command line: ' +
  '--terminal-unreachable).';

/**
 * What the terminal said when it was asked for this very sale by the number that it was ordered under. A last record, which
 * other terminals show, may be another payment's.
 */
function heldByTerminal({ started }: OperationRow, events: StoredEvent[]): TerminalRecord | null {
  if (started.kind !== 'sale' || started.terminalReference === undefined) return null;
  const found = events.findLast(({ event }) => event.type === 'evidence_found')?.event;
  const shown = found?.type === 'evidence_found' ? found.evidence.lastRecord : null;
  return shown?.kind === 'record' && shown.record.approved ? shown.record : null;
}

/** The same for a journal that is only read. */
export function listOperationsInDoubt(journal: Pick<Journal, 'openOperations' | 'eventsOf'>): InDoubtView[] {
  return rowsInDoubt(journal, null).map((row) => view(journal, row, new Map(), []));
}

/** Started, not ended, and not running on the terminal now. */
export function rowsInDoubt(
  journal: Pick<Journal, 'openOperations'>,
  currentOperation: string | null,
): OperationRow[] {
  return journal.openOperations().filter((row) => row.operationId !== currentOperation);
}

function view(
  journal: Pick<Journal, 'eventsOf'>,
  row: OperationRow,
  counted: ReadonlyMap<number, Repeat>,
  connected: readonly string[],
): InDoubtView {
  const { started } = row;
  const events = journal.eventsOf(row.operationId);
  const { facts, repeats } = withoutRepeats(events, counted);
  const other = otherTerminal(started, row.result, connected);
  return {
    operationId: row.operationId,
    kind: row.kind,
    reference: row.reference,
    amount: started.kind === 'batch_close' ? null : formatAmount(started.amountMinor, started.currency),
    currency: started.currency,
    startedAt: row.startedAt,
    reason: row.reason,
    needsDecision: row.needsDecision,
    terminalSeenIdle: seenIdle(events),
    facts,
    ...(repeats.length === 0 ? {} : { repeats }),
    ...(other === null ? {} : { otherTerminal: other }),
    resolutions: Object.keys(resolutionsOf[row.kind]) as Resolution[],
  };
}

/** The most that one page of a list holds. */
export const maxListedDiscrepancies = 1_000;

/** All that are open, oldest first, read page by page. */
export function* openDiscrepancies(journal: Pick<Journal, 'openDiscrepancies'>): Generator<DiscrepancyView> {
  let after = 0;
  for (;;) {
    const page = journal.openDiscrepancies(maxListedDiscrepancies, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < maxListedDiscrepancies) return;
    after = last.seq;
  }
}

/** No sale starts before a person has acknowledged one of them. */
export function holdsSales(journal: Pick<Journal, 'openDiscrepancies'>): boolean {
  for (const { kind } of openDiscrepancies(journal)) if (discrepancyHold[kind] === 'sales') return true;
  return false;
}

export function isOpen(discrepancy: DiscrepancyView): boolean {
  return discrepancy.acknowledged === null;
}

export function acknowledge(
  journal: Journal,
  { discrepancyId, by, reason }: { discrepancyId: string; by: string; reason: string },
): Result<DiscrepancyView> {
  const person = namedPerson(by, reason, 'the name of the person who has seen it is needed');
  if (!person.ok) return person;
  const found = journal.discrepancy(discrepancyId);
  if (found === null) {
    const hint = '"tillbridge discrepancies" lists what is open';
    return refuseField('discrepancy', `there is no discrepancy ${discrepancyId}; ${hint}`);
  }
  if (!isOpen(found)) {
    const whom = found.acknowledged?.by ?? '';
    return refuseField('discrepancy', `discrepancy ${discrepancyId} was acknowledged before, by ${whom}`);
  }
  return orUnwritten(() => {
    journal.append({ type: 'discrepancy_acknowledged', discrepancyId, ...person.value });
    return { ok: true, value: journal.discrepancy(discrepancyId) ?? found };
  });
}

/** What `write` gives, or a refusal when the journal cannot be written. */
function orUnwritten<T>(write: () => Result<T>): Result<T> {
  try {
    return write();
  } catch (error) {
    if (error instanceof JournalWriteError) return refuse('journal_unavailable', error.message);
    throw error;
  }
}
