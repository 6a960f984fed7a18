/**
 * The fields that ECR-EDC terminals send (KBTG Link POS Specification 1.5.0, and what terminals of other acquirers were
 * seen to send): what each is called, and what of it may be kept.
 */

/** How a value has to be treated before anybody sees it. */
export type Treatment =
  /** The card number: only its last four digits stay. */
  | 'card_number'
  /** Nothing of it is needed: all of it goes. */
  | 'erase'
  /** Its form is documented, too short for a card number or none at all. */
  | 'plain'
  /** A text in which a card number may stand. */
  | 'text'
  /** Anything, also a card number in BCD. */
  | 'unknown';

export interface FieldKind {
  /** For people; its German is in the file of the bridge's sentences. */
  name: string;
  treatment: Treatment;
  /** Longest value of a `plain` one; a longer value is treated as a text. */
  maxLength?: number;
}

/** The types that code asks for by name. */
export const fieldType = {
  approvalCode: '01',
  responseText: '02',
  date: '03',
  time: '04',
  terminalId: '16',
  cardNumber: '30',
  amount: '40',
  tip: '41',
  cashback: '42',
  batchNumber: '50',
  invoice: '65',
  merchantId: 'D1',
  issuerName: 'D2',
  batchSum: 'H2',
  host: 'HN',
  reference1: 'R1',
  reference2: 'R2',
} as const;

const plain = (name: string, maxLength: number): FieldKind => ({ name, treatment: 'plain', maxLength });
const text = (name: string): FieldKind => ({ name, treatment: 'text' });
const other = (name: string): FieldKind => ({ name, treatment: 'unknown' });
const erased = (name: string): FieldKind => ({ name, treatment: 'erase' });

const kinds: Readonly<Record<string, FieldKind>> = {
  '01': plain('approval code', 6),
  '02': text('text'),
  '03': plain('date', 6),
  '04': plain('time', 6),
  '06': text('merchant number'),
  '16': plain('terminal id', 8),
  '30': { name: 'card number', treatment: 'card_number' },
  '31': erased('expiry date'),
  '40': plain('amount', 12),
  '41': plain('tip', 12),
  '42': plain('cashback', 12),
  '43': plain('tax', 12),
  '44': plain('balance', 12),
  '45': plain('balance', 12),
  '50': plain('batch number', 6),
  '65': plain('invoice number', 6),
  A1: text('kind of payment'),
  A3: text('QR data'),
  A4: text('transaction id'),
  A5: text('bank'),
  A6: text('kind of payment'),
  D0: text('merchant name'),
  D1: plain('merchant id', 15),
  D2: text('card name'),
  D3: plain('retrieval reference', 12),
  D4: plain('card issuer', 2),
  D5: erased('cardholder name'),
  D6: other('additional data'),
  D7: other('additional data'),
  D8: other('additional data'),
  // On some terminals the names of these are FH, FI and FJ.
  EF: text('card application'),
  EG: text('card application'),
  EH: plain('cryptogram', 16),
  FH: other('card application'),
  FI: plain('verification results', 10),
  FJ: plain('status of the card', 7),
  H1: plain('count of payments', 12),
  H2: plain('sum of payments', 12),
  HN: plain('host', 3),
  J6: plain('bank', 3),
  R1: text('POS reference'),
  R2: text('second POS reference'),
};

const unknownKind: FieldKind = { name: 'unknown field', treatment: 'unknown' };

/** What is known of a field type (two characters); an unknown one may hold anything. */
export function kindOfField(type: string): FieldKind {
  return Object.hasOwn(kinds, type) ? (kinds[type] ?? unknownKind) : unknownKind;
}

/** Names that a field can have. */
export const fieldKindNames: readonly string[] = [
  ...new Set([...Object.values(kinds), unknownKind].map(({ name }) => name)),
];
