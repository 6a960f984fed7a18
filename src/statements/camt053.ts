/**
 * A bank's statement of an account: ISO 20022 `camt.053` (Bank to Customer Statement), versions 001.02 to 001.13. A file
 * is taken as a whole or not at all: the opening balance and the entries must come to the closing balance.
 */
import { currencySchema, formatAmount, type Currency } from '../contract/money.ts';
import { dayOf, minorOf } from '../reconcile/index.ts';
import { elementsAt, parseXml, textAt, textOf, type XmlElement } from './xml.ts';

export interface Statement {
  /** What the file is called. */
  file: string;
  /** An IBAN or the bank's own number, in capitals and without blanks. */
  account: string;
  currency: Currency;
  /** Which of the account's statements it is, as the bank counts; null where it does not. */
  number: bigint | null;
  /** Days since 1970, both included: the days of which it has all entries. Empty where `until` is before `from`. */
  from: number;
  until: number;
  openingMinor: number;
  closingMinor: number;
  entries: StatementEntry[];
  /** Entries that are not booked; they count for nothing. */
  pending: number;
}

export interface StatementEntry {
  /** The bank's (`AcctSvcrRef`); empty where there is none. */
  reference: string;
  /** When it was booked, in days since 1970. */
  day: number;
  /** A credit is more than zero, a debit less. */
  amountMinor: number;
  code: string;
  /** What a collective entry is made of, or the entry itself; together they come to `amountMinor`. */
  parts: EntryPart[];
}

interface EntryPart {
  reference: string;
  amountMinor: number;
  remark: string;
  sender: string;
}

export type StatementReading = { ok: true; statements: Statement[] } | { ok: false; message: string };

const namespace = /^urn:iso:std:iso:20022:tech:xsd:(camt\.\d{3})\.(\d{3})\.(\d{2})$/;
const newestVersion = 13;
const maxDays = 3_700;

/** Why a file cannot be used; ends the reading of it. */
class Unusable extends Error {}

/** All statements of one file. Sentences name the file. */
export function readCamt053(file: string, content: Uint8Array): StatementReading {
  const parsed = parseXml(content);
  if (!parsed.ok) return { ok: false, message: `${file} cannot be used: ${parsed.why}.` };
  try {
    const [document] = elementsAt(parsed.root, 'Document');
    demandStatement(document);
    demandLastPage(elementsAt(document, 'BkToCstmrStmt', 'GrpHdr', 'MsgPgntn'));
    const statements = elementsAt(document, 'BkToCstmrStmt', 'Stmt').map((each) => readStatement(file, each));
    if (statements.length === 0) throw new Unusable('it has no statement in it');
    return { ok: true, statements };
  } catch (error) {
    if (error instanceof Unusable) return { ok: false, message: `${file} cannot be used: ${error.message}.` };
    throw error;
  }
}

function demandStatement(document: XmlElement | undefined): asserts document is XmlElement {
  const spaces = Object.entries(document ?? {}).flatMap(([name, value]) =>
    name.startsWith('@') && typeof value === 'string' ? [namespace.exec(value)] : [],
  );
  const [, kind, variant, version] = spaces.find((found) => found !== null) ?? [];
  if (document === undefined || kind === undefined) throw new Unusable('it is no ISO 20022 message');
  if (kind === 'camt.052' || kind === 'camt.054')
    throw new Unusable(
      `it is a ${kind}, which is not final; ask the bank for statements of the day (camt.053)`,
    );
  if (kind !== 'camt.053') throw new Unusable(`it is a ${kind}, and no statement (camt.053)`);
  if (variant !== '001' || Number(version) < 2 || Number(version) > newestVersion)
    throw new Unusable(`its version ${[kind, variant, version].join('.')} is not known`);
}

function demandLastPage(pages: readonly XmlElement[]): void {
  if (pages.some((page) => ['false', '0'].includes(textAt(page, 'LastPgInd'))))
    throw new Unusable('it is one page of several; ask the bank for the whole statement in one file');
}

