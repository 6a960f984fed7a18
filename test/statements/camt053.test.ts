/** What a bank's statement says, in two versions of the standard; and what is refused rather than half believed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../../src/reconcile/index.ts';
import { readCamt053, type Statement } from '../../src/statements/index.ts';

const samples = path.join(import.meta.dirname, 'samples');
const giro = readFileSync(path.join(samples, 'giro-2024-06-04.xml'), 'utf8');
const shop = readFileSync(path.join(samples, 'shop-2024-06.xml'), 'utf8');

const bytes = (text: string) => new TextEncoder().encode(text);

function one(text: string): Statement {
  const read = readCamt053('one.xml', bytes(text));
  if (!read.ok) throw new Error(read.message);
  const [statement] = read.statements;
  if (statement === undefined) throw new Error('no statement');
  return statement;
}

function refusal(text: string): string | null {
  const read = readCamt053('one.xml', bytes(text));
  return read.ok ? null : read.message;
}

const days = ({ from, until }: Statement) => [dateOf(from), dateOf(until)];

describe('a statement in version 001.02', () => {
  it('says whose account it is, and which day it knows', () => {
    expect(one(giro)).toMatchObject({
      file: 'one.xml',
      account: 'DE02120300000000202051',
      currency: 'EUR',
      number: 107n,
      openingMinor: 100_000,
      closingMinor: 104_950,
      pending: 1,
    });
    // Its opening balance is the closing one of the day before.
    expect(days(one(giro))).toEqual(['2024-06-04', '2024-06-04']);
  });

  it('has the booked entries, by their own direction', () => {
    expect(one(giro).entries.map(({ day, ...rest }) => [dateOf(day), rest])).toEqual([
      [
        '2024-06-04',
        {
          reference: '2024060412345678000',
          amountMinor: 9_900,
          code: 'PMNT-RCDT-ESCT NTRF+166+00931',
          parts: [
            {
              reference: '2024060412345678000',
              amountMinor: 9_900,
              remark: 'ACME PAY BATCH 7',
              sender: 'ACME Payments & Söhne NL91ABNA0417164300',
            },
          ],
        },
      ],
      [
        '2024-06-04',
        {
          reference: '',
          amountMinor: -4_950,
          code: 'NRTI+159 RVSL',
          parts: [{ reference: '', amountMinor: -4_950, remark: 'RUECKBUCHUNG', sender: '' }],
        },
      ],
    ]);
  });
});

describe('a statement in version 001.08', () => {
  it('has prefixes, another kind of account, and a period', () => {
    expect(one(shop)).toMatchObject({
      account: '40-22118',
      currency: 'GBP',
      number: 6n,
      openingMinor: -2_000,
    });
    expect(days(one(shop))).toEqual(['2024-06-01', '2024-06-30']);
  });

  it('has the transactions of a collective entry each by itself, if they come to it', () => {
    const [entry] = one(shop).entries;
    expect(entry?.parts).toEqual([
      { reference: 'B-77-1', amountMinor: 10_000, remark: 'ACME <PAY> BATCH 7', sender: 'Acme Ltd' },
      {
        reference: 'B-77-2',
        amountMinor: 20_000,
        remark: 'RF18539007547034 ACME PAY BATCH 8',
        sender: 'Acme Ltd',
      },
    ]);
    // By the bank's own clock.
    expect(dateOf(entry?.day ?? 0)).toBe('2024-06-05');
    const [together] = one(shop.replace('<c:Amt Ccy="GBP">200.00<', '<c:Amt Ccy="GBP">190.00<')).entries;
    expect(together?.parts).toEqual([
      {
        reference: 'B-77',
        amountMinor: 30_000,
        remark: 'ACME <PAY> BATCH 7 RF18539007547034 ACME PAY BATCH 8',
        sender: 'Acme Ltd',
      },
    ]);
  });

  it('gives a transaction without a text of its own that of the entry, and divides none where no one has any', () => {
    const note = '</c:NtryDtls><c:AddtlNtryInf>ACME PAY BATCH 9</c:AddtlNtryInf>';
    const half = shop.replace('</c:NtryDtls>', note).replace(/<c:RmtInf><c:Ustrd>.*<\/c:RmtInf>/, '');
    const remarks = (text: string) =>
      one(text).entries[0]?.parts.map(({ amountMinor, remark }) => [amountMinor, remark]);
    expect(remarks(half)).toEqual([
      [10_000, 'ACME PAY BATCH 9'],
      [20_000, 'RF18539007547034 ACME PAY BATCH 8'],
    ]);
    const none = half.replace(/<c:RmtInf>.*<\/c:RmtInf>/s, '');
    expect(remarks(none)).toEqual([[30_000, 'ACME PAY BATCH 9']]);
  });

  it('does not count the part of a day', () => {
    const late = shop
      .replace('2024-06-01T00:00:00', '2024-06-01T18:00:00')
      .replace('30T23:59:59', '30T00:00:00');
    expect(days(one(late))).toEqual(['2024-06-02', '2024-06-29']);
    const until = (time: string) => days(one(shop.replace('30T23:59:59', `30T${time}`)))[1];
    expect(['12:00:00', '23:58:59', '23:59', '23:59:00'].map(until)).toEqual([
      '2024-06-29',
      '2024-06-29',
      '2024-06-30',
      '2024-06-30',
    ]);
  });

  it('does not know the day of its opening balance by an entry of it', () => {
    const late = shop.replace(/<c:FrToDt>.*<\/c:FrToDt>/, '').replace('2024-06-05T', '2024-06-01T');
    expect(days(one(late))).toEqual(['2024-06-02', '2024-06-30']);
    expect(days(one(late.replaceAll('2024-06-01', '2024-06-30')))).toEqual(['2024-06-30', '2024-06-30']);
  });

  it('has the number of its account in capitals, without blanks', () => {
    expect(one(giro.replace('DE02120300000000202051', 'de02 1203 0000 0000 2020 51')).account).toBe(
      one(giro).account,
    );
  });
});

describe('versions', () => {
  it.each(Array.from({ length: 12 }, (_, at) => String(at + 2).padStart(2, '0')))(
    'takes 001.%s',
    (version) => {
      expect(refusal(giro.replace('001.02"', `001.${version}"`))).toBe(null);
    },
  );

  it.each([
    ['camt.053.001.01', 'its version camt.053.001.01 is not known'],
    ['camt.053.001.14', 'its version camt.053.001.14 is not known'],
    ['camt.053.002.02', 'its version camt.053.002.02 is not known'],
    [
      'camt.052.001.02',
      'it is a camt.052, which is not final; ask the bank for statements of the day (camt.053)',
    ],
    [
      'camt.054.001.02',
      'it is a camt.054, which is not final; ask the bank for statements of the day (camt.053)',
    ],
    ['pain.001.001.03', 'it is no ISO 20022 message'],
  ])('refuses %s', (name, why) => {
    expect(refusal(giro.replace('camt.053.001.02', name))).toBe(`one.xml cannot be used: ${why}.`);
  });
});

describe('a file is taken as a whole or not at all', () => {
  it('when the balances and the entries do not agree', () => {
    expect(refusal(giro.replace('1049.50', '1049.60'))).toBe(
      'one.xml cannot be used: the opening balance and the entries of DE02120300000000202051 do not come to the ' +
        'closing balance (0.10 EUR differ).',
    );
    // One entry left out, or one that is called pending.
    expect(refusal(giro.replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>'))).toContain('do not come to');
    expect(refusal(giro.replace('<CdtDbtInd>DBIT<', '<CdtDbtInd>CRDT<'))).toContain('do not come to');
  });

  it.each([
    ['there are further pages of the file', giro.replace('>true</LastPgInd>', '>false</LastPgInd>'), 'page'],
    ['there are further pages of it', shop.replace('>true</c:LastPgInd>', '>0</c:LastPgInd>'), 'one page of'],
    [
      'its opening balance is an intermediate one',
      shop.replace(
        'OPBD</c:Cd></c:CdOrPrtry>',
        'OPBD</c:Cd></c:CdOrPrtry><c:SubTp><c:Cd>INTM</c:Cd></c:SubTp>',
      ),
      'its balance OPBD is only an intermediate one',
    ],
    [
      'its closing balance is an intermediate one',
      giro.replace('CLBD</Cd></CdOrPrtry>', 'CLBD</Cd></CdOrPrtry><SubTp><Cd>INTM</Cd></SubTp>'),
      'its balance CLBD is only an intermediate one',
    ],
    ['a balance is missing', giro.replace('CLBD', 'ITBD'), 'has no opening or no closing balance'],
    ['it does not say whose it is', giro.replace('IBAN>DE02120300000000202051<', 'IBAN><'), 'which account'],
    [
      'an amount is none',
      giro.replace('>99.00</Amt>\n        <Cdt', '>ninety</Amt>\n        <Cdt'),
      'an amount',
    ],
    ['an amount has a third decimal', giro.replace('>49.50<', '>49.505<'), 'an amount that cannot be read'],
    ['an entry says no direction', giro.replace('<CdtDbtInd>DBIT</CdtDbtInd>', ''), 'an amount that cannot'],
    [
      'an entry has no day',
      giro.replace('<BookgDt><Dt>2024-06-04</Dt></BookgDt>', ''),
      'which day an entry is',
    ],
    ['a day is none', giro.replaceAll('<BookgDt><Dt>2024-06-04', '<BookgDt><Dt>2024-06-31'), 'which day'],
    ['an entry is in another currency', giro.replace('"EUR">49.50', '"USD">49.50'), 'another currency'],
    ['its currency is unknown', giro.replaceAll('"EUR"', '"XAU"'), 'a currency that no terminal has'],
    ['it is cut off', giro.slice(0, -40), 'is no XML'],
    ['it is no XML', 'Buchungstag;Betrag\n', 'is no XML'],
    ['it is empty', '', 'cannot be used'],
    ['it is a message without statements', giro.replaceAll('Stmt>', 'Other>'), 'has no statement in it'],
    [
      'it is of a thousand years',
      giro.replace('PRCD', 'OPBD').replace('2024-06-03', '1024-06-03'),
      'ten years',
    ],
  ])('when %s', (_what, text, why) => {
    expect(refusal(text)).toContain(why);
  });

  it('and nothing in it is expanded or fetched', () => {
    const bomb = giro.replace(
      '<Document',
      '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>\n<Document',
    );
    expect(refusal(bomb)).toBe('one.xml cannot be used: it has a DOCTYPE, which a statement never has.');
    expect(one(giro.replace('BATCH 7', '&f; &amp;lt; &#x42;&#65;')).entries[0]?.parts[0]?.remark).toBe(
      'ACME PAY &f; &lt; BA',
    );
    expect(refusal(`${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`)).toContain('cannot be used');
    expect(refusal(giro.replace('<GrpHdr>', '<__proto__><x>1</x></__proto__><GrpHdr>'))).toContain('no XML');
  });

  it('in the encoding that it declares', () => {
    const latin = giro.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"').replace('Café', 'Cafe');
    const read = readCamt053('one.xml', Buffer.from(latin, 'latin1'));
    expect(read.ok && read.statements[0]?.entries[0]?.parts[0]?.sender).toContain('Söhne');
    const wide = readCamt053('one.xml', Buffer.from(`\uFEFF${giro}`, 'utf16le'));
    expect(wide.ok && wide.statements[0]?.entries[0]?.parts[0]?.sender).toContain('Söhne');
    expect(readCamt053('one.xml', Buffer.from(giro, 'latin1'))).toMatchObject({
      message: 'one.xml cannot be used: it is in an encoding that is not known.',
    });
  });

  it('whatever comes, it never throws, and what it takes adds up', () => {
    fc.assert(
      fc.property(fc.nat(giro.length), fc.nat(40), fc.string(), (at, length, instead) => {
        const read = readCamt053('one.xml', bytes(giro.slice(0, at) + instead + giro.slice(at + length)));
        if (!read.ok) return;
        for (const { openingMinor, closingMinor, entries } of read.statements) {
          const sum = entries.flatMap(({ parts }) => parts).reduce((all, part) => all + part.amountMinor, 0);
          expect(openingMinor + sum).toBe(closingMinor);
        }
      }),
      { numRuns: 300 },
    );
  });
});
