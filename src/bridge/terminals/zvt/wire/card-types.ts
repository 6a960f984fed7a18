/** Card types (ZVT PA00P015: BMP 8A, tag 41). For people, the name in BMP 8B comes first. */

/** The classes of the single totals in BMP 60, in their order there. */
export const schemeGroups = ['girocard', 'jcb', 'mastercard', 'amex', 'visa', 'diners', 'other'] as const;
export type SchemeGroup = (typeof schemeGroups)[number];

/** Where the documents do not say under which class a type is counted, the scheme that it belongs to decides. */
const cardTypes: Readonly<Record<number, { name: string; group: SchemeGroup }>> = {
  2: { name: 'ec', group: 'girocard' },
  5: { name: 'girocard', group: 'girocard' },
  6: { name: 'Mastercard', group: 'mastercard' },
  7: { name: 'EAPS', group: 'other' },
  8: { name: 'American Express', group: 'amex' },
  9: { name: 'Direct debit', group: 'other' },
  10: { name: 'Visa', group: 'visa' },
  11: { name: 'Visa Electron', group: 'visa' },
  12: { name: 'Diners Club', group: 'diners' },
  13: { name: 'V PAY', group: 'visa' },
  14: { name: 'JCB', group: 'jcb' },
  15: { name: 'REKA', group: 'other' },
  30: { name: 'GeldKarte', group: 'other' },
  46: { name: 'Debit Mastercard', group: 'mastercard' },
  69: { name: 'Postcard', group: 'other' },
  87: { name: 'Bancontact', group: 'other' },
  89: { name: 'Payback Pay', group: 'other' },
  97: { name: 'Alipay', group: 'other' },
  107: { name: 'Alipay', group: 'other' },
  111: { name: 'Instant payment', group: 'other' },
  127: { name: 'AirPlus', group: 'other' },
  196: { name: 'Dankort', group: 'other' },
  198: { name: 'UnionPay', group: 'other' },
  232: { name: 'Discover', group: 'other' },
  260: { name: 'BlueCode', group: 'other' },
};

/** BMP 8A with this value: the type is in tag 41. */
export const cardTypeInTag41 = 0xff;

/** The name of a card type, or null when it is not in the list. */
export function cardTypeName(cardType: number): string | null {
  return cardTypes[cardType]?.name ?? null;
}

/** The class of BMP 60 that counts this card type; `other` for every type that is not in the list. */
export function schemeGroup(cardType: number): SchemeGroup {
  return cardTypes[cardType]?.group ?? 'other';
}
