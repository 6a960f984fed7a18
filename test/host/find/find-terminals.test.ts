import { describe, expect, it } from 'vitest';
import { pause } from '../../../src/base/clock.ts';
import { startSearch, type Answer, type Place } from '../../../src/host/find/find-terminals.ts';
import type { ProtocolName } from '../../../src/contract/protocols.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const found: Answer = { kind: 'found', terminalId: '52500041', text: null, sure: true };
const silent: Answer = { kind: 'silent' };

const placesAt = (...terminals: string[]): Place[] =>
  terminals.map((terminal) => ({ terminal, protocols: ['zvt', 'transbank'], device: 'A cable' }));

/** Each question takes a second. */
function rig(
  places: Place[],
  answers: Record<string, Answer>,
  limits: { atOnce?: number; everyMs?: number } = {},
) {
  const clock = createVirtualClock();
  const asked: { what: string; fromMs: number; untilMs: number }[] = [];
  const money = { runs: false };
  const search = startSearch({
    places,
    async ask({ terminal }: Place, protocol: ProtocolName, signal) {
      const what = `${terminal} ${protocol}`;
      const fromMs = clock.elapsed();
      await pause(clock, 1_000, signal);
      asked.push({ what, fromMs, untilMs: clock.elapsed() });
      return answers[what] ?? silent;
    },
    paymentRuns: () => money.runs,
    atOnce: limits.atOnce ?? 4,
    everyMs: limits.everyMs ?? 0,
    clock,
  });
  return { clock, asked, money, search };
}

describe('a search for terminals', () => {
  it('asks each place until a terminal answers, and tells how far it is', async () => {
    const { clock, asked, search } = rig(placesAt('serial:A', 'serial:B', 'serial:C'), {
      'serial:A zvt': found,
      'serial:B transbank': { ...found, text: 'Close the batch first.' },
    });
    await clock.advance(500);
    expect(search.view).toMatchObject({
      state: 'running',
      done: 0,
      total: 3,
      asking: ['serial:A', 'serial:B', 'serial:C'],
    });
    await clock.run(search.over, 'the end of the search');
    expect(asked.map(({ what }) => what).toSorted()).toEqual([
      'serial:A zvt',
      'serial:B transbank',
      'serial:B zvt',
      'serial:C transbank',
      'serial:C zvt',
    ]);
    expect(search.view).toEqual({
      state: 'done',
      done: 3,
      total: 3,
      asking: [],
      found: [
        {
          terminal: 'serial:A',
          protocol: 'zvt',
          device: 'A cable',
          terminalId: '52500041',
          text: null,
          sure: true,
        },
        {
          terminal: 'serial:B',
          protocol: 'transbank',
          device: 'A cable',
          terminalId: '52500041',
          text: 'Close the batch first.',
          sure: true,
        },
      ],
      taken: [],
      denied: [],
    });
  });

  it('asks a place one question at a time, and leaves one alone that is in use or where nobody is', async () => {
    const { clock, asked, search } = rig(placesAt('serial:A', 'serial:B', 'tcp:C'), {
      'serial:B zvt': { kind: 'taken' },
      'tcp:C zvt': { kind: 'nobody' },
    });
    await clock.run(search.over, 'the end of the search');
    expect(asked.map(({ what }) => what)).not.toContain('serial:B transbank');
    expect(asked.map(({ what }) => what)).not.toContain('tcp:C transbank');
    expect(search.view.taken).toEqual(['serial:B']);
    const [first, second] = asked.filter(({ what }) => what.startsWith('serial:A'));
    expect(second?.fromMs).toBeGreaterThanOrEqual(first?.untilMs ?? Infinity);
  });

  it('asks no more places at once than it may, and begins no faster', async () => {
    const many = placesAt(...Array.from({ length: 60 }, (_, index) => `tcp:10.0.0.${index}`));
    const { clock, asked, search } = rig(many, {}, { atOnce: 5, everyMs: 100 });
    await clock.run(search.over, 'the end of the search');
    const atOnce = asked.map(
      ({ fromMs }) => asked.filter((other) => other.fromMs <= fromMs && other.untilMs > fromMs).length,
    );
    expect(Math.max(...atOnce)).toBe(5);
    const starts = asked.filter(({ what }) => what.endsWith(' zvt')).map(({ fromMs }) => fromMs);
    const inEachSecond = starts.map((from) => starts.filter((one) => one >= from && one < from + 1_000));
    expect(Math.max(...inEachSecond.map(({ length }) => length))).toBeLessThanOrEqual(10);
    expect(search.view).toMatchObject({ state: 'done', done: 60 });
  });

  it('ends when it is stopped, and when a payment begins: nothing is asked after that', async () => {
    for (const how of ['stopped', 'payment'] as const) {
      const { clock, asked, money, search } = rig(placesAt('serial:A', 'serial:B'), {}, { atOnce: 1 });
      await clock.advance(1_500);
      if (how === 'stopped') search.stop();
      else money.runs = true;
      await clock.run(search.over, 'the end of the search');
      expect(search.view.state).toBe(how);
      const count = asked.length;
      expect(asked.map(({ what }) => what)).not.toContain('serial:B zvt');
      await clock.advance(60_000);
      expect(asked).toHaveLength(count);
      expect(clock.waiting).toBe(0);
    }
  });

  it('gives up the question that is out when a payment begins', async () => {
    const { clock, asked, money, search } = rig(placesAt('serial:A'), {});
    await clock.advance(300);
    money.runs = true;
    await clock.advance(100);
    expect([search.view.state, asked.map(({ untilMs }) => untilMs)]).toEqual(['payment', [400]]);
    await clock.run(search.over, 'the end of the search');
  });

  it('is over at once where there is nowhere to look', async () => {
    const { clock, search } = rig([], {});
    await clock.run(search.over, 'the end of the search');
    expect(search.view).toMatchObject({ state: 'done', total: 0 });
  });
});
