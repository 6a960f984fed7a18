/** Which batches a remark names, and where nobody can say it. */
import { describe, expect, it } from 'vitest';
import { namedBatches, readTemplate } from '../../src/reconcile/remarks.ts';
import { batch, entry, oneAcquirer, rulesOf, told } from './shop-values.ts';

function read(remark: string, ...templates: string[]): string {
  const names = namedBatches(
    remark,
    templates.map(readTemplate).filter((template) => template !== null),
  );
  if (names.kind === 'unsure') return 'unsure';
  return names.batches
    .map(({ number, terminalId }) => [number, terminalId].filter(Boolean).join('@'))
    .join(' ');
}

describe('a remark', () => {
  it.each([
    ['PAY BATCH 0012', '12'],
    ['PAY BATCH 12, 13 + 14', '12 13 14'],
    ['PAY BATCH 12 TID 7', '12'],
    ['PAY BATCH 12 02.03.2026', '12'],
    ['PAY BATCH 12 2026-03-02', '12'],
    ['PAY BATCH 12/REF ABC', '12'],
    ['PAY BATCH 12 BATCH 13', '12 13'],
    ['PAY', ''],
  ])('%s names %s', (remark, names) => expect(read(remark, 'BATCH {batch}')).toBe(names));

  it.each([
    '12-14',
    '12 - 14',
    '12/13/14',
    '12 13 14',
    '12 BIS 14',
    '12BIS14',
    '12 to 14',
    '12 et 13',
    '12..14',
    '12 | 13',
    '02.03.2026',
    '12A',
    '25, 12 TXN',
  ])('BATCH %s cannot be read surely', (rest) =>
    expect(read(`PAY BATCH ${rest}`, 'BATCH {batch}')).toBe('unsure'),
  );

  it('begins a name where a word begins', () => {
    expect(read('BONUS KUNDENNR 1', 'NR {batch}')).toBe('');
    expect(read('BONUS NR 1', 'NR {batch}')).toBe('1');
    expect(read('12-14 BATCH', '{batch} BATCH')).toBe('unsure');
  });

  it('is read by the template that says most of it', () => {
    const both = ['BATCH {batch}', 'BATCH {batch} TID {terminal}'];
    expect(read('BATCH 12 TID T2 BATCH 13', ...both)).toBe('12@T2 13');
    expect(read('BATCH 12-14 TID T2', ...both)).toBe('unsure');
    expect(read('BATCH 12 TID T2', 'BATCH {batch} TID {terminal}', 'BATCH {batch} {terminal}')).toBe(
      'unsure',
    );
  });
});

it('nothing is short, over or late by a name that cannot be read surely', () => {
  const batches = [12, 13, 14].map((number, at) => batch(number, 6 + at, 10_000 + 1_000 * at));
  for (const range of ['12-14', '12/13/14', '12 13 14', '12 BIS 14']) {
    const words = told({ batches, entries: [entry('e1', 10, 32_670, `ACME PAY BATCH ${range}`)] });
    expect(words.map((line) => line.split(' ')[1])).toEqual(['unclear', 'unclear', 'unclear']);
  }
  const bonus = [entry('e1', 3, 500, 'ACME PAY BONUS KUNDENNR 1')];
  expect(
    told(
      { batches: [batch(1, 2, 10_000)], entries: bonus },
      rulesOf([{ ...oneAcquirer, names: ['NR {batch}'] }]),
    ),
  ).toEqual(['b1: unclear unexplained-entries e1']);
});
