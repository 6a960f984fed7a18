import { describe, expect, it } from 'vitest';
import {
  buildApdu,
  fromHex,
  hex,
  encodeMessage,
  type TlvParts,
} from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import type { LogFields } from '../../../../src/log/log.ts';
import { createNotingLog } from '../../../support/noting-log.ts';
import { completion, createReadyKit, startSale, status } from './driver-kit.ts';

const text = (line: string) => hex(new TextEncoder().encode(line));
const line = (attribute: string, content: string) =>
  hex(encodeMessage({ ctrl: '06d1', positional: { attribute, text: content } }));
const block = (...parts: TlvParts[]) =>
  hex(
    encodeMessage({
      ctrl: '06d3',
      tlv: [
        { tag: '1f07', hex: '02' },
        { tag: '25', children: parts },
      ],
    }),
  );

async function partsOf(messages: string[]): Promise<unknown> {
  const kit = await createReadyKit({ settings: { receipts: 'pos' } });
  const sale = startSale(kit);
  await kit.terminal.serve('0601', status(), ...messages, completion);
  const answer = await sale;
  if (answer.kind !== 'done') throw new Error(answer.kind);
  return answer.receiptParts;
}

const merchant = '01';
const customer = '02';
/** A line of a receipt that says whose it is, as a text block and as a single line. */
const blockOf = (copy: string, content: string, attribute = '00') =>
  hex(
    encodeMessage({
      ctrl: '06d3',
      tlv: [
        { tag: '1f07', hex: copy },
        {
          tag: '25',
          children: [
            { tag: '07', hex: text(content) },
            { tag: '09', hex: attribute },
          ],
        },
      ],
    }),
  );

describe('receipts are told apart', () => {
  it('by what the terminal says of each text block', async () => {
    const messages = [
      blockOf(merchant, 'A'),
      blockOf(merchant, 'B', '81'),
      blockOf(customer, 'C'),
      blockOf(customer, 'D', '81'),
    ];
    expect(await linesOf(messages)).toEqual(['A', 'B', '', 'C', 'D']);
    expect(await partsOf(messages)).toEqual([
      { from: 0, copy: 'merchant' },
      { from: 3, copy: 'customer' },
    ]);
  });

  it('by whose they are, also where no last line is marked', async () => {
    const messages = [blockOf(merchant, 'A'), blockOf(customer, 'C')];
    expect(await linesOf(messages)).toEqual(['A', '', 'C']);
    expect(await partsOf(messages)).toEqual([
      { from: 0, copy: 'merchant' },
      { from: 2, copy: 'customer' },
    ]);
  });

  it('by the last line of each, where nobody says whose they are', async () => {
    expect(await partsOf([line('00', 'A'), line('81', 'B'), line('00', 'C'), line('8f', 'D')])).toEqual([
      { from: 0, copy: null },
      { from: 3, copy: null },
    ]);
  });

  it('by the container behind a single line, whichever line has it', async () => {
    const told = (copy: string, letter: string) => `06d10900${text(letter)}2006041f0701${copy}`;
    expect(await partsOf([line('00', 'A'), told(merchant, 'B'), line('81', 'C')])).toEqual([
      { from: 0, copy: 'merchant' },
    ]);
  });

  it('not at all where there is one of which nothing is said', async () => {
    expect(await partsOf([line('00', 'A'), line('81', 'B')])).toBe(undefined);
    expect(await partsOf([])).toBe(undefined);
  });

  it('up to fifty; more than these belong to the last', async () => {
    const many = Array.from({ length: 120 }, (_, at) => line('81', `${at}`));
    expect(await partsOf(many)).toHaveLength(50);
  });
});

async function linesOf(messages: string[], receipts: 'pos' | 'terminal' = 'pos'): Promise<string[]> {
  const kit = await createReadyKit({ settings: { receipts } });
  const sale = startSale(kit);
  await kit.terminal.serve('0601', status(), ...messages, completion);
  const answer = await sale;
  if (answer.kind !== 'done') throw new Error(answer.kind);
  return answer.receiptLines;
}

