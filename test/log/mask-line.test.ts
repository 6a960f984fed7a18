/** One serialized line of the log, masked. */
import { describe, expect, it } from 'vitest';
import { maskCardNumbers } from '../../src/log/index.ts';
import { maskLine } from '../../src/log/mask-line.ts';

const card = '4111111111111111';
/** A date and time as some POS software numbers its sales, which the mask takes for a card number. */
const timestamp = Array.from(
  { length: 60 },
  (_, second) => `202611211430${String(second).padStart(2, '0')}`,
).find((text) => maskCardNumbers(text) !== text) as string;

function masked(fields: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(maskLine(JSON.stringify(fields))) as Record<string, unknown>;
}

describe('a masked line', () => {
  it('keeps a reference that cannot be a card number, so that the log can be searched by it', () => {
    expect(timestamp).toMatch(/^\d{14}$/);
    expect(masked({ reference: timestamp })).toEqual({ reference: timestamp });
    expect(masked({ before: card, reference: timestamp, after: card })).toEqual({
      before: '411111******1111',
      reference: timestamp,
      after: '411111******1111',
    });
    // A line that has to be rebuilt, because a number became stars.
    expect(masked({ reference: timestamp, count: Number(card) })).toEqual({
      reference: timestamp,
      count: '411111******1111',
    });
  });

  it('keeps the references of a line that names several', () => {
    const references = Array.from({ length: 20 }, (_, index) => String(541_110 + index * 7));
    expect(masked({ references, after: card })).toEqual({ references, after: '411111******1111' });
    expect(masked({ references: [...references, card] })['references']).not.toContain(card);
  });

  it('masks a reference that is a card number or has one in it', () => {
    expect(masked({ reference: card })).toEqual({ reference: '411111******1111' });
    expect(masked({ reference: `INV-${card}` })).toEqual({ reference: 'INV-411111******1111' });
    expect(masked({ reference: '4111-1111-1111-1111' })).toEqual({ reference: '4111-11**-****-1111' });
  });

  it('keeps the bytes of a frame, which the protocol has masked, and nothing that only looks like them', () => {
    const hex = '41:11:11:11:11:11:11:11';
    expect(masked({ hex })).toEqual({ hex });
    expect(masked({ hex: hex.replaceAll(':', ' ') })).toEqual({ hex: hex.replaceAll(':', ' ') });
    expect(masked({ hex: '4111111111111111' })).toEqual({ hex: '411111******1111' });
    expect(masked({ msg: `"hex":"${hex}"` })).toEqual({ msg: '"hex":"41:11:11:**:**:**:11:11"' });
  });

  it('stays JSON when a row of numbers is one together', () => {
    expect(masked({ row: [4111, 1111, 1111, 1111], count: 5, name: 'x' })).toEqual({
      row: ['4111', '11**', '****', '1111'],
      count: '5',
      name: 'x',
    });
  });

  it('masks the same number under any other name, and in a text that only looks like the field', () => {
    const stars = maskCardNumbers(timestamp);
    expect(masked({ note: timestamp })).toEqual({ note: stars });
    expect(masked({ msg: `"reference":"${card}"` })).toEqual({ msg: '"reference":"411111******1111"' });
  });
});
