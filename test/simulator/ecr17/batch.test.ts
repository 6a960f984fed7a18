/** Reversals, totals and closes of the simulated ECR17 terminal, and what is done at it by hand. */
import { describe, expect, it } from 'vitest';
import { ecr17Dialects } from '../../../src/simulator/ecr17/dialects.ts';
import { settle } from '../../support/virtual-clock.ts';
import { close, lastResult, part, pay, reverse, setUp, totals } from './kit.ts';

const ask = async (kit: ReturnType<typeof setUp>, request: string) =>
  (await kit.connect().ask(request)).at(-1);
const total = async (kit: ReturnType<typeof setUp>) => Number(part(await ask(kit, totals), 13, 16));

describe('a reversal', () => {
  it.each(['000002', '000000'])(
    'undoes the last payment, named as %s, and is a result with a number',
    async (stan) => {
      const kit = setUp();
      await ask(kit, pay(650));
      const answer = await ask(kit, reverse(stan));
      expect(answer).toHaveLength(84);
      expect([part(answer, 11, 2), part(answer, 60, 6)]).toEqual(['00', '000003']);
      expect(await ask(kit, lastResult)).toBe(answer);
      expect(kit.ledger()).toEqual(['charged 6.50 000002', 'reversed 6.50 000002']);
      expect(await total(kit)).toBe(0);
    },
  );

  it.each<[string, (kit: ReturnType<typeof setUp>) => unknown, string]>([
    ['another number', () => {}, '000001'],
    ['a payment behind it', (kit) => ask(kit, pay(700)), '000002'],
    ['a refusal behind it', (kit) => ask(kit, pay(601)), '000002'],
    ['a close behind it', (kit) => ask(kit, close), '000002'],
    ['its reversal behind it', (kit) => ask(kit, reverse('000002')), '000002'],
    ['something done by hand behind it', (kit) => kit.simulator.payManually(700), '000002'],
  ])('is refused with %s', async (_what, meanwhile, stan) => {
    const kit = setUp();
    await ask(kit, pay(650));
    await meanwhile(kit);
    const before = kit.ledger().filter((one) => !one.startsWith('refused'));
    const answer = await ask(kit, reverse(stan));
    expect([answer?.length, part(answer, 11, 23)]).toEqual([84, '01STORNO NON POSSIBILE  '.slice(0, 23)]);
    expect(kit.ledger().filter((one) => !one.startsWith('refused'))).toEqual(before);
  });

  it('that the customer does not carry through leaves the payment', async () => {
    const kit = setUp();
    await ask(kit, pay(650));
    kit.simulator.queueScenario('cancelled_by_customer');
    expect(part(await ask(kit, reverse('000002')), 11, 2)).toBe('01');
    expect(await total(kit)).toBe(650);
  });
});

describe('a close', () => {
  it('tells both totals and clears them; last result and numbers stay', async () => {
    const kit = setUp();
    const paid = await ask(kit, pay(650));
    await ask(kit, pay(601));
    const last = await ask(kit, lastResult);
    const answer = await ask(kit, close);
    expect([answer?.length, part(answer, 11, 34)]).toEqual([44, `00${'650'.padStart(16, '0').repeat(2)}`]);
    expect([await total(kit), await ask(kit, lastResult)]).toEqual([0, last]);
    expect(paid).not.toBe(last);
    expect(part(await ask(kit, pay(700)), 60, 6)).toBe('000004');
    expect(kit.ledger()).toContain('settled 1 6.50');
  });

  it('that is refused says why, and leaves the totals', async () => {
    const kit = setUp();
    await ask(kit, pay(650));
    kit.simulator.queueScenario('declined');
    expect(part(await ask(kit, close), 11, 24)).toBe('01SBILANCIO          100');
    expect(await total(kit)).toBe(650);
  });

  it('of an empty batch is done', async () => {
    expect(part(await ask(setUp(), close), 11, 34)).toBe(`00${'0'.repeat(32)}`);
  });

  it('uses up a number where the dialect says so', async () => {
    const kit = setUp({ dialect: ecr17Dialects['numbered-close'] });
    await ask(kit, close);
    expect(part(await ask(kit, pay(650)), 60, 6)).toBe('000003');
  });
});

describe('by hand', () => {
  it('payments, refusals, reversals and closes leave their marks', async () => {
    const kit = setUp();
    kit.simulator.payManually(650);
    kit.simulator.reverseManually();
    kit.simulator.declineManually();
    expect(() => kit.simulator.reverseManually()).toThrow('nothing');
    kit.simulator.payManually(700);
    kit.simulator.closeDayManually();
    expect(kit.ledger().filter((one) => !one.startsWith('refused'))).toEqual([
      'charged 6.50 000002',
      'reversed 6.50 000002',
      'charged 7.00 000005',
      'settled 1 7.00',
    ]);
  });

  it('nothing is done while the till has it work', async () => {
    const kit = setUp({ timeScale: 1 });
    kit.connect().send(pay(650));
    await settle();
    expect(() => kit.simulator.payManually(700)).toThrow('busy');
    expect(() => kit.simulator.closeDayManually()).toThrow('busy');
  });
});
