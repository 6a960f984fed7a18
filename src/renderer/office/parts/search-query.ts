/** What somebody searches for: as it stands in the address, so that it can be handed on, and as the office takes it. */
import { endsSoon } from '../../../contract/office-page.ts';
import { currencySchema, parseAmount, type Currency } from '../../../contract/money.ts';

const searchFields = [
  'reference',
  'cardDigits',
  'approvalCode',
  'receiptNumber',
  'shopId',
  /** The shop's name, for the form. */
  'shop',
  'terminalId',
  'amount',
  'currency',
  'status',
  'from',
  'to',
  'simulated',
] as const;
export type SearchField = (typeof searchFields)[number];
export type SearchQuery = Partial<Record<SearchField, string>>;

export const usualCurrency: Currency = 'EUR';

export function searchOf(query: URLSearchParams): SearchQuery {
  return Object.fromEntries(
    searchFields.flatMap((name) => {
      const value = query.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
}

/** As people write an amount: "12", "12.5", "12,50". Null: it is none. */
export function minorOf(amount: string, currency: string | undefined): number | null {
  const known = currencySchema.safeParse(currency ?? usualCurrency);
  const [, whole, fraction = ''] = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(amount.trim()) ?? [];
  if (!known.success || whole === undefined) return null;
  const parsed = parseAmount(`${whole}.${fraction.padEnd(2, '0')}`, known.data);
  return parsed.ok ? parsed.amountMinor : null;
}

/** As the office takes it. */
function givenOf(search: SearchQuery): Record<string, string> {
  const { shop: _name, amount, currency, ...asked } = search;
  const amountMinor = amount === undefined ? null : minorOf(amount, currency);
  return {
    ...asked,
    ...(amountMinor === null
      ? {}
      : { amountMinor: String(amountMinor), currency: currency ?? usualCurrency }),
  };
}

/** Whether it needs neither a time nor a shop beside what it has. */
export function isEnough(search: SearchQuery): boolean {
  return endsSoon(givenOf(search));
}

/** The path for one page of it; null where nothing is asked for, or not enough. */
export function searchPath(search: SearchQuery, before?: string): string | null {
  const given = givenOf(search);
  const isEmpty = Object.keys(given).every((name) => name === 'simulated');
  const page = before === undefined ? {} : { before };
  return isEmpty || !endsSoon(given)
    ? null
    : `/payments?${new URLSearchParams({ ...given, ...page }).toString()}`;
}

let last: SearchQuery = {};

export function rememberSearch(search: SearchQuery): void {
  last = search;
}

/** What was searched for last in this window, for the way back to it. */
export function lastSearch(): SearchQuery {
  return last;
}
