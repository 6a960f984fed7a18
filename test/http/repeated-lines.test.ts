/** Lines that callers can repeat: the first is said, the others are counted, and their number is bounded over a day. */
import { describe, expect, it } from 'vitest';
import { createRepeatedLines, type RepeatedKind } from '../../src/http/index.ts';
import { collectingLog, type LogLine } from '../bridge/listener/set-up.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const refused: RepeatedKind = {
  name: 'token',
  level: 'info',
  message: 'Refused a request',
  many: 'requests without a token',
};

function prepare() {
  const clock = createVirtualClock();
  const lines: LogLine[] = [];
  return { clock, lines, repeated: createRepeatedLines(collectingLog(lines), clock) };
}

describe('repeated lines', () => {
  it('say the first at once, and the others in a sum that names some callers', async () => {
    const { clock, lines, repeated } = prepare();
    for (let index = 0; index < 1_205; index += 1) repeated.note(refused, `pos/${index}`, { index });
    expect(lines).toEqual([{ level: 'info', message: 'Refused a request', fields: { index: 0 } }]);
    await clock.advance(60_000);
    expect(lines.at(-1)).toEqual({
      level: 'info',
      message: '1,204 requests without a token in the last minute',
      fields: { count: 1_204, from: ['pos/1', 'pos/2', 'pos/3', '…'] },
    });
  });

  it('put together only what they say', () => {
    const { lines, repeated } = prepare();
    let made = 0;
    const fields = () => ({ made: (made += 1) });
    for (let index = 0; index < 500; index += 1) repeated.note({ ...refused, detailed: true }, 'pos', fields);
    expect(made).toBe(lines.length);
    expect(lines.length).toBeLessThan(200);
    expect(lines.at(-1)?.fields).toEqual({ made });
  });

  it('begin anew after a quiet interval', async () => {
    const { clock, lines, repeated } = prepare();
    repeated.note(refused, undefined, {});
    await clock.advance(60_000);
    repeated.note(refused, undefined, {});
    expect(lines).toHaveLength(2);
  });

  it('say what is left when they end', () => {
    const { lines, repeated } = prepare();
    for (let index = 0; index < 3; index += 1) repeated.note(refused, undefined, {});
    repeated.flush();
    repeated.flush();
    expect(lines.map(({ message }) => message)).toEqual([
      'Refused a request',
      '2 requests without a token in the last minute',
    ]);
  });

  it('stay few in a flood of ten kinds that goes on for a day', async () => {
    const { clock, lines, repeated } = prepare();
    const kinds = Array.from({ length: 10 }, (_, index): RepeatedKind => ({
      ...refused,
      name: `kind ${index}`,
      detailed: true,
    }));
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      for (const kind of kinds) for (let index = 0; index < 20; index += 1) repeated.note(kind, 'x', {});
      await clock.advance(60_000);
    }
    // 100 at once and 2,880 in the course of the day, and 30 sums of each kind.
    expect(lines.length).toBeLessThan(100 + 2_880 + 10 * 31);
    const told = lines.reduce((sum, { fields }) => sum + Number(fields['count'] ?? 1), 0);
    repeated.flush();
    expect(told + Number(lines.at(-1)?.fields['count'] ?? 0)).toBeGreaterThan(24 * 60 * 200 * 0.9);
  });
});
