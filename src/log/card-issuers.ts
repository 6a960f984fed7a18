/** What a card number has to be like: prefix and length of an issuer, and a check digit. */

/** Lengths of a primary account number, in digits (ISO/IEC 7812-1). */
export const minCardDigits = 13;
export const maxCardDigits = 19;

interface IssuerRange {
  from: string;
  to: string;
  lengths: readonly number[];
}

const from13 = [13, 14, 15, 16, 17, 18, 19];
const from14 = from13.slice(1);
const from16 = from13.slice(3);

/** Issuer ranges (ISO/IEC 7812 prefixes as the schemes publish them) with the lengths that are issued. */
const issuerRanges: readonly IssuerRange[] = [
  { from: '4', to: '4', lengths: [13, 16, 19] }, // Visa
  { from: '51', to: '55', lengths: [16] }, // Mastercard
  { from: '2221', to: '2720', lengths: [16] },
  { from: '34', to: '34', lengths: [15] }, // American Express
  { from: '37', to: '37', lengths: [15] },
  { from: '6011', to: '6011', lengths: from16 }, // Discover
  { from: '644', to: '649', lengths: from16 },
  { from: '65', to: '65', lengths: from16 },
  { from: '3528', to: '3589', lengths: from16 }, // JCB
  { from: '30', to: '30', lengths: from14 }, // Diners Club
  { from: '36', to: '36', lengths: from14 },
  { from: '38', to: '39', lengths: from14 },
  { from: '62', to: '62', lengths: from16 }, // UnionPay
  { from: '81', to: '82', lengths: from16 }, // UnionPay, RuPay
  { from: '50', to: '50', lengths: from13 }, // Maestro and girocard
  { from: '56', to: '69', lengths: from13 },
  { from: '2200', to: '2204', lengths: from16 }, // Mir
  { from: '9792', to: '9792', lengths: [16] }, // Troy
  { from: '8600', to: '8600', lengths: [16] }, // Uzcard
  { from: '9860', to: '9860', lengths: [16] }, // Humo
];

/** By the first two digits, because most numbers are looked at for nothing else. */
const rangesByStart = Array.from({ length: 100 }, (_, start) => {
  const two = start.toString().padStart(2, '0');
  return issuerRanges.filter(({ from, to }) => {
    const known = two.slice(0, from.length);
    return known >= from.slice(0, 2) && known <= to.slice(0, 2);
  });
});

/** The `length` digits from `first` have a prefix that a scheme uses, and a length that it issues with it. */
export function hasIssuer(digits: readonly number[], first: number, length: number): boolean {
  const ranges = rangesByStart[(digits[first] ?? 0) * 10 + (digits[first + 1] ?? 0)] ?? [];
  return ranges.some(({ from, to, lengths }) => {
    if (!lengths.includes(length)) return false;
    const prefix = digits.slice(first, first + from.length).join('');
    return prefix >= from && prefix <= to;
  });
}

/** Tells of any stretch of these digits whether it passes the check of ISO/IEC 7812-1, annex B. Zeros alone do not. */
export function luhnOf(digits: readonly number[]): (first: number, length: number) => boolean {
  // Sums of all digits before a place, with every second one doubled: once the odd, once the even ones.
  const sums = [new Int32Array(digits.length + 1), new Int32Array(digits.length + 1)];
  for (const [parity, sum] of sums.entries()) {
    for (let place = 0; place < digits.length; place += 1) {
      const digit = digits[place] ?? 0;
      const weighted = place % 2 === parity ? digit : digit * 2;
      sum[place + 1] = (sum[place] ?? 0) + (weighted > 9 ? weighted - 9 : weighted);
    }
  }
  return (first, length) => {
    const end = first + length;
    const sum = sums[(end - 1) % 2];
    const total = (sum?.[end] ?? 0) - (sum?.[first] ?? 0);
    return total > 0 && total % 10 === 0;
  };
}

/** Whether these digits, and nothing else, are a plausible card number: issuer, length, check digit. */
export function isCardNumber(text: string): boolean {
  if (!/^\d{13,19}$/.test(text)) return false;
  const digits = Array.from(text, Number);
  return luhnOf(digits)(0, digits.length) && hasIssuer(digits, 0, digits.length);
}
