/** What discrepancies say: sentences for cashier and support. */
import type { BatchResult, OperationStarted, SaleStarted } from '../../contract/journal-events.ts';
import { formatAmount, type Currency } from '../../contract/money.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import type { TerminalRecord } from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/index.ts';

/** The terminal charged `chargedMinor` for it. */
export function otherAmount({ reference, amountMinor, currency }: SaleStarted, chargedMinor: number): string {
  const [asked, charged] = [money(amountMinor, currency), money(chargedMinor, currency)];
  return `Payment ${reference} was asked for ${asked}, but the terminal charged ${charged}.`;
}

export function otherAmountRefused(operation: SaleStarted, chargedMinor: number): string {
  return (
    `${otherAmount(operation, chargedMinor)} The bridge did not accept that, which makes the ` +
    'terminal undo the payment. Check at the terminal that it did.'
  );
}

export function batchDiffers(about: {
  differences: BatchResult['differences'];
  /** References of ours. */
  inQuestion: string[];
  /** Those in question were chosen by their amount, and a count, which the terminal does not tell, might name others. */
  mayBeOthers: boolean;
  /** A person said that it was closed. */
  byPerson: boolean;
  currency: Currency;
}): string {
  const { differences, inQuestion, currency } = about;
  const figures = differences.map(({ scheme, ...difference }) => {
    const { terminalCount, terminalTotalMinor, journalCount, journalTotalMinor } = difference;
    const theirs = `${terminalCount === null ? '' : `${terminalCount} for `}${money(terminalTotalMinor, currency)}`;
    return `${scheme}: the terminal has ${theirs}, the journal ${journalCount} for ${money(journalTotalMinor, currency)}`;
  });
  const incomplete = about.byPerson
    ? 'A person said that the batch was closed. Nothing shows that it held all that the journal expected in it.'
    : 'The closed batch does not hold all that the journal expected in it.';
  const what =
    figures.length === 0
      ? incomplete
      : `The terminal’s totals of the closed batch differ from the journal’s (${figures.join('; ')}).`;
  const ours =
    inQuestion.length === 0
      ? 'None of our payments is in question.'
      : `${oneOrMore(inQuestion, 'payment is', 'payments are')} in question and ${stays(inQuestion)} approved.`;
  const others = about.mayBeOthers
    ? ' The terminal does not say how many payments it counted, so different ones may be missing.'
    : '';
  return `${what} ${ours}${others}`;
}

/** `undoes`: the terminal takes back what is not acknowledged. */
export function lateResult(
  operation: OperationStarted,
  outcome: OperationOutcome,
  { approved }: TerminalRecord,
  undoes: boolean,
): string {
  const next = undoes
    ? 'The bridge did not accept this result, which makes the terminal undo it. Check at the terminal that it did.'
    : 'The terminal does not undo it by itself. Look at its last receipts.';
  const decided = `but it had been decided as ${outcomeText(outcome)} before`;
  return approved
    ? `The terminal reported late that ${nameOf(operation)} was ${doneText(operation)}, ${decided}. ${next}`
    : `The terminal reported late that it had refused ${nameOf(operation)}, ${decided}. No money moved. Check what ` +
        'was decided.';
}

/** By its number it may be the operation's own, or of something that was done meanwhile and that nobody has seen. */
export function unplacedResult(
  operation: OperationStarted,
  outcome: OperationOutcome,
  record: TerminalRecord,
  undoes: boolean,
): string {
  const name = nameOf(operation);
  const next = undoes
    ? 'so the bridge did not accept this result, which makes the terminal undo it.'
    : 'so it counts for nothing here. The terminal does not undo it by itself.';
  return (
    `The terminal reported late that something was ${doneText(operation)} (${numbersOf(record)}), perhaps ${name}. Its number ` +
    `does not follow on the last one that the bridge has seen, ${next} ${recordedAs(operation, outcome)}`
  );
}

export function recordedAs(operation: OperationStarted, outcome: OperationOutcome): string {
  return (
    `${capital(nameOf(operation))} is recorded as ${outcomeText(outcome)}. ` +
    'Check at the terminal whether that is right.'
  );
}

/** `operations`: all of one kind. */
export function resultOfSeveral(operations: readonly OperationStarted[], record: TerminalRecord): string {
  const done = operations.some(({ kind }) => kind === 'sale') ? 'charged' : 'carried out';
  const said = record.approved
    ? `something was ${done} (${numbersOf(record)})`
    : `it had refused something (${record.resultText ?? 'refused'})`;
  return (
    `The terminal reported late that ${said}. That may have been ${oneOf(operations)}: its answer does not say which, ` +
    'so it counts for none of them. Look at the terminal’s last receipts.'
  );
}