function readStatement(file: string, statement: XmlElement): Statement {
  demandLastPage(elementsAt(statement, 'StmtPgntn'));
  const account = (textAt(statement, 'Acct', 'Id', 'IBAN') || textAt(statement, 'Acct', 'Id', 'Othr', 'Id'))
    .replaceAll(/\s/g, '')
    .toUpperCase();
  if (account === '') throw new Unusable('it does not say which account it is of');
  const opening = balance(statement, ['OPBD', 'PRCD']);
  const closing = balance(statement, ['CLBD']);
  if (opening === null || closing === null)
    throw new Unusable(`the statement of ${account} has no opening or no closing balance`);
  const { currency } = closing;
  const all = elementsAt(statement, 'Ntry');
  const booked = all.filter(
    (entry) => (textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')).toUpperCase() === 'BOOK',
  );
  const entries = booked.map((entry) => readEntry(entry, currency));
  const sumMinor = entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const differenceMinor = closing.minor - opening.minor - sumMinor;
  if (opening.currency !== currency)
    throw new Unusable(`the opening and the closing balance of ${account} are in two currencies`);
  const difference = `${formatAmount(differenceMinor, currency)} ${currency}`;
  if (differenceMinor !== 0)
    throw new Unusable(
      `the opening balance and the entries of ${account} do not come to the closing balance (${difference} differ)`,
    );
  const days = daysOf(statement, { opening, closing });
  if (days.until - days.from > maxDays) throw new Unusable('a statement in it is of more than ten years');
  return {
    file,
    account,
    currency,
    number: numberOf(textAt(statement, 'LglSeqNb') || textAt(statement, 'ElctrncSeqNb')),
    ...days,
    openingMinor: opening.minor,
    closingMinor: closing.minor,
    entries,
    pending: all.length - booked.length,
  };
}

interface Balance {
  minor: number;
  currency: Currency;
  day: number;
  /** The closing balance of the day before, given in place of the opening one. */
  isPrevious: boolean;
}

function balance(statement: XmlElement, codes: readonly string[]): Balance | null {
  const all = elementsAt(statement, 'Bal');
  for (const code of codes) {
    const found = all.filter((each) => textAt(each, 'Tp', 'CdOrPrtry', 'Cd') === code);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length > 1) throw new Unusable(`it has more than one balance ${code}`);
    if (textAt(first, 'Tp', 'SubTp', 'Cd') === 'INTM')
      throw new Unusable(
        `its balance ${code} is only an intermediate one; ask the bank for the whole statement in one file`,
      );
    const { minor, currency } = signedAmount(first);
    return {
      minor,
      currency,
      day: dayAt(first, 'Dt', 'it does not say of which day a balance is'),
      isPrevious: code === 'PRCD',
    };
  }
  return null;
}

/**
 * Of which days it has all entries. Where the bank says no period, the day of the opening balance is only sure to be one
 * of them when the closing balance is of it, too: many banks date it on the day before, and an entry may be booked late.
 */
function daysOf(
  statement: XmlElement,
  { opening, closing }: { opening: Balance; closing: Balance },
): { from: number; until: number } {
  const [period] = elementsAt(statement, 'FrToDt');
  const begins = period === undefined ? null : moment(textAt(period, 'FrDtTm') || textAt(period, 'FrDt'));
  const ends = period === undefined ? null : moment(textAt(period, 'ToDtTm') || textAt(period, 'ToDt'));
  const hasOpeningDay = !opening.isPrevious && closing.day === opening.day;
  const from =
    begins === null
      ? opening.day + (hasOpeningDay ? 0 : 1)
      : begins.day + (begins.time === null || isMidnight(begins.time) ? 0 : 1);
  return { from, until: ends === null ? closing.day : Math.min(closing.day, lastDay(ends, begins)) };
}

/** What ends before the last minute of a day does not have all of it. */
function lastDay({ day, time }: Moment, begins: Moment | null): number {
  const isWhole =
    time === null || time >= '23:59' || (isMidnight(time) && begins !== null && day === begins.day);
  return isWhole ? day : day - 1;
}

interface Moment {
  day: number;
  /** `hh:mm` or `hh:mm:ss`; null where only the day is said. */
  time: string | null;
}

/** By the bank's own clock. */
function moment(text: string): Moment | null {
  const day = dayOf(text.slice(0, 10));
  if (day === null) return null;
  return { day, time: /^.{10}T(\d{2}:\d{2}(?::\d{2})?)/.exec(text)?.[1] ?? null };
}

function isMidnight(time: string): boolean {
  return /^00:00(:00)?$/.test(time);
}

function readEntry(entry: XmlElement, currency: Currency): StatementEntry {
  const sum = signedAmount(entry);
  if (sum.currency !== currency) throw new Unusable('an entry has another currency than its account');
  const reference = referenceAt(entry, 'AcctSvcrRef');
  return {
    reference,
    day: dayAt(entry, 'BookgDt', 'it does not say of which day an entry is'),
    amountMinor: sum.minor,
    code: codeOf(entry),
    parts: partsOf(entry, sum, reference),
  };
}

