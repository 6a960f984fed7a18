/**
 * Where the fields of each message stand (Nexi "Traditional POS" developer pages; lengths of the answers to X from public
 * libraries). Positions count from 1. Each message begins with the terminal id (8 digits), a zero and its code at 10. What
 * no field covers is zeros.
 */

/** Which way a message goes. Half of the codes mean one thing as a request and another as an answer. */
export type Direction = 'to_terminal' | 'from_terminal';

export type FieldName =
  | 'cashRegisterId'
  | 'additionalData'
  | 'cardPresent'
  | 'paymentType'
  | 'amount'
  | 'text'
  | 'stan'
  | 'printOnEcr'
  | 'ticketType'
  | 'result'
  | 'panLast4'
  | 'entry'
  | 'authorizationCode'
  | 'hostDateTime'
  | 'description'
  | 'cardType'
  | 'acquirerId'
  | 'onlineId'
  | 'actionCode'
  | 'hostAmount'
  | 'originalAmount'
  | 'dccApplied'
  | 'dccRate'
  | 'dccCurrency'
  | 'dccAmount'
  | 'dccPrecision'
  | 'posTotal'
  | 'hostTotal'
  | 'dateTime'
  | 'status'
  | 'software';

/** What fills a field up: zeros or blanks before it, or blanks behind it. */
type Fill = 'zeros' | 'blanks_before' | 'blanks_behind';

export interface Field {
  name: FieldName;
  position: number;
  /** Null: up to the end of the message, as it is. */
  length: number | null;
  fill: Fill;
  /** Only there with result 00, or only with another one. */
  when?: 'done' | 'not_done';
}

export interface Layout {
  code: string;
  direction: Direction;
  /** For people. */
  name: string;
  length: number;
  /** Shorter ones lack fields; between it and `length` only zeros are missing. */
  minLength: number;
  fields: readonly Field[];
}

const field = (
  name: FieldName,
  position: number,
  length: number | null,
  fill: Fill = 'zeros',
  when?: 'done' | 'not_done',
): Field => ({ name, position, length, fill, ...(when === undefined ? {} : { when }) });

const request = (code: string, name: string, length: number, ...fields: Field[]): Layout => ({
  code,
  direction: 'to_terminal',
  name,
  length,
  minLength: length,
  fields,
});

const answer = (
  code: string,
  name: string,
  { length, minLength }: { length: number; minLength: number },
  ...fields: Field[]
): Layout => ({ code, direction: 'from_terminal', name, length, minLength, fields });

const cashRegister = field('cashRegisterId', 11, 8);
const paymentFields = [
  cashRegister,
  field('additionalData', 19, 1),
  field('cardPresent', 22, 1),
  field('paymentType', 23, 1),
  field('amount', 24, 8),
  field('text', 32, 128, 'blanks_before'),
];

/** Up to 71. Results 05 and 09 are read as refusals, which is how the documentation groups them. */
const resultFields = [
  field('result', 11, 2),
  field('panLast4', 13, 19, 'zeros', 'done'),
  field('entry', 32, 3, 'blanks_behind', 'done'),
  field('authorizationCode', 35, 6, 'blanks_behind', 'done'),
  field('hostDateTime', 41, 7, 'zeros', 'done'),
  field('description', 13, 24, 'blanks_behind', 'not_done'),
  field('cardType', 48, 1),
  field('acquirerId', 49, 11, 'blanks_behind'),
  field('stan', 60, 6),
  field('onlineId', 66, 6),
];
const actionCode = field('actionCode', 72, 3);

/** Every message that is read by its fields. Those of one code and direction stand in the order of their lengths. */
export const layouts: readonly Layout[] = [
  request('s', 'status', 10),
  request('P', 'payment', 167, ...paymentFields),
  request('X', 'payment with extended answer', 167, ...paymentFields),
  request('p', 'pre-authorisation', 167, ...paymentFields),
  request('G', 'last result', 22, cashRegister, field('additionalData', 19, 1)),
  request('S', 'reversal', 26, cashRegister, field('stan', 19, 6), field('additionalData', 25, 1)),
  request('T', 'totals', 26, cashRegister, field('additionalData', 19, 1)),
  request('C', 'close', 26, cashRegister, field('additionalData', 19, 1)),
  request('E', 'print on the till', 11, field('printOnEcr', 11, 1)),
  request('R', 'print again', 22, field('printOnEcr', 11, 1), field('ticketType', 12, 1)),
  answer('E', 'payment result', { length: 71, minLength: 71 }, ...resultFields),
  answer('E', 'reversal result', { length: 84, minLength: 74 }, ...resultFields, actionCode),
  answer(
    'E',
    'extended payment result',
    { length: 92, minLength: 85 },
    ...resultFields,
    actionCode,
    field('hostAmount', 75, 8),
  ),
  answer(
    'V',
    'payment result with currency conversion',
    { length: 117, minLength: 107 },
    ...resultFields,
    actionCode,
    field('originalAmount', 75, 8),
    field('dccApplied', 83, 1),
    field('dccRate', 84, 8),
    field('dccCurrency', 92, 3, 'blanks_behind'),
    field('dccAmount', 95, 12),
    field('dccPrecision', 107, 1),
  ),
  answer(
    's',
    'status result',
    { length: 31, minLength: 31 },
    field('dateTime', 21, 10),
    field('status', 31, 1),
    field('software', 32, null),
  ),
  answer(
    'T',
    'totals result',
    { length: 34, minLength: 28 },
    field('result', 11, 2),
    field('posTotal', 13, 16),
  ),
  answer(
    'T',
    'totals result with those of the bank',
    { length: 44, minLength: 44 },
    field('result', 11, 2),
    field('posTotal', 13, 16),
    field('hostTotal', 29, 16),
  ),
  answer(
    'C',
    'close result',
    { length: 44, minLength: 34 },
    field('result', 11, 2),
    field('posTotal', 13, 16, 'zeros', 'done'),
    field('hostTotal', 29, 16, 'zeros', 'done'),
    field('description', 13, 19, 'blanks_behind', 'not_done'),
    field('actionCode', 32, 3, 'zeros', 'not_done'),
  ),
  answer('S', 'part of a ticket', { length: 11, minLength: 11 }, field('text', 11, null)),
];

/**
 * The layout of a message of `length` characters: of several, the longest that it can be. One that is shorter than each
 * gets the shortest; null is for a code that there is not.
 */
export function layoutOf(code: string, direction: Direction, length: number): Layout | null {
  const all = layouts.filter((layout) => layout.code === code && layout.direction === direction);
  return all.findLast(({ minLength }) => length >= minLength) ?? all[0] ?? null;
}

/** Which way a message goes, as far as its code and its length say so. */
export function directionOf(code: string, text: string): Direction {
  const asRequest = layouts.find((layout) => layout.code === code && layout.direction === 'to_terminal');
  if (asRequest === undefined) return 'from_terminal';
  if (!layouts.some((layout) => layout.code === code && layout.direction === 'from_terminal'))
    return 'to_terminal';
  // A part of a ticket can be as long as a reversal, and has words.
  return text.length <= asRequest.length && /^\d*$/.test(text.slice(10)) ? 'to_terminal' : 'from_terminal';
}
