/**
 * What the journal knows without asking its tables: the rows that it has just written itself. It follows each change that
 * goes into the tables, and is forgotten when a transaction fails, because then nobody knows what came to be.
 */
import { operationAfter, paymentAfter } from './current-rows.ts';
import type { EventRow } from './chain.ts';
import type { QueryValue } from './journal-queries.ts';
import type { OperationRow, PaymentRow, TerminalState } from './journal.ts';
import type { Change } from './projection.ts';
import type { QueryName } from './query-sql.ts';
import { parseOperation, parsePayment, parseState, type OperationSql, type PaymentSql } from './rows.ts';
import type { Tables } from './tables.ts';

export interface Memory extends Tables {
  /** The result of the query, or undefined where the tables have to be asked. */
  answer(name: QueryName, values: readonly QueryValue[]): unknown;
  /** The tables have given this result. */
  learn(name: QueryName, result: unknown): void;
  forget(): void;
}

interface Known {
  payment: PaymentSql | null;
  operation: OperationSql | null;
  /** Certain: no operation is open but, maybe, `operation`. */
  noOtherOpen: boolean;
  state: TerminalState | null;
}

const nothing: Known = { payment: null, operation: null, noOtherOpen: false, state: null };

/** The same tables, and what they were last told. */
export function withMemory(tables: Tables): Memory {
  let known: Known = nothing;
  let latest: EventRow | null = null;

  function paymentIf(isAsked: (row: PaymentSql) => boolean): PaymentRow | undefined {
    const { payment } = known;
    return payment !== null && isAsked(payment) ? parsePayment(payment) : undefined;
  }

  function operationIf(isAsked: (row: OperationSql) => boolean): OperationRow | undefined {
    const { operation } = known;
    return operation !== null && isAsked(operation) ? parseOperation(operation) : undefined;
  }

  const answers: Partial<Record<QueryName, (value: QueryValue | undefined) => unknown>> = {
    payment: (id) => paymentIf(({ transaction_id }) => transaction_id === id),
    paymentByReference: (key) => paymentIf(({ reference }) => reference === key),
    operation: (id) => operationIf(({ operation_id }) => operation_id === id),
    openOperations: () =>
      known.noOtherOpen ? [known.operation].filter(isOpen).map(parseOperation) : undefined,
    state: () => known.state ?? undefined,
  };

  function follow(change: Change, event: EventRow): void {
    const { payment, operation, noOtherOpen } = known;
    const next = operationAfter(operation, change, event);
    const leftOpen = isOpen(operation) && next?.operation_id !== operation.operation_id;
    known = {
      payment: paymentAfter(payment, change, event),
      operation: next,
      noOtherOpen: noOtherOpen && !leftOpen,
      state: change.kind === 'terminal_state' ? parseState(change) : known.state,
    };
  }

  return {
    ...tables,
    insertEvent(row) {
      tables.insertEvent(row);
      latest = row;
    },
    apply(change, seq, at) {
      tables.apply(change, seq, at);
      if (latest?.seq === seq) follow(change, latest);
      else known = nothing;
    },
    answer: (name, [value]) => answers[name]?.(value),
    learn(name, result) {
      if (name !== 'openOperations') return;
      const others = (result as OperationRow[]).filter(
        ({ operationId }) => operationId !== known.operation?.operation_id,
      );
      known = { ...known, noOtherOpen: others.length === 0 };
    },
    forget() {
      known = nothing;
      latest = null;
    },
  };
}

function isOpen(operation: OperationSql | null): operation is OperationSql {
  return operation !== null && operation.phase !== 'ended';
}
