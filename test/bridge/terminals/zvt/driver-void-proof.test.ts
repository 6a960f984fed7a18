/** A void counts only when something that the terminal says names the payment. */
import { describe, expect, it } from 'vitest';
import { completion, createReadyKit, startVoid, status, voidOrder } from './driver-kit.ts';

/** Of a reversal that names nothing: no BMP 37, numbers of its own. */
const nameless = status({ trace: '000472', receipt: '0472' });
const named = status({ trace: '000472', receipt: '0472', original: '000471' });

describe('a void whose answer names the payment', () => {
  it.each([
    ['by BMP 37', named],
    ['by its receipt number', status({ trace: '000472', receipt: '0471' })],
    ['by its trace number', status({ trace: '000471', receipt: '0472' })],
  ])('%s is done without a second look', async (_, result) => {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.serve('0630', result, completion);
    expect(await answer).toMatchObject({ kind: 'done' });
    expect(kit.terminal.moneyCommands).toEqual(['0630']);
    expect((await kit.terminal.heard()).filter((each) => each.startsWith('0620'))).toEqual([]);
  });
});

describe('a void whose answer names no payment', () => {
  async function nameNothing(result = nameless) {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.serve('0630', result, completion);
    return { kit, answer };
  }

  it('is done when the record after it does, and that record is kept', async () => {
    const { kit, answer } = await nameNothing();
    await kit.terminal.serve('0620', named, completion);
    expect(await answer).toMatchObject({ kind: 'done', record: { originalTraceNumber: '000471' } });
    expect(kit.disk.results.map(({ originalTraceNumber }) => originalTraceNumber)).toEqual([null, '000471']);
    expect(kit.terminal.moneyCommands).toEqual(['0630']);
  });

  it.each([
    ['still shows the payment', [status(), completion]],
    ['shows the same nameless reversal', [nameless, completion]],
    ['shows the reversal of another payment', [status({ trace: '000472', original: '000469' }), completion]],
    ['shows a reversal with another number', [status({ trace: '000480', original: '000471' }), completion]],
    [
      'shows a reversal that failed',
      [status({ trace: '000472', original: '000471', code: 'b5' }), completion],
    ],
    ['shows nothing', [completion]],
    ['is not shown', ['061e0164']],
  ])('is unknown when the record after it %s', async (_, messages) => {
    const { kit, answer } = await nameNothing();
    await kit.terminal.serve('0620', ...messages);
    expect(await answer).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/names this payment/),
    });
    expect(kit.terminal.moneyCommands).toEqual(['0630']);
  });

  it('is unknown when the line is lost, or the record cannot be kept', async () => {
    const lost = await nameNothing();
    await lost.kit.terminal.cut();
    expect(await lost.answer).toMatchObject({ kind: 'unknown' });
    const full = await nameNothing();
    full.kit.disk.writable = false;
    await full.kit.terminal.serve('0620', named, completion);
    expect(await full.answer).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/disk/) });
  });

  it('is unknown where BMP 37 has nothing to be compared with, and no other number fits', async () => {
    const kit = await createReadyKit();
    const answer = kit.driver.void({ ...voidOrder, traceNumber: null }, kit.watch);
    await kit.terminal.serve('0630', named, completion);
    await kit.terminal.serve('0620', named, completion);
    expect(await answer).toMatchObject({ kind: 'unknown' });
  });
});
