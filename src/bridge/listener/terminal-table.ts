/**
 * The terminals that a request can be for: chosen by the header `x-terminal`, or found by the reference of a payment. A
 * reference is of one terminal at most (`takenElsewhere` in `bridge.ts`), so wherever it is known, that terminal answers:
 * a till that names none, or the wrong one, is never told "not found" of a payment that exists.
 */
import { refuse, type PaymentState, type Result } from '../../contract/errors.ts';
import type { Currency } from '../../contract/money.ts';
import { mainTerminal, normalTerminalName } from '../../contract/terminal-name.ts';
import type { MoneyCommand, PaymentsApi } from '../payments/index.ts';

export interface ListenerTerminal {
  readonly name: string;
  readonly payments: PaymentsApi;
  readonly currency: Currency;
  /** The configuration has it no more. */
  readonly retired: boolean;
}

export interface TerminalTable {
  /** The main one first. */
  readonly all: readonly ListenerTerminal[];
  readonly main: ListenerTerminal;
  /** More than one: then answers say which terminal they are about. */
  readonly several: boolean;
  /** By the value of the header; the main one where there is no header. */
  choose(header: string | undefined): Result<ListenerTerminal>;
  /**
   * The terminal that has a payment with this reference, or is admitting one. Else one whose journal cannot be read,
   * because it may have one; else `chosen`.
   */
  withReference(reference: string, chosen: ListenerTerminal): ListenerTerminal;
  /** Those that are admitting a payment with this reference: more than one where tills have sent it to several. */
  admitting(reference: string): readonly ListenerTerminal[];
  /** Resolves when no terminal is admitting a payment with this reference. */
  admitted(reference: string): Promise<void>;
  knows(terminal: ListenerTerminal, reference: string): boolean;
  /** As `PaymentsApi.paymentState`, of whichever terminal the reference is of. */
  paymentState(command: MoneyCommand, reference: string, chosen: ListenerTerminal): PaymentState;
}

export function createTerminalTable(
  main: Pick<ListenerTerminal, 'payments' | 'currency'>,
  others: readonly ListenerTerminal[],
): TerminalTable {
  const first: ListenerTerminal = { ...main, name: mainTerminal, retired: false };
  const all = [first, ...others];
  const byName = new Map(all.map((terminal) => [terminal.name, terminal]));
  const names = all.flatMap(({ name, retired }) => (retired ? [] : [`"${name}"`])).join(', ');

  function withReference(reference: string, chosen: ListenerTerminal): ListenerTerminal {
    if (all.length === 1) return chosen;
    const inOrder = [chosen, ...all.filter((terminal) => terminal !== chosen)];
    // What is in a journal first: another terminal may be about to refuse the same reference.
    return (
      inOrder.find(({ payments }) => payments.queryPayment(reference).ok) ??
      inOrder.find(({ payments }) => payments.admission(reference) !== null) ??
      inOrder.find(isUnreadable) ??
      chosen
    );

    function isUnreadable({ payments }: ListenerTerminal): boolean {
      const found = payments.queryPayment(reference);
      return !found.ok && found.refusal.code !== 'payment_not_found';
    }
  }

  return {
    all,
    main: first,
    several: all.length > 1,
    choose(header) {
      if (header === undefined) return { ok: true, value: first };
      const found = byName.get(normalTerminalName(header));
      if (found !== undefined) return { ok: true, value: found };
      return refuse(
        'unknown_terminal',
        `This bridge has no terminal of the name that x-terminal gives. Its terminals: ${names}.`,
      );
    },
    withReference,
    admitting: (reference) => all.filter(({ payments }) => payments.admission(reference) !== null),
    async admitted(reference) {
      const admission = () =>
        all.map(({ payments }) => payments.admission(reference)).find((one) => one !== null);
      for (let waiting = admission(); waiting !== undefined; waiting = admission()) await waiting;
    },
    knows,
    paymentState(command, reference, chosen) {
      // Of a batch only its own terminal knows.
      const terminal = command === 'SubmitBatch' ? chosen : withReference(reference, chosen);
      return terminal.payments.paymentState(command, reference);
    },
  };
}

/**
 * The name of another terminal for which no new reference is paid on `asking` (`takenElsewhere` in `bridge.ts`): its journal
 * may miss payments. Null: there is none.
 */
export function heldElsewhere(
  terminals: readonly { name: string; payments: Pick<PaymentsApi, 'mayMissPayments'> }[],
  asking: string,
): string | null {
  const found = terminals.find(({ name, payments }) => name !== asking && payments.mayMissPayments());
  return found?.name ?? null;
}

function knows({ payments }: ListenerTerminal, reference: string): boolean {
  return payments.admission(reference) !== null || payments.queryPayment(reference).ok;
}

/** For a request that moves something: the payment is on another terminal than the one that the till has named. */
export function onOtherTerminal(reference: string, terminal: string, named: string) {
  return refuse(
    'reference_on_other_terminal',
    `Payment ${reference} is on the terminal "${terminal}", not on "${named}", so nothing was sent. Send x-terminal: ${terminal}.`,
  );
}
