/** What each alarm says: English, as it is kept and sent. `src/locales/bridge/` has these sentences in other languages. */
import { currencySchema, formatAmount } from '../../contract/money.ts';

export interface OperationInDoubt {
  kind: string;
  reference: string | null;
  amount_minor: number | null;
  currency: string | null;
  /** The bridge's own sentence, or nothing. */
  reason: string;
}

export function operationInDoubt(operation: OperationInDoubt): string {
  return sentences(`${operationName(operation)} is in doubt`, operation.reason);
}

/** `message`: the bridge's own sentence, or nothing. */
export function openDiscrepancy(message: string): string {
  return sentences('There is a discrepancy', message);
}

export function silentBridge(computer: string, wasHeard: boolean): string {
  return `The bridge on ${computer} is ${wasHeard ? 'not heard' : 'not heard, and never was'}.`;
}

/** `message`: what the finding says. */
export function openFinding(kind: string, message: string): string {
  return sentences(kind === 'newer_bridge' ? 'The office is too old' : 'The journal is not right', message);
}

/** `message`: why, as the bridge says it, or nothing. */
export function unwritableJournal(message: string): string {
  return sentences('The journal cannot be written', message);
}

/** `seq`: the event that the bridge has, and the office lacks. */
export function laggingJournal(seq: number): string {
  return `The bridge is heard, but its journal does not come in: event ${seq} is missing here.`;
}

export interface MissingDeposit {
  batch_number: string | null;
  closed_on: string;
  acquirer: string;
  /** `late`, `short`, or `unclear`. */
  state: string;
  /** Why it is unclear. */
  reason: string | null;
  expected_minor: number | null;
  arrived_minor: number | null;
  due_by: string | null;
  currency: string;
}

export function missingDeposit(row: MissingDeposit): string {
  const {
    batch_number,
    closed_on,
    acquirer,
    state,
    reason,
    expected_minor,
    arrived_minor,
    due_by,
    currency,
  } = row;
  const number = batch_number === null ? '' : ` ${batch_number}`;
  const batch = `the batch${number} of ${closed_on} (${amountText(expected_minor, currency)} from ${acquirer})`;
  const due = due_by === null ? '' : `; it was due by ${due_by}`;
  if (state === 'late') return `The money of ${batch} has not come${due}.`;
  if (state === 'short')
    return `Of the money of ${batch} only ${amountText(arrived_minor, currency)} have come${due}.`;
  return `It is unclear whether the money of ${batch} has come${due}${whyUnclear.get(reason ?? '') ?? ''}.`;
}

const whyUnclear = new Map([
  ['account-not-known', ': statements of the account are missing'],
  ['clock-wrong', ': the clock of the till was wrong'],
]);

function amountText(minor: number | null, currency: string): string {
  const known = currencySchema.safeParse(currency);
  if (minor === null || !known.success) return `? ${currency}`;
  return `${formatAmount(minor, known.data)} ${known.data}`;
}

const operationNames = new Map([
  ['sale', 'The sale'],
  ['void', 'The void of'],
  ['batch_close', 'The batch close'],
]);

function operationName({ kind, reference, amount_minor, currency }: OperationInDoubt): string {
  const name = operationNames.get(kind) ?? `The operation ${kind}`;
  const known = currencySchema.safeParse(currency);
  const amount =
    amount_minor === null || !known.success
      ? ''
      : ` (${formatAmount(amount_minor, known.data)} ${known.data})`;
  return `${name}${reference === null ? '' : ` ${reference}`}${amount}`;
}

/** `detail` is a sentence of somebody else's, or nothing. */
function sentences(first: string, detail: string): string {
  return detail.trim() === '' ? `${first}.` : `${first}: ${detail}`;
}
