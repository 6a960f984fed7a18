/**
 * Bytes whose bits or values mean something each (ZVT PA00P015), in words for people. What the documents leave to the
 * manufacturer, or reserve, has none.
 */

interface Meaning {
  /** Bits of this value and nothing else count; a whole value where the mask is FF. */
  mask: number;
  value: number;
  text: string;
}

const bit = (value: number, text: string): Meaning => ({ mask: value, value, text });
const exactly = (value: number, text: string): Meaning => ({ mask: 0xff, value, text });
const upper = (value: number, text: string): Meaning => ({ mask: 0xf0, value, text });

/** BMP 19 of a command: who chooses how the card is used, and what else. */
const askedPaymentType: readonly Meaning[] = [
  upper(0x00, 'direct debit, offline'),
  upper(0x10, 'GeldKarte'),
  upper(0x20, 'direct debit, online'),
  upper(0x30, 'with PIN'),
  upper(0x40, 'the card decides'),
  upper(0x50, 'the card decides, GeldKarte included'),
  bit(0x02, 'the card that was read before'),
  bit(0x04, 'printer ready'),
  bit(0x08, 'a tip is possible'),
];
/** BMP 19 of a result. */
const usedPaymentType: readonly Meaning[] = [
  exactly(0x40, 'offline'),
  exactly(0x50, 'card checked, nothing authorised'),
  exactly(0x60, 'online'),
  exactly(0x70, 'with PIN'),
];

const tables: Readonly<Record<string, readonly Meaning[]>> = {
  configByte: [
    bit(0x02, 'the POS prints payment receipts'),
    bit(0x04, 'the POS prints other receipts'),
    bit(0x08, 'with intermediate status'),
    bit(0x10, 'payments only from the POS'),
    bit(0x20, 'administration only from the POS'),
    bit(0x80, 'receipts as lines to print'),
  ],
  'serviceByte 0600': [
    bit(0x01, 'no service menu on the function key'),
    bit(0x02, 'display in capital letters'),
  ],
  'serviceByte 0501': [bit(0x02, 'without the software version'), bit(0x04, 'further status')],
  'serviceByte 0620': [bit(0x01, 'send the status information'), bit(0x02, 'do not print')],
  statusByte: [
    exactly(0x00, 'nothing to do'),
    bit(0x01, 'initialisation needed'),
    bit(0x02, 'diagnosis needed'),
    bit(0x04, 'OPT action needed'),
    bit(0x08, 'filling station mode'),
    bit(0x10, 'vending machine mode'),
  ],
  receiptType: [
    exactly(0x01, 'merchant’s receipt'),
    exactly(0x02, 'customer’s receipt'),
    exactly(0x03, 'administration receipt'),
  ],
  cardholderAuth: [
    exactly(0x00, 'none'),
    exactly(0x01, 'signature'),
    exactly(0x02, 'PIN, online'),
    exactly(0x03, 'PIN, offline, encrypted'),
    exactly(0x04, 'PIN, offline, not encrypted'),
    exactly(0x05, 'PIN, offline, encrypted, and signature'),
    exactly(0x06, 'PIN, offline, not encrypted, and signature'),
    exactly(0x07, 'PIN, online, and signature'),
    exactly(0xff, 'not known'),
  ],
  cardTechnology: [exactly(0x00, 'magnetic stripe'), exactly(0x01, 'chip'), exactly(0x02, 'contactless')],
};

/**
 * What a byte says, one text for each bit that is set, in the order of the documents; none where they say nothing. `key` as in
 * `describeFields`, `ctrl` the control field of the message.
 */
export function bitFieldTexts(key: string, ctrl: string, byte: number): string[] {
  const table =
    key === 'paymentType'
      ? ctrl === '040f'
        ? usedPaymentType
        : askedPaymentType
      : (tables[key] ?? tables[`${key} ${ctrl}`] ?? []);
  return table.filter(({ mask, value }) => (byte & mask) === value).map(({ text }) => text);
}

/** Keys for some byte of which there are words. */
export const bitFieldKeys: readonly string[] = [
  'paymentType',
  ...new Set(Object.keys(tables).map((key) => key.split(' ')[0] ?? key)),
];