function oneOf(operations: readonly OperationStarted[]): string {
  const references = operations.flatMap((one) => (one.kind === 'batch_close' ? [] : [one.reference]));
  const named = [...new Set(references)].join(', ');
  if (operations.some(({ kind }) => kind === 'sale')) return `one of the payments ${named}`;
  return references.length > 0 ? `one of the voids of ${named}` : 'one of the batch closes';
}

export function undone(operation: OperationStarted, outcome: OperationOutcome): string {
  return (
    `${capital(nameOf(operation))} was recorded as ${outcomeText(outcome)}, but the last thing that the terminal shows is older, so ` +
    'it may not have happened.'
  );
}

/** Asked for this very operation, the terminal does not have it. */
export function notKnown(operation: OperationStarted, outcome: OperationOutcome): string {
  return (
    `${capital(nameOf(operation))} was recorded as ${outcomeText(outcome)}, but the terminal, asked for it, does not have it. ` +
    'It may not have happened.'
  );
}

export function refusedAfterAll(
  operation: OperationStarted,
  outcome: OperationOutcome,
  record: TerminalRecord,
): string {
  return (
    `${capital(nameOf(operation))} was recorded as ${outcomeText(outcome)}, but the terminal now shows that it was not ${doneText(operation)} ` +
    `(${numbersOf(record)}: ${record.resultText ?? 'refused'}).`
  );
}

export function contradicted(
  operation: OperationStarted,
  outcome: OperationOutcome,
  record: TerminalRecord,
): string {
  const next = operation.kind === 'sale' ? 'The customer may have paid.' : 'Look at the terminal.';
  return (
    `${capital(nameOf(operation))} was recorded as ${outcomeText(outcome)}, but the terminal shows that it was ` +
    `${doneText(operation)} (${numbersOf(record)}). ${next}`
  );
}

export function unexplainedPayment(record: TerminalRecord, currency: Currency): string {
  const sum = amountOf(record, currency);
  return `The terminal shows ${aPayment(record)} of ${sum} (${numbersOf(record)}) that the bridge did not make.`;
}

/** The terminal told it by itself, or as an answer to something that the journal does not know. */
export function nobodysPayment(record: TerminalRecord, currency: Currency): string {
  return (
    `The terminal reported a payment of ${amountOf(record, currency)} (${numbersOf(record)}) that is not in the journal. ` +
    'The terminal does not undo it.'
  );
}

export function approvedAfterRefusal(operation: OperationStarted, record: TerminalRecord): string {
  return (
    `The terminal had refused ${nameOf(operation)}, and then reported it as charged (${numbersOf(record)}), which it does not ` +
    'undo. Look at its last receipts: the customer may have paid.'
  );
}

/** `reference`: of the payment of ours that was reversed; null when it is not known. */
export function unexplainedReversal(
  reference: string | null,
  record: TerminalRecord,
  currency: Currency,
): string {
  const what = reference === null ? 'something' : `payment ${reference}`;
  const sum = amountOf(record, currency);
  return `The terminal reversed ${what} (${sum}, ${numbersOf(record)}), and the bridge did not ask for it.`;
}

/** `reference`: of the payment of ours that was to be settled. */
export function undoneBeforeClose(reference: string, record: TerminalRecord, currency: Currency): string {
  return (
    `The terminal no longer holds payment ${reference} as paid (${amountOf(record, currency)}, ${numbersOf(record)}), ` +
    'so it is not settled with the batch. Check whether the customer has the money back.'
  );
}

/** The terminal holds it as `record` by now. */
export function differingBeforeClose(
  {
    reference,
    amountMinor,
    currency,
    result,
  }: Pick<PaymentRow, 'reference' | 'amountMinor' | 'currency' | 'result'>,
  record: TerminalRecord,
): string {
  const approved = money(result?.amountMinor ?? amountMinor, currency);
  return (
    `The terminal now holds payment ${reference} at ${amountOf(record, currency)} instead of ${approved}; a tip may have been ` +
    'changed there. It is not settled with the batch and stays approved. Look at the terminal’s list of transactions.'
  );
}

