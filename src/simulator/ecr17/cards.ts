/** The cards in the simulated customer's wallet. No number is whole. */

export const cardKeys = ['pagobancomat', 'visa', 'mastercard', 'amex'] as const;
export type CardKey = (typeof cardKeys)[number];

interface TestCard {
  /** 1 debit, 2 credit. */
  type: '1' | '2';
  /** ICC chip, CLI contactless chip, MAG stripe. */
  entry: 'ICC' | 'CLI' | 'MAG';
  acquirerId: string;
  last4: string;
  /** Of another currency: its letters, and how much of it is 10,000 euros. */
  foreign: { currency: string; rate: number } | null;
}

const cards: Readonly<Record<CardKey, TestCard>> = {
  pagobancomat: { type: '1', entry: 'ICC', acquirerId: '00000000101', last4: '4771', foreign: null },
  visa: {
    type: '2',
    entry: 'CLI',
    acquirerId: '00000000202',
    last4: '0010',
    foreign: { currency: 'USD', rate: 10_850 },
  },
  mastercard: { type: '2', entry: 'ICC', acquirerId: '00000000202', last4: '0019', foreign: null },
  amex: { type: '2', entry: 'MAG', acquirerId: '00000000303', last4: '1004', foreign: null },
};

export function cardByKey(key: CardKey): TestCard {
  return cards[key];
}

/** Which card the customer takes: chosen by the whole euros of the amount, so the same amount takes the same card. */
export function cardFor(amountMinor: number): CardKey {
  return cardKeys[Math.trunc(amountMinor / 100) % cardKeys.length] ?? 'pagobancomat';
}
