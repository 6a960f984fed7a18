/**
 * What the journal knows without asking its tables: mostly what it has just written itself. It follows each change that
 * goes into the tables, and is forgotten when a transaction fails, because then nobody knows what came to be.
 *
 * Rows that a person changes with a database tool meanwhile are not seen before they are read again. The chain cannot get
 * a wrong link by it unnoticed: an event that was put in has the number of the next one, which is then refused; and to one
 * that was changed or taken out the next one does not fit.
 */
import { keepCanonical, type ChainHead, type EventRow } from './chain.ts';
import { operationAfter, paymentAfter } from './current-rows.ts';
import type { QueryValue } from './journal-queries.ts';
import type { OperationRow, TerminalState } from './journal.ts';
import type { Change, ProjectionView } from './projection.ts';
import type { QueryName } from './query-sql.ts';
import { parseOperation, parsePayment, parseState, type OperationSql, type PaymentSql } from './rows.ts';
import type { Tables } from './tables.ts';

export interface Memory extends Tables {
  /** The result of the query, or undefined where the tables have to be asked. */
  answer(name: QueryName, values: readonly QueryValue[]): unknown;
  /** The tables have given this result. */
  learn(name: QueryName, values: readonly QueryValue[], result: unknown): void;
  /** False also where it is not certain. */
  operationIsOpen(): boolean;
  forget(): void;
}

interface Known {
  head: ChainHead | null;
  payment: PaymentSql | null;
  operation: OperationSql | null;
  /** Certain: no operation is open but, maybe, `operation`. */
  noOtherOpen: boolean;
  state: TerminalState | null;
  /** Certain: no payment has it. */
  unusedReference: string | null;
}

function nothing(): Known {
  return {
    head: null,
    payment: null,
    operation: null,
    noOtherOpen: false,
    state: null,
    unusedReference: null,
  };
}

/** The same tables, and what they were last told. */
export function withMemory(tables: Tables): Memory {
  let known = nothing();
  let latest: EventRow | null = null;

  const head = () => (known.head ??= tables.head());
  const paymentOf = (id: unknown) => (known.payment?.transaction_id === id ? known.payment : null);
  const operationOf = (id: unknown) => (known.operation?.operation_id === id ? known.operation : null);

  /** What is not certain is asked of the tables. */
  const view: ProjectionView = {
    ...tables.view,
    payment(transactionId) {
      const row = paymentOf(transactionId);
      if (row === null) return tables.view.payment(transactionId);
      const { position, reference, status, epoch } = row;
      return { position, transactionId, reference, status, epoch };
    },
    referenceIsKnown: (reference) =>
      reference !== known.unusedReference && tables.view.referenceIsKnown(reference),
    operation(operationId) {
      const row = operationOf(operationId);
      if (row === null) return tables.view.operation(operationId);
      return { operationId, kind: row.kind, phase: row.phase, paymentId: row.payment_id };
    },
    terminalState: () => (known.state ??= tables.view.terminalState()),
  };

  function answer(name: QueryName, value: QueryValue | undefined): unknown {
    if (name === 'payment') return parsed(paymentOf(value), parsePayment);
    if (name === 'paymentByReference') {
      return parsed(known.payment?.reference === value ? known.payment : null, parsePayment);
    }
    if (name === 'operation') return parsed(operationOf(value), parseOperation);
    if (name === 'openOperations') {
      return known.noOtherOpen ? [known.operation].filter(isOpen).map(parseOperation) : undefined;
    }
    if (name === 'state') return known.state ?? undefined;
    if (name === 'head') return known.head ?? undefined;
    return undefined;
  }

  function learn(name: QueryName, value: QueryValue | undefined, result: unknown): void {
    if (name === 'openOperations') {
      const { operation } = known;
      known.noOtherOpen = (result as OperationRow[]).every(
        ({ operationId }) => operationId === operation?.operation_id,
      );
    }
    if (name === 'state') known.state = result as TerminalState;
    if (name === 'head') known.head = result as ChainHead;
    if (name === 'paymentByReference' && result === null) known.unusedReference = String(value);
  }

  function follow(change: Change, event: EventRow): void {
    const before = known.operation;
    known.payment = paymentAfter(known.payment, change, event);
    known.operation = operationAfter(before, change, event);
    if (isOpen(before) && known.operation?.operation_id !== before.operation_id) known.noOtherOpen = false;
    if (change.kind === 'terminal_state') known.state = stateAfter(change);
    if (change.kind === 'payment_made') known.unusedReference = null;
  }

  function forget(): void {
    known = nothing();
    latest = null;
  }

  return {
    ...tables,
    view,
    head,
    insertEvent(row) {
      tables.insertEvent(row);
      known.head = { seq: row.seq, hash: row.hash };
      latest = row;
    },
    apply(change, seq, at) {
      tables.apply(change, seq, at);
      if (latest?.seq === seq) follow(change, latest);
      else forget();
    },
    answer: (name, [value]) => answer(name, value),
    operationIsOpen: () => isOpen(known.operation),
    learn: (name, [value], result) => learn(name, value, result),
    forget,
  };
}

function isOpen(operation: OperationSql | null): operation is OperationSql {
  return operation !== null && operation.phase !== 'ended';
}

/** The next operations begin with this terminal and this record, so that their text is needed again. */
function stateAfter(change: Extract<Change, { kind: 'terminal_state' }>): TerminalState {
  const state = parseState(change);
  keepCanonical(state.lastRecord, change.lastRecord);
  if (state.terminal !== null && change.terminal !== null) keepCanonical(state.terminal, change.terminal);
  return state;
}

function parsed<T, R>(row: T | null, parse: (row: T) => R): R | undefined {
  return row === null ? undefined : parse(row);
}