export function untoldBeforeClose(payments: PaymentRow[]): string {
  return (
    `The terminal did not tell whether ${oneOrMore(payments, 'payment', 'payments')} of ours still stood there when the batch was ` +
    'to be settled. What it did not tell is not settled and stays approved. Look at its list of transactions.'
  );
}

export function behindClose(payments: PaymentRow[]): string {
  return (
    `The journal had lost that this batch was closed. ${oneOrMore(payments, 'payment', 'payments')} of ours came after it: no close ` +
    'settles what came then, and it can no longer be voided here. Compare the terminal’s receipts and its next report.'
  );
}

/** Approved only now: nothing of ours settles it any more. */
export function behindBoundary(reference: string): string {
  return (
    `Payment ${reference} stands as approved now. While it was in doubt, the day was closed without the bridge, or another ` +
    'terminal came on this line: no close of the bridge settles it, and it can no longer be voided here. Check that its money ' +
    'arrives.'
  );
}

export function unexplainedBatchClose(unsettled: PaymentRow[]): string {
  return `The day was closed at the terminal, not by the bridge. ${whatIsInIt(unsettled)}`;
}

/** `payment`: of ours, whose numbers do not go on from those of the one before. */
export function batchClosedBefore(payment: TerminalRecord, unsettled: PaymentRow[]): string {
  return (
    `With our last payment (${numbersOf(payment)}) a new batch has begun at the terminal: the one before was closed, and not by the ` +
    `bridge, or another terminal is connected. ${whatIsInIt(unsettled)}`
  );
}

function whatIsInIt(unsettled: PaymentRow[]): string {
  return unsettled.length === 0
    ? 'No approved payment of ours is affected.'
    : `${oneOrMore(unsettled, 'payment', 'payments')} of ours may be in it: ${unsettledNow(unsettled)}`;
}

export function unseenRecords(record: TerminalRecord | null, unsettled: PaymentRow[]): string {
  const what =
    record === null
      ? 'The terminal shows no record any more.'
      : `The terminal did things before its last record (${numbersOf(record)}) that the bridge has not seen.`;
  return `${what} ${whatCannotBeVoided(unsettled)}`;
}

export function changedTerminal(unsettled: PaymentRow[]): string {
  return (
    'Another terminal answers on this line. On the one before, ' +
    `${oneOrMore(unsettled, 'payment of ours was', 'payments of ours were')} not settled: ${unsettledNow(unsettled)}`
  );
}

export function usedTerminal(record: TerminalRecord): string {
  return (
    `Another terminal answers on this line. What it did before, up to its last record (${numbersOf(record)}), is ` +
    'not in the journal. No approved payment of ours is affected.'
  );
}

function nameOf(operation: OperationStarted): string {
  if (operation.kind === 'batch_close') return 'the batch close';
  return `${operation.kind === 'sale' ? 'payment' : 'the void of payment'} ${operation.reference}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A reversal that names no payment has nothing that tells it from one. */
function aPayment({ traceNumber }: TerminalRecord): string {
  return traceNumber === null ? 'a payment or a reversal' : 'a payment';
}

function numbersOf({ receiptNumber, traceNumber }: TerminalRecord): string {
  if (receiptNumber !== null) return `receipt ${receiptNumber}`;
  return traceNumber === null ? 'without a number' : `trace number ${traceNumber}`;
}

function amountOf({ amountMinor, currency }: TerminalRecord, otherwise: Currency): string {
  return amountMinor === null ? 'an unknown amount' : money(amountMinor, currency ?? otherwise);
}

function money(amountMinor: number, currency: Currency): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

function whatCannotBeVoided(payments: PaymentRow[]): string {
  if (payments.length === 0) return 'No approved payment of ours is affected.';
  return `${oneOrMore(payments, 'earlier payment', 'earlier payments')} of ours can no longer be voided here.`;
}

/** What becomes of payments that nobody can settle or void. */
function unsettledNow(payments: PaymentRow[]): string {
  return `${payments.length === 1 ? 'it' : 'they'} ${stays(payments)} approved and can no longer be voided here.`;
}

function oneOrMore({ length }: readonly unknown[], one: string, more: string): string {
  return `${length} ${length === 1 ? one : more}`;
}

function stays({ length }: readonly unknown[]): string {
  return length === 1 ? 'stays' : 'stay';
}

function doneText({ kind }: OperationStarted): string {
  return kind === 'sale' ? 'charged' : 'carried out';
}

function outcomeText(outcome: OperationOutcome): string {
  return outcome.replace('_', ' ');
}
