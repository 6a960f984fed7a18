import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  edcProfile,
  encodeMessage,
  messageName,
  tracedHex,
  traceFields,
  type MessageParts,
} from '../../../../../src/bridge/terminals/ecr-edc/wire/index.ts';

const kbtg = edcProfile('kbtg');
if (kbtg === null) throw new Error('there is no profile kbtg');

function trace(parts: MessageParts) {
  const bytes = encodeMessage(parts);
  const message = decodeMessage(bytes);
  return {
    name: messageName(message, kbtg as NonNullable<typeof kbtg>),
    fields: traceFields(message, kbtg as NonNullable<typeof kbtg>, 'EUR'),
    hex: tracedHex(bytes, message),
  };
}

describe('the wire trace of ECR-EDC', () => {
  it('tells what is asked for, and amounts as people write them', () => {
    const { name, fields } = trace({ requestResponse: '0', txCode: '20', fields: [['40', '000000001250']] });
    expect(name).toBe('payment');
    expect(fields).toStrictEqual([
      ['transaction', '20: payment', { from: 12, to: 14 }],
      ['amount', '12.50', { from: 18, to: 34 }],
    ]);
  });

  it('tells how it ended; of the card the last four digits, and nothing of its expiry and its holder', () => {
    const { fields, hex } = trace({
      requestResponse: '1',
      txCode: '20',
      responseCode: 'ND',
      fields: [
        ['02', 'DECLINED\0 '],
        ['30', '4761739001010010'],
        ['31', '2512'],
        ['D5', 'DOE/JANE'],
        ['Q9', 'X'],
      ],
    });
    expect(fields.map(([name, value]) => [name, value])).toStrictEqual([
      ['transaction', '20: payment'],
      ['result', 'ND: Declined'],
      ['text', 'DECLINED·'],
      ['card number', '•••• 0010'],
      ['unknown field', 'Q9: X'],
    ]);
    // 30, its length 0016, twelve masked digits and the last four.
    expect(hex).toContain(`33:30:00:16:${'**:'.repeat(12)}30:30:31:30:1c`);
    expect(hex).toContain(`33:31:00:04:${'**:'.repeat(4)}1c`);
    expect(hex).toContain(`44:35:00:08:${'**:'.repeat(8)}1c`);
  });

  it('tells what a notice says, and codes that nobody knows as they are', () => {
    expect(trace({ requestResponse: '1', txCode: 'P1', more: '1' })).toMatchObject({
      name: 'status message',
      fields: [['transaction', 'P1: Waiting for the PIN', { from: 12, to: 14 }]],
    });
    expect(trace({ requestResponse: '1', txCode: 'Z9', responseCode: '\0\0' })).toMatchObject({
      name: 'unknown',
      fields: [
        ['transaction', 'Z9: unknown', { from: 12, to: 14 }],
        ['result', '··: Cancelled at the terminal', { from: 14, to: 16 }],
      ],
    });
  });

  it('shows nothing of what could not be read', () => {
    const bytes = Uint8Array.from(Buffer.from('4761739001010010'));
    const message = decodeMessage(bytes);
    expect(traceFields(message, kbtg, 'EUR')).toStrictEqual([]);
    expect(tracedHex(bytes, message)).toBe(Array.from(bytes, () => '**').join(':'));
  });

  it('stays within the bounds of the log', () => {
    const fields = Array.from({ length: 300 }, () => ['02', 'A'.repeat(9)] as const);
    expect(trace({ requestResponse: '1', txCode: '20', fields }).fields).toHaveLength(100);
  });
});
