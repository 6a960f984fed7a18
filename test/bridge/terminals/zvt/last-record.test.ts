/** What counts as "no record", and what as one that cannot be read. */
import { describe, expect, it } from 'vitest';
import { baseline, completion, createKit, idle, registered, status } from './driver-kit.ts';

async function lastRecordAfter(...messages: string[]) {
  const kit = createKit();
  const readiness = kit.driver.prepare();
  await kit.terminal.serve('0600', registered);
  await kit.terminal.serve('0501', idle);
  await kit.terminal.serve('0620', ...messages);
  const answer = await readiness;
  if (answer.kind !== 'ready') throw new Error(`the terminal is ${answer.kind}`);
  expect(kit.terminal.moneyCommands).toEqual([]);
  return answer.lastRecord;
}

const printLine = '06d1054053414c45';
const printBlock = '06d316' + '06141f070102250e0901400704' + '53414c4507000901' + '81';

describe('the enquiry for the last record', () => {
  it.each([
    ['a bare completion', [completion]],
    ['a completion with its date and terminal id', ['060f080d10062928004869']],
    ['a completion that says 00', ['060f022700']],
    ['print lines', [printLine, printLine, completion]],
    ['print blocks', [printBlock, completion]],
  ])('answered with %s and no result shows no record', async (_, messages) => {
    expect(await lastRecordAfter(...messages)).toEqual({ kind: 'empty' });
  });

  it.each([
    ['a completion that names an error', ['060f022764']],
    ['a completion of one byte', ['060f01e0']],
    ['a completion that cannot be read', ['060f0300ab01']],
    ['a result that breaks off', ['040f06270004000000', completion]],
    ['a result that cannot be read before its numbers', ['040f0b27000400000000120000ab', completion]],
    ['a result without a code', [status({ code: null }), completion]],
    ['a result that says nothing but "approved"', ['040f022700', completion]],
    ['a result that says nothing but "refused"', ['040f022705', completion]],
    ['an end instead of a completion', ['061e00']],
  ])('answered with %s is a record that cannot be read', async (_, messages) => {
    expect(await lastRecordAfter(...messages)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(/\.$/),
    });
  });

  it('answered with a result and print lines shows the record', async () => {
    expect(await lastRecordAfter(printLine, baseline, completion)).toMatchObject({
      kind: 'record',
      record: { traceNumber: '000470' },
    });
  });
});
