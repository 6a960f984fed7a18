/** The cards in the simulated customer's wallet. No number is whole: a terminal sends its digits masked. */

export const cardKeys = ['girocard', 'mastercard', 'visa', 'maestro', 'amex', 'v_pay'] as const;
export type CardKey = (typeof cardKeys)[number];

export interface TestCard {
  key: CardKey;
  /** BMP 22 as a terminal sends it: nibble E for a masked digit, F to fill up an odd count. */
  maskedNumberHex: string;
  /** The same for people: `*` for a masked digit. */
  maskedNumber: string;
  /** The card type (ZVT PA00P015, BMP 8A) and the card's name (BMP 8B). */
  cardType: number;
  name: string;
  /** BMP 0E, YYMM, masked by nothing since it identifies nobody. */
  expiry: string;
  /** BMP 19 of a result: 70 PIN, 60 online with signature. */
  paymentType: '70' | '60';
  /** Tag 1F10: 00 none, 01 signature, 02 online PIN. Tag 1F12: 01 chip, 02 contactless. */
  cardholderCheck: '00' | '01' | '02';
  technology: '01' | '02';
}

function card(
  digits: number,
  lastFour: string,
  rest: Omit<TestCard, 'maskedNumberHex' | 'maskedNumber'>,
): TestCard {
  const filler = digits % 2 === 1 ? 'f' : '';
  return {
    ...rest,
    maskedNumber: '*'.repeat(digits - lastFour.length) + lastFour,
    maskedNumberHex: 'e'.repeat(digits - lastFour.length) + lastFour + filler,
  };
}

const cards: Readonly<Record<CardKey, TestCard>> = {
  girocard: card(19, '4771', {
    key: 'girocard',
    cardType: 5,
    name: 'girocard',
    expiry: '3112',
    paymentType: '70',
    cardholderCheck: '02',
    technology: '01',
  }),
  mastercard: card(16, '0019', {
    key: 'mastercard',
    cardType: 6,
    name: 'Mastercard',
    expiry: '3012',
    paymentType: '70',
    cardholderCheck: '02',
    technology: '02',
  }),
  visa: card(16, '0010', {
    key: 'visa',
    cardType: 10,
    name: 'Visa',
    expiry: '2911',
    paymentType: '70',
    cardholderCheck: '00',
    technology: '02',
  }),
  maestro: card(19, '3055', {
    key: 'maestro',
    cardType: 46,
    name: 'Debit Mastercard',
    expiry: '3006',
    paymentType: '70',
    cardholderCheck: '02',
    technology: '01',
  }),
  amex: card(15, '1004', {
    key: 'amex',
    cardType: 8,
    name: 'American Express',
    expiry: '2809',
    paymentType: '60',
    cardholderCheck: '01',
    technology: '01',
  }),
  v_pay: card(16, '0044', {
    key: 'v_pay',
    cardType: 13,
    name: 'V PAY',
    expiry: '2905',
    paymentType: '70',
    cardholderCheck: '02',
    technology: '01',
  }),
};

export function cardByKey(key: CardKey): TestCard {
  return cards[key];
}

/** Which card the customer takes: chosen by the whole units of the amount, so the same amount takes the same card. */
export function cardFor(amountMinor: number): TestCard {
  const key = cardKeys[Math.trunc(amountMinor / 100) % cardKeys.length] ?? 'girocard';
  return cards[key];
}