/** The transactions of a collective entry, each by itself, if they come to its amount and have a text of their own. */
function partsOf(entry: XmlElement, sum: Amount, reference: string): EntryPart[] {
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls');
  const parts = details.map((detail) => partOf(detail, entry, sum));
  const note = textAt(entry, 'AddtlNtryInf');
  const isComplete =
    parts.length > 1 &&
    parts.some((part) => part.remark !== '') &&
    parts.reduce((total, part) => total + (part.amountMinor ?? NaN), 0) === sum.minor;
  if (isComplete)
    return parts.map((part) => ({
      ...part,
      amountMinor: part.amountMinor ?? 0,
      remark: part.remark || note,
      reference: part.reference || reference,
    }));
  const remark = parts
    .map((part) => part.remark)
    .join(' ')
    .trim();
  return [
    {
      reference,
      amountMinor: sum.minor,
      remark: remark || note,
      sender: [...new Set(parts.map((part) => part.sender))].join(' ').trim(),
    },
  ];
}

function partOf(
  detail: XmlElement,
  entry: XmlElement,
  sum: Amount,
): Omit<EntryPart, 'amountMinor'> & { amountMinor: number | null } {
  // In the first versions the amount of a transaction is among its details only.
  const [own] = [...elementsAt(detail, 'Amt'), ...elementsAt(detail, 'AmtDtls', 'TxAmt', 'Amt')];
  const isDebit = (textAt(detail, 'CdtDbtInd') || textAt(entry, 'CdtDbtInd')) === 'DBIT';
  const minor =
    own === undefined || textOf(own, '@Ccy') !== sum.currency ? null : minorOf(textOf(own), sum.currency);
  const others = ['RltdPties', isDebit ? 'Cdtr' : 'Dbtr'] as const;
  const sender = [
    textAt(detail, ...others, 'Nm') || textAt(detail, ...others, 'Pty', 'Nm'),
    textAt(detail, 'RltdPties', `${others[1]}Acct`, 'Id', 'IBAN'),
  ];
  return {
    reference: referenceAt(detail, 'Refs', 'AcctSvcrRef'),
    amountMinor: minor === null ? null : isDebit ? -minor : minor,
    remark: remarkOf(detail),
    sender: sender.filter((text) => text !== '').join(' '),
  };
}

function remarkOf(detail: XmlElement): string {
  return [
    ...elementsAt(detail, 'RmtInf', 'Ustrd'),
    ...elementsAt(detail, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    ...elementsAt(detail, 'RmtInf', 'Strd', 'AddtlRmtInf'),
  ]
    .map((each) => textOf(each))
    .filter((text) => text !== '')
    .join(' ');
}

/** What the bank calls this kind of entry, by the standard's codes and by its own; `RVSL`: it takes another one back. */
function codeOf(entry: XmlElement): string {
  const [family] = elementsAt(entry, 'BkTxCd', 'Domn');
  const standard =
    family === undefined
      ? []
      : [textAt(family, 'Cd'), textAt(family, 'Fmly', 'Cd'), textAt(family, 'Fmly', 'SubFmlyCd')];
  const isReversal = ['true', '1'].includes(textAt(entry, 'RvslInd'));
  return [standard.join('-'), textAt(entry, 'BkTxCd', 'Prtry', 'Cd'), isReversal ? 'RVSL' : '']
    .filter((text) => text !== '')
    .join(' ');
}

/** Words that banks write where there is no reference say nothing. */
function referenceAt(element: XmlElement, ...path: string[]): string {
  const reference = textAt(element, ...path);
  return /^(NONREF|NOTPROVIDED|NOTAVAILABLE)$/i.test(reference) ? '' : reference;
}

interface Amount {
  minor: number;
  currency: Currency;
}

/** `CdtDbtInd` is the direction of the entry itself, also of one that takes another back. */
function signedAmount(element: XmlElement): Amount {
  const [amount] = elementsAt(element, 'Amt');
  const code = amount === undefined ? '' : textOf(amount, '@Ccy');
  const currency = currencySchema.safeParse(code);
  if (!currency.success) throw new Unusable(`it has an amount in "${code}", a currency that no terminal has`);
  const minor = amount === undefined ? null : minorOf(textOf(amount), currency.data);
  const direction = textAt(element, 'CdtDbtInd');
  if (minor === null || minor < 0 || !['CRDT', 'DBIT'].includes(direction))
    throw new Unusable('it has an amount that cannot be read');
  return { minor: direction === 'DBIT' && minor !== 0 ? -minor : minor, currency: currency.data };
}

function dayAt(element: XmlElement, name: string, fault: string): number {
  const day = dayOf((textAt(element, name, 'Dt') || textAt(element, name, 'DtTm')).slice(0, 10));
  if (day === null) throw new Unusable(fault);
  return day;
}

function numberOf(text: string): bigint | null {
  return /^\d{1,18}$/.test(text) ? BigInt(text) : null;
}
