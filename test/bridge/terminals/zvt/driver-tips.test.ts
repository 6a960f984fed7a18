/** More than asked is taken only as far as tips are allowed. */
import { describe, expect, it } from 'vitest';
import { aborted, amountMinor, completion, createReadyKit, status, type Kit } from './driver-kit.ts';

const refused = '846c00';

function startSaleUpTo(kit: Kit, maxAmountMinor: number) {
  return kit.driver.sale({ amountMinor, maxAmountMinor, currency: 'EUR' }, kit.watch);
}

describe('an approval of more than was asked', () => {
  it.each([amountMinor, 1201, 1320])('of %i is done where up to 1320 is allowed', async (approved) => {
    const kit = await createReadyKit();
    const sale = startSaleUpTo(kit, 1320);
    await kit.terminal.serve('0601', status({ amountMinor: approved }), completion);
    expect(await sale).toMatchObject({ kind: 'done', record: { amountMinor: approved } });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
    expect(kit.refused).toEqual([]);
  });

  it.each([
    ['without tips', amountMinor, 1201, /12\.01 EUR, more than the 12\.00 EUR/],
    ['beyond the tip', 1320, 1321, /13\.21 EUR, more than the 12\.00 EUR .* 13\.20 EUR/],
  ])('%s is refused, and declined when the terminal then says so', async (_, most, approved, words) => {
    const kit = await createReadyKit();
    const sale = startSaleUpTo(kit, most);
    await kit.terminal.serve('0601');
    await kit.terminal.tell(status({ amountMinor: approved }), refused);
    expect(kit.disk.results).toEqual([]);
    expect(kit.refused).toMatchObject([{ approved: true, amountMinor: approved }]);
    await kit.terminal.tell(status({ code: '6c', amountMinor: approved }));
    await kit.terminal.tell(aborted);
    expect(await sale).toMatchObject({ kind: 'declined', reason: expect.stringMatching(words) });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is unknown, with both amounts named, when the terminal goes on as if nothing were', async () => {
    for (const end of [completion, aborted]) {
      const kit = await createReadyKit();
      const sale = startSaleUpTo(kit, amountMinor);
      await kit.terminal.serve('0601');
      await kit.terminal.tell(status({ amountMinor: 1500 }), refused);
      await kit.terminal.tell(end);
      expect(await sale).toMatchObject({
        kind: 'unknown',
        reason: 'The terminal approved 15.00 EUR, more than the 12.00 EUR that were asked; that was refused.',
      });
    }
  });
});
