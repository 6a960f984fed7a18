/** A bank's statement of one day for tests, as a file in the form camt.053. */
export interface Booking {
  /** In minor units, of a currency with two decimals; a debit is less than zero. */
  minor: number;
  remark: string;
}

export interface StatementDay {
  account?: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** By the bank's count; it tells which statements follow each other. */
  number: number;
  openingMinor?: number;
  bookings?: Booking[];
}

export const account = 'DE89370400440532013000';

const decimal = (minor: number) =>
  `${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
const indicator = (minor: number) => `<CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const amount = (minor: number) => `<Amt Ccy="EUR">${decimal(minor)}</Amt>${indicator(minor)}`;
const balance = (code: string, minor: number, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor)}<Dt><Dt>${day}</Dt></Dt></Bal>`;

/** What the account has after it. */
function closingOf({ openingMinor = 0, bookings = [] }: StatementDay): number {
  return bookings.reduce((sum, { minor }) => sum + minor, openingMinor);
}

export function statementFile(statement: StatementDay): Buffer {
  const { account: own = account, day, number, openingMinor = 0, bookings = [] } = statement;
  const entries = bookings.map(
    ({ minor, remark }, at) =>
      `<Ntry>${amount(minor)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>` +
      `<AcctSvcrRef>${number}-${at}</AcctSvcrRef><BkTxCd><Prtry><Cd>166</Cd></Prtry></BkTxCd>` +
      `<NtryDtls><TxDtls><RmtInf><Ustrd>${remark}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>` +
      `<GrpHdr><MsgId>${number}</MsgId><CreDtTm>${day}T23:59:59</CreDtTm></GrpHdr><Stmt><Id>${number}</Id>` +
      `<ElctrncSeqNb>${number}</ElctrncSeqNb><CreDtTm>${day}T23:59:59</CreDtTm>` +
      `<FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt>` +
      `<Acct><Id><IBAN>${own}</IBAN></Id><Ccy>EUR</Ccy></Acct>` +
      balance('OPBD', openingMinor, day) +
      balance('CLBD', closingOf(statement), day) +
      `${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
  );
}

/** Statements of days that follow each other, from the first on; of a day that is not named there is nothing in it. */
export function statementsOfDays(
  first: string,
  last: string,
  bookings: Record<string, Booking[]>,
  own = account,
): { name: string; content: Buffer }[] {
  const files: { name: string; content: Buffer }[] = [];
  let openingMinor = 100_000;
  for (let at = Date.parse(first), number = 1; at <= Date.parse(last); at += 86_400_000, number += 1) {
    const day = new Date(at).toISOString().slice(0, 10);
    const statement = { account: own, day, number, openingMinor, bookings: bookings[day] ?? [] };
    files.push({ name: `${day}.xml`, content: statementFile(statement) });
    openingMinor = closingOf(statement);
  }
  return files;
}
