import { describe, expect, it } from 'vitest';
import { nak, positive } from '../../../support/zvt-scripted-terminal.ts';
import { completion, createReadyKit, startSale, startVoid, status, voidOrder } from './driver-kit.ts';

const reversed = status({ original: '000471', trace: '000472', receipt: '0472' });

describe('a void', () => {
  it('names receipt and amount, and is done when the terminal reversed exactly that payment', async () => {
    const kit = await createReadyKit();
    const { terminal, disk } = kit;
    const answer = startVoid(kit);
    expect(await terminal.expect('0630')).toBe('06301000000087047104000000001200490978');
    terminal.send(positive);
    await terminal.tell(reversed);
    await terminal.tell(completion);
    expect(await answer).toEqual({ kind: 'done', record: disk.results[0], receiptLines: [] });
    expect(disk.results).toMatchObject([{ kind: 'reversal', originalTraceNumber: '000471' }]);
    expect(terminal.moneyCommands).toEqual(['0630']);
  });

  it.each([
    ['another payment', status({ original: '000469', trace: '000472' })],
    ['another amount', status({ original: '000471', trace: '000472', amountMinor: 1100 })],
    ['another currency', status({ original: '000471', trace: '000472', currency: '0756' })],
    ['an end of day', status({ totals: true })],
  ])('is unknown, and the result refused, when the terminal reversed %s', async (_, message) => {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.serve('0630');
    await kit.terminal.tell(message, '846c00');
    await kit.terminal.tell(completion);
    expect(await answer).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toEqual([]);
  });

  it('is done without a trace number of the original where one of both is not known', async () => {
    const kit = await createReadyKit();
    const first = startVoid(kit);
    await kit.terminal.serve('0630', status({ trace: '000472' }), completion);
    expect(await first).toMatchObject({ kind: 'done' });
    const second = kit.driver.void({ ...voidOrder, traceNumber: null }, kit.watch);
    await kit.terminal.serve('0630', status({ trace: '000473', original: '000001' }), completion);
    expect(await second).toMatchObject({ kind: 'done' });
  });

  it('refused is declined', async () => {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.serve('0630', status({ code: 'b5' }), '061e01b5');
    expect(await answer).toMatchObject({
      kind: 'declined',
      reason: expect.stringMatching(/reversal not possible/i),
    });
  });

  it('with a receipt number that has no form is not sent', async () => {
    const kit = await createReadyKit();
    for (const receiptNumber of ['', '12345', 'ffff', '1.5']) {
      const answer = kit.driver.void({ ...voidOrder, receiptNumber }, kit.watch);
      expect(await answer).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    }
    expect(kit.terminal.moneyCommands).toEqual([]);
  });
});

describe('a payment that the terminal calls already reversed (B4)', () => {
  const refusals = ['84b400', '061e01b4', status({ code: 'b4' })];

  async function refuse(notReadyAfterRefusal: string) {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.expect('0630');
    if (notReadyAfterRefusal.startsWith('84')) kit.terminal.send(notReadyAfterRefusal);
    else {
      kit.terminal.send(positive);
      await kit.terminal.tell(notReadyAfterRefusal);
      if (notReadyAfterRefusal.startsWith('040f')) await kit.terminal.tell('061e01b4');
    }
    return { ...kit, answer };
  }

  it.each(refusals)(
    'is voided when the last record shows our reversal (%s)',
    async (notReadyAfterRefusal) => {
      const { terminal, answer, disk } = await refuse(notReadyAfterRefusal);
      await terminal.serve('0620', reversed, completion);
      expect(await answer).toMatchObject({ kind: 'done', record: { originalTraceNumber: '000471' } });
      expect(disk.results.at(-1)).toMatchObject({ originalTraceNumber: '000471' });
      expect(terminal.moneyCommands).toEqual(['0630']);
    },
  );

  it.each(refusals)(
    'is unknown when the last record shows something else (%s)',
    async (notReadyAfterRefusal) => {
      for (const record of [
        status(),
        status({ original: '000470', trace: '000472' }),
        status({ original: '000471', trace: '000472', code: 'b5' }),
        status({ original: '000471', trace: '000472', amountMinor: 1100 }),
        status({ original: '000471', trace: '000472', terminalId: '11111111' }),
      ]) {
        const { terminal, answer, disk } = await refuse(notReadyAfterRefusal);
        await terminal.serve('0620', record, completion);
        expect(await answer).toMatchObject({ kind: 'unknown' });
        expect(disk.results).toMatchObject([{ resultCode: 'b4', approved: false }]);
      }
    },
  );

  it('is unknown when there is no last record, or the line is lost', async () => {
    const { terminal, answer } = await refuse('84b400');
    await terminal.serve('0620', completion);
    expect(await answer).toMatchObject({ kind: 'unknown' });
    const other = await refuse('84b400');
    await other.terminal.cut();
    expect(await other.answer).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown when the reversal cannot be written', async () => {
    const { terminal, answer, disk } = await refuse('84b400');
    disk.writable = false;
    await terminal.serve('0620', reversed, completion);
    expect(await answer).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown when that was the answer to a second copy', async () => {
    const kit = await createReadyKit();
    const { terminal } = kit;
    terminal.acknowledges = false;
    const answer = startVoid(kit);
    await terminal.expect('0630');
    terminal.sendBytes(nak);
    await terminal.expect('0630');
    terminal.acknowledges = true;
    terminal.send('84b400');
    expect(await answer).toMatchObject({ kind: 'unknown' });
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started' });
    expect(terminal.moneyCommands).toEqual(['0630', '0630']);
  });

  it('keeps "already reversed" when the last record cannot be read right after it', async () => {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.expect('0630');
    kit.terminal.send('84b400');
    await kit.terminal.expect('0620');
    kit.terminal.send('849c00');
    expect(await answer).toMatchObject({ kind: 'unknown' });
    expect(kit.disk.results).toMatchObject([{ resultCode: 'b4' }]);
  });
});