describe('receipt lines', () => {
  it('are kept from single lines, with indents and line feeds', async () => {
    const feed = hex(encodeMessage({ ctrl: '06d1', positional: { attribute: 'ff', lineFeeds: 2 } }));
    expect(
      await linesOf([line('40', 'SALE'), feed, line('04', '12.00 EUR'), line('81', 'Thank you')]),
    ).toEqual(['SALE', '', '', '    12.00 EUR', 'Thank you']);
  });

  it('are kept from text blocks', async () => {
    const message = block(
      { tag: '09', hex: '40' },
      { tag: '07', hex: text('SALE') },
      { tag: '07' },
      { tag: '09', hex: '02' },
      { tag: '07', hex: text('12.00') },
      { tag: '09', hex: '81' },
    );
    expect(await linesOf([message])).toEqual(['SALE', '', '  12.00']);
  });

  it('of several receipts have an empty line between them, and none behind the last', async () => {
    expect(await linesOf([line('00', 'A'), line('81', 'B'), line('00', 'C'), line('8f', 'D')])).toEqual([
      'A',
      'B',
      '',
      'C',
      'D',
    ]);
  });

  it('of a receipt in several blocks stay together', async () => {
    const first = block({ tag: '07', hex: text('A') });
    const second = block({ tag: '07', hex: text('B') }, { tag: '09', hex: '81' });
    expect(await linesOf([first, second])).toEqual(['A', 'B']);
  });

  it('leave out the container that some terminals put behind a line', async () => {
    expect(await linesOf(['06d10a4053414c06041f070102'])).toEqual(['SAL']);
  });

  it('hold no card number', async () => {
    const lines = await linesOf([
      line('00', 'Card 4111111111111111'),
      block({ tag: '07', hex: text('4111 1111 1111 1111') }),
    ]);
    expect(lines.join('')).not.toMatch(/1111.?1111.?1111/);
    expect(lines).toHaveLength(2);
  });

  it('are not kept where the terminal prints', async () => {
    expect(await linesOf([line('00', 'A')], 'terminal')).toEqual([]);
  });

  it('are bounded', async () => {
    const lines = await linesOf(
      Array.from({ length: 12 }, (_, index) =>
        block(...Array.from({ length: 100 }, () => ({ tag: '07', hex: text(`${index}`) }))),
      ),
    );
    expect(lines).toHaveLength(1_000);
  });

  it('come with a refusal too', async () => {
    const kit = await createReadyKit({ settings: { receipts: 'pos' } });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status({ code: '05' }), line('81', 'Declined'), '061e0105');
    expect(await sale).toMatchObject({ kind: 'declined', receiptLines: ['Declined'] });
  });
});

describe('the wire trace', () => {
  it('has every message in both directions, and no card data', async () => {
    const entries: { message: string; fields: LogFields }[] = [];
    const log = createNotingLog((level, message, fields) => {
      if (level === 'debug') entries.push({ message, fields });
    });
    const kit = await createReadyKit({ log });
    const sale = startSale(kit);
    const card = hex(
      encodeMessage({
        ctrl: '040f',
        bitmaps: [
          ['27', '00'],
          ['04', '000000001200'],
          ['22', '4111111111111111'],
        ],
      }),
    );
    // An unknown BMP: what stands behind it cannot be read, and so not be masked.
    const unreadable = hex(buildApdu('040f', fromHex('2700ff22f0f84111111111111111')));
    await kit.terminal.serve('0601', unreadable, card, completion);
    await sale;
    const traced = entries.filter(({ fields }) => fields['direction'] !== undefined);
    expect(traced.map(({ fields }) => `${String(fields['direction'])} ${String(fields['ctrl'])}`)).toEqual(
      expect.arrayContaining([
        'to_terminal 0601',
        'from_terminal 040f',
        'to_terminal 8000',
        'from_terminal 060f',
      ]),
    );
    expect(traced.find(({ fields }) => fields['ctrl'] === '0601')?.fields['hex']).toBe(
      '06:01:0c:04:00:00:00:00:12:00:49:09:78:19:40',
    );
    expect(JSON.stringify(entries)).not.toContain('41111111');
    expect(traced.some(({ fields }) => fields['ctrl'] === '040f' && fields['hex'] === undefined)).toBe(true);
  });
});
