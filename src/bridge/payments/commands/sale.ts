/** CreatePayment: a reference that is known answers what became of it; any other may begin a sale. */
import { conditionCodeSchema, referencePattern } from '../../../contract/commands.ts';
import { discrepancyHold, type DiscrepancyView } from '../../../contract/discrepancy.ts';
import { refuseField, type Refused } from '../../../contract/errors.ts';
import { formatAmount, parseAmount, type Currency } from '../../../contract/money.ts';
import type { PaymentRow } from '../../journal/index.ts';
import { holdsCardNumber } from '../../../log/index.ts';
import { openDiscrepancies } from '../acknowledge.ts';
import { obstacle, refused, type CommandView, type Decision, type JournalView } from './decision.ts';

export interface SaleRequest {
  amountMinor: number;
  reference: string;
  conditionCode: string;
}

export interface SaleResult {
  payment: PaymentRow;
  repeated: boolean;
}

const defaultConditionCode = '00';

/** The request as it may be carried out, or what is wrong with it. Makes a reference where the settings say so. */
export function checkSale(
  view: Pick<CommandView, 'journal' | 'currency' | 'makeReferences' | 'randomInteger'>,
  request: { amount: string; reference: string | null; conditionCode: string | null },
): { ok: true; value: SaleRequest } | Refused {
  const parsed = parseAmount(request.amount, view.currency);
  if (!parsed.ok) return refuseField('amount', parsed.message);
  const conditionCode = request.conditionCode ?? defaultConditionCode;
  if (!conditionCodeSchema.safeParse(conditionCode).success) {
    return refuseField('condition_code', 'must be 1 to 8 letters or digits, such as "00"');
  }
  const reference = request.reference ?? (view.makeReferences ? makeReference(view) : null);
  if (reference === null) return refuseField('retrieval_reference_number', missingReference);
  const wrong = wrongReference(view.journal, reference);
  if (wrong !== null) return refuseField('retrieval_reference_number', wrong);
  return { ok: true, value: { amountMinor: parsed.amountMinor, reference, conditionCode } };
}

export function decideSale(view: CommandView, request: SaleRequest): Decision<SaleResult> {
  const { journal, currency } = view;
  const { amountMinor, reference, conditionCode } = request;
  const known = journal.paymentByReference(reference);
  if (known !== null) return repeatOf(known, request, currency);
  const hold = heldBack(journal, amountMinor, currency);
  if (hold !== null) return refused('payment_unresolved', hold);
  const inTheWay = obstacle(view, 'payment');
  if (inTheWay !== null) return inTheWay;
  const maxAmountMinor = amountMinor + Math.floor((amountMinor * view.maxTipPercent) / 100);
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
    },
    order: (driver, watch) => driver.sale({ amountMinor, maxAmountMinor, currency }, watch),
  };
}

const missingReference =
  'is required: it is the key under which a repeated request is recognised, and without it a repeat would be a second sale';

/** A reference that is known is a repeat, whatever today's rule has against it: refused, the till would pay once more. */
function wrongReference(journal: JournalView, reference: string): string | null {
  if (!referencePattern.test(reference))
    return 'must be 1 to 40 characters of A–Z, a–z, 0–9, ".", "_" and "-"';
  if (holdsCardNumber(reference) && journal.paymentByReference(reference) === null)
    return 'has a card number in it, which is never stored; use the number of the sale';
  return null;
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
