/**
 * Which fields each message has, in their order (Transbank developer documentation, POS Integrado). The first part of a
 * message is its command of four digits, these are the parts behind it; null is one that stays empty.
 */

/** Which way a message goes. The command 0260 means one thing as a request and another as an answer. */
export type Direction = 'to_terminal' | 'from_terminal';

const fieldNames = [
  'responseCode',
  'commerceCode',
  'terminalId',
  'ticket',
  'authorizationCode',
  'amount',
  'instalments',
  'instalmentAmount',
  'last4',
  'operationNumber',
  'cardType',
  'accountingDate',
  'accountNumber',
  'cardBrand',
  'date',
  'time',
  'employeeId',
  'tip',
  'filler',
  'change',
  'providerCommerceCode',
  'status',
  'sendToEcr',
  'voucher',
  'count',
  'total',
] as const;
export type FieldName = (typeof fieldNames)[number];

export interface MessageForm {
  /** For people. */
  name: string;
  fields: readonly (FieldName | null)[];
}

/** Of a sale, the last sale and their forms with several merchants. */
const saleFields: readonly FieldName[] = [
  'responseCode',
  'commerceCode',
  'terminalId',
  'ticket',
  'authorizationCode',
  'amount',
  'instalments',
  'instalmentAmount',
  'last4',
  'operationNumber',
  'cardType',
  'accountingDate',
  'accountNumber',
  'cardBrand',
  'date',
  'time',
  'employeeId',
  'tip',
  'filler',
  'change',
];
const saleFieldsOfProvider: readonly FieldName[] = [...saleFields, 'providerCommerceCode'];

/** In another order than those of a sale. The Node.js SDK swaps the names of 17 and 18. */
const detailFields: readonly FieldName[] = [
  'responseCode',
  'commerceCode',
  'terminalId',
  'ticket',
  'authorizationCode',
  'amount',
  'last4',
  'operationNumber',
  'cardType',
  'accountingDate',
  'accountNumber',
  'cardBrand',
  'date',
  'time',
  'employeeId',
  'tip',
  'instalmentAmount',
  'instalments',
  'change',
  'providerCommerceCode',
];
const shopFields: readonly FieldName[] = ['responseCode', 'commerceCode', 'terminalId'];

const forms: Readonly<Record<Direction, Readonly<Record<string, MessageForm>>>> = {
  to_terminal: {
    '0100': { name: 'poll', fields: [] },
    '0200': { name: 'sale', fields: ['amount', 'ticket', null, null, 'status'] },
    '0270': {
      name: 'sale for several merchants',
      fields: ['amount', 'ticket', null, null, 'status', 'providerCommerceCode'],
    },
    '0250': { name: 'last sale', fields: [null] },
    '0280': { name: 'last sale for several merchants', fields: ['voucher'] },
    '1200': { name: 'refund', fields: ['operationNumber', null] },
    '0500': { name: 'close', fields: [null, null] },
    '0700': { name: 'totals', fields: [null, null] },
    '0260': { name: 'sales detail', fields: ['sendToEcr', null] },
    '0800': { name: 'load keys', fields: [] },
    '0300': { name: 'normal mode', fields: [] },
  },
  from_terminal: {
    '0210': { name: 'sale result', fields: saleFields },
    '0271': { name: 'sale result for several merchants', fields: saleFieldsOfProvider },
    '0260': { name: 'last sale result', fields: saleFields },
    '0281': { name: 'last sale result for several merchants', fields: saleFieldsOfProvider },
    '0261': { name: 'sales detail line', fields: detailFields },
    '1210': {
      name: 'refund result',
      fields: [...shopFields, 'authorizationCode', 'operationNumber'],
    },
    '0510': { name: 'close result', fields: shopFields },
    '0710': { name: 'totals result', fields: ['responseCode', 'count', 'total'] },
    '0810': { name: 'load keys result', fields: shopFields },
    '0900': { name: 'progress', fields: ['status'] },
  },
};

/** Null: no message of that way has this command. */
export function formOf(command: string, direction: Direction): MessageForm | null {
  const ofDirection = forms[direction];
  return Object.hasOwn(ofDirection, command) ? (ofDirection[command] ?? null) : null;
}

/** Every message that there is. */
export const allForms = (['to_terminal', 'from_terminal'] as const).flatMap((direction) =>
  Object.entries(forms[direction]).map(([command, form]) => ({ command, direction, ...form })),
);

/**
 * Which way a message goes, as far as it says so itself. 0260 as a request has one digit and an empty part, as an answer
 * a response code of two.
 */
export function directionOf(parts: readonly string[]): Direction {
  const [command = '', first = ''] = parts;
  if (command === '0260') return parts.length <= 3 && first.length <= 1 ? 'to_terminal' : 'from_terminal';
  return formOf(command, 'to_terminal') === null ? 'from_terminal' : 'to_terminal';
}
