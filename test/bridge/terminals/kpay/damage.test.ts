/**
 * What one wrong bit in an answer does. Answers carry no check of their own, and only TCP's checksums stand between such a
 * bit and the driver: what cannot be read is asked for again, and what can be read is believed.
 */
import { describe, expect, it } from 'vitest';
import { terminalRecordSchema, type TerminalRecord } from '../../../../src/contract/terminal.ts';
import { createTrack, type Found } from '../../../../src/bridge/terminals/kpay/track.ts';
import { decodeAnswer, startProvedBy } from '../../../../src/bridge/terminals/kpay/wire/index.ts';
import { damages } from '../../../wire/frame-kit.ts';
import { code, createKit, held, number, order, type Script } from './driver-kit.ts';

const bodyOf = (result: ReturnType<typeof held>) => {
  if (result.kind !== 'response') throw new Error('no answer');
  return result.body;
};

function foundIn(body: Uint8Array): Found {
  const answer = decodeAnswer(body);
  const { amountMinor, maxAmountMinor, currency } = order;
  const track = createTrack(
    { kind: 'sale', number, amountMinor, maxAmountMinor, currency },
    { elapsed: () => 0 },
  );
  return track.take(
    answer === null
      ? { kind: 'no_answer', reason: 'it cannot be read' }
      : { kind: 'answered', answer, repeated: false },
  );
}

function recordIn(body: Uint8Array): TerminalRecord {
  const found = foundIn(body);
  if (found.kind !== 'record') throw new Error('no record');
  return found.record;
}

/** The fields of the record that differ, `nothing`, or what is believed instead of a record. */
function effectOf(damaged: Uint8Array, good: TerminalRecord): string {
  const found = foundIn(damaged);
  if (found.kind !== 'record') return found.kind;
  const { record } = found;
  const differs = Object.keys(good).filter((key) => {
    const field = key as keyof TerminalRecord;
    return record[field] !== good[field];
  });
  return differs.length === 0 ? 'nothing' : differs.join(', ');
}

function counted(effects: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const effect of effects) counts[effect] = (counts[effect] ?? 0) + 1;
  return counts;
}

describe.each([
  [
    'an approval',
    2,
    {
      pending: 1298,
      unclear: 287,
      nothing: 120,
      amountMinor: 47,
      receiptNumber: 106,
      'cardScheme, schemeGroup': 66,
      maskedCardNumber: 125,
      approvalCode: 91,
      traceNumber: 84,
      terminalId: 126,
      // 3 is failed, and 6 cancelled.
      'approved, resultCode, resultText': 2,
    },
  ],
  [
    'a refusal',
    3,
    {
      pending: 1299,
      // Another amount, or another kind of transaction.
      unclear: 51,
      nothing: 223,
      receiptNumber: 106,
      'amountMinor, currency': 86,
      currency: 94,
      'cardScheme, schemeGroup': 66,
      maskedCardNumber: 125,
      approvalCode: 91,
      traceNumber: 84,
      terminalId: 126,
      // 2 is success.
      'approved, resultCode, resultText': 1,
    },
  ],
] as const)('one wrong bit in %s', (_what, payResult, expected) => {
  const body = bodyOf(held({ payResult }));
  const good = recordIn(body);

  it('is not believed, or is another value of one field', () => {
    const effects = [...damages(body)].map(({ bytes }) => effectOf(bytes, good));
    expect(effects).toHaveLength(body.length * 8);
    expect(counted(effects)).toEqual(expected);
  });

  it('lets nothing through that is not what its field may hold', () => {
    const offences = [...damages(body)].filter(({ bytes }) => {
      const found = foundIn(bytes);
      return found.kind === 'record' && !terminalRecordSchema.safeParse(found.record).success;
    });
    expect(offences.map(({ place }) => place)).toEqual([]);
  });
});

describe('the driver', () => {
  const soldWith = async (script: Script) => {
    const kit = await createKit(script);
    return await kit.run(kit.driver.sale(order, kit.watch));
  };

  it.each([
    ['a smaller amount', 10_000],
    ['a larger one', 12_800],
  ])('leaves %s to a person', async (_what, amountMinor) => {
    expect(await soldWith({ query: [held({ amountMinor })] })).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['an approval that reads as a refusal', { query: [held({ payResult: 3 })] }, 'declined'],
    ['an approval that reads as cancelled', { query: [held({ payResult: 6 })] }, 'cancelled'],
    ['an acceptance that reads as a refusal', { sale: [code(10_001)] }, 'not_started'],
  ])('cannot see %s', async (_what, script, kind) => {
    expect(await soldWith(script)).toMatchObject({ kind });
  });

  it('can be told by one bit of an acceptance that the request was refused, in one place only', () => {
    const body = Buffer.from('{"code":10000}');
    const proofs = [...damages(body)].flatMap(({ bytes }) => {
      const read = decodeAnswer(bytes)?.code ?? 10_000;
      return startProvedBy(read, 'sale') === 'not_started' ? [read] : [];
    });
    expect(proofs).toEqual([10_001]);
  });
});
