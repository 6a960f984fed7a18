/** CreatePayment: a reference that is known answers what became of it; any other may begin a sale. */
import { discrepancyHold, type DiscrepancyView } from '../../../contract/discrepancy.ts';
import { refuseAsMaybePaid, refuseField, type Result } from '../../../contract/errors.ts';
import { formatAmount, type Currency } from '../../../contract/money.ts';
import type { PaymentRow } from '../../journal/index.ts';
import { holdsCardNumber } from '../../../log/index.ts';
import { openDiscrepancies } from '../manual-decisions.ts';
import {
  drawTerminalReference,
  obstacle,
  refused,
  type CommandView,
  type Decision,
  type JournalView,
} from './decision.ts';

export interface SaleRequest {
  amountMinor: number;
  reference: string;
  conditionCode: string;
}

export interface SaleResult {
  payment: PaymentRow;
  repeated: boolean;
}

/**
 * The request under its reference, which is made if it has none; or a refusal, because no card number is ever stored. A
 * reference that is known is a repeat, whatever today's rule has against it: refused, the till would pay once more.
 */
export function nameSale(
  view: Pick<CommandView, 'journal' | 'randomInteger'>,
  request: { amountMinor: number; reference: string | null; conditionCode: string },
): Result<SaleRequest> {
  const { journal } = view;
  const { amountMinor, reference, conditionCode } = request;
  if (reference === null)
    return { ok: true, value: { amountMinor, conditionCode, reference: makeReference(view) } };
  if (holdsCardNumber(reference) && journal.paymentByReference(reference) === null) {
    return refuseField(
      'retrieval_reference_number',
      'has a card number in it, which is never stored; use the number of the sale',
    );
  }
  return { ok: true, value: { amountMinor, conditionCode, reference } };
}

export function decideSale(view: CommandView, request: SaleRequest): Decision<SaleResult> {
  const { journal, currency } = view;
  const { amountMinor, reference, conditionCode } = request;
  const known = journal.paymentByReference(reference);
  if (known !== null) return repeatOf(known, request, currency);
  const elsewhere = view.elsewhere(reference);
  if (elsewhere !== null) return { kind: 'refuse', refused: elsewhere };
  const unfit = view.protocol.refuseSale?.({ amountMinor, currency }) ?? null;
  if (unfit !== null) return { kind: 'refuse', refused: refuseField('amount', unfit) };
  const hold = heldBack(journal, amountMinor, currency);
  if (hold !== null) return { kind: 'refuse', refused: refuseAsMaybePaid(hold) };
  const inTheWay = obstacle(view, 'payment');
  if (inTheWay !== null) return inTheWay;
  const maxAmountMinor = amountMinor + Math.floor((amountMinor * view.maxTipPercent) / 100);
  const drawn = drawTerminalReference(view);
  return {
    kind: 'begin',
    operation: {
      ...view.newOperation(),
      type: 'operation_started',
      kind: 'sale',
      reference,
      conditionCode,
      amountMinor,
      ...(maxAmountMinor === amountMinor ? {} : { maxAmountMinor }),
      currency,
      ...drawn,
    },
    order: (driver, watch) => driver.sale({ amountMinor, maxAmountMinor, currency, ...drawn }, watch),
  };
}

function makeReference({ journal, randomInteger }: Pick<CommandView, 'journal' | 'randomInteger'>): string {
  for (;;) {
    const reference = randomInteger(1, 10 ** 12)
      .toString()
      .padStart(12, '0');
    if (journal.paymentByReference(reference) === null) return reference;
  }
}

function repeatOf(
  known: PaymentRow,
  { amountMinor, conditionCode }: SaleRequest,
  currency: Currency,
): Decision<SaleResult> {
  if (
    known.amountMinor === amountMinor &&
    known.conditionCode === conditionCode &&
    known.currency === currency
  ) {
    return { kind: 'answer', value: { payment: known, repeated: true } };
  }
  return refused(
    'reference_conflict',
    `Reference ${known.reference} was used for ${formatAmount(known.amountMinor, known.currency)} ${known.currency} ` +
      `with condition code ${known.conditionCode}. Use a new reference for another payment.`,
  );
}

/** Why an open discrepancy keeps this sale back: a customer may have paid it already. */
function heldBack(journal: JournalView, amountMinor: number, currency: Currency): string | null {
  const holding = firstOf(openDiscrepancies(journal), (found) => holds(found, amountMinor, currency));
  if (holding === undefined) return null;
  return (
    `${holding.message} Until a person has acknowledged this (discrepancy ${holding.discrepancyId}, in the console or ` +
    `with "tillbridge acknowledge"), ` +
    (discrepancyHold[holding.kind] === 'sales'
      ? 'no payment is started.'
      : 'no payment of this amount is started: it may have been paid already.')
  );
}

function firstOf<T>(items: Iterable<T>, fits: (item: T) => boolean): T | undefined {
  for (const item of items) if (fits(item)) return item;
  return undefined;
}

function holds(discrepancy: DiscrepancyView, amountMinor: number, currency: Currency): boolean {
  switch (discrepancyHold[discrepancy.kind]) {
    case 'nothing':
      return false;
    case 'sales':
      return true;
    case 'same_amount':
      return (
        discrepancy.amountMinor === amountMinor &&
        (discrepancy.currency === null || discrepancy.currency === currency)
      );
  }
}
