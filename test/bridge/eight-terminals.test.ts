/**
 * Eight terminals paying at once on one bridge: each payment is charged on its own terminal, once, and a terminal whose
 * customers take half a minute holds up none of the others. Time is the bridge's clock.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openSeveral, type SeveralTerminals } from '../support/several-terminals.ts';

const others = ['t2', 't3', 't4', 't5', 't6', 't7', 't8'];
const names = ['main', ...others];
const payments = 5;

let opened: SeveralTerminals[] = [];
afterEach(async () => {
  for (const several of opened.splice(0)) await several.close();
});

async function open(): Promise<SeveralTerminals> {
  const several = await openSeveral(others);
  opened.push(several);
  await several.ready();
  return several;
}

/** The last two digits choose what happens: 07 takes 30 s before the host answers. */
const amountOf = (name: string, number: number) =>
  name === 'main' ? `${number}.07` : `${number * 10 + names.indexOf(name)}.50`;

/** The till of one terminal: one payment after the other. Gives the time that each took, in milliseconds. */
async function payAll(several: SeveralTerminals, name: string): Promise<number[]> {
  const times: number[] = [];
  const till = several.tillOf(name);
  for (let number = 1; number <= payments; number += 1) {
    const before = several.clock.elapsed();
    const { body } = await till.create(amountOf(name, number), `${name}-${number}`, 60);
    expect(body).toMatchObject({ transaction_status: 'approved', terminal: name });
    times.push(several.clock.elapsed() - before);
    const ready = () =>
      several.bridge.terminals.find((one) => one.name === name)?.payments.status().terminal.connection ===
      'ready';
    await several.until(ready, `${name} ready again`);
  }
  return times;
}

describe('eight terminals', () => {
  it('pay at once, each on its own, and the slowest keeps none waiting', async () => {
    const alone = await open();
    const fastAlone = await payAll(alone, 't2');

    const several = await open();
    const times = new Map(
      await Promise.all(names.map(async (name) => [name, await payAll(several, name)] as const)),
    );

    for (const name of names) {
      const charged = several
        .ledgerOf(name)
        .filter(({ event }) => event === 'charged')
        .map(({ amount }) => amount);
      const wanted = Array.from({ length: payments }, (_unused, index) => amountOf(name, index + 1));
      expect(charged).toEqual(wanted);
      const journal = several.bridge.terminals.find((one) => one.name === name)?.journal;
      expect(
        journal
          ?.payments({ limit: 50 })
          .map(({ reference }) => reference)
          .toSorted(),
      ).toEqual(wanted.map((_unused, index) => `${name}-${index + 1}`));
    }
    // The slow one takes its half minute; the others take what they take alone.
    expect(Math.min(...(times.get('main') ?? []))).toBeGreaterThanOrEqual(30_000);
    for (const name of others)
      expect(Math.max(...(times.get(name) ?? []))).toBeLessThan(Math.max(...fastAlone) + 1_000);
  });
});
