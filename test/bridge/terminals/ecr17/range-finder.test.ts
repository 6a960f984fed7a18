/** In which range a terminal is asked first, and what is remembered of that from one connection to the next. */
import { describe, expect, it } from 'vitest';
import { createRangeFinder, type RangeMemory } from '../../../../src/bridge/terminals/ecr17/range-finder.ts';
import { silentLog } from '../../../../src/log/log.ts';

describe('the range of a terminal’s check bytes', () => {
  it('is looked for once, and tried first on the next connection', () => {
    const memory: RangeMemory = { sending: null };
    const first = createRangeFinder('auto', memory, silentLog);
    expect(first.sending).toBe('stx+etx');
    first.next();
    first.next();
    first.found('std');
    const second = createRangeFinder('auto', memory, silentLog);
    expect([second.sending, second.isKnown, second.tries]).toEqual(['std', false, 4]);
    // Another terminal stands there now.
    second.next();
    second.next();
    second.found('stx+etx');
    expect(createRangeFinder('auto', memory, silentLog).sending).toBe('stx+etx');
  });

  it('is not remembered before the terminal has answered, and what is set comes before what is remembered', () => {
    const memory: RangeMemory = { sending: null };
    createRangeFinder('auto', memory, silentLog).next();
    expect(memory.sending).toBeNull();
    const set = createRangeFinder('etx', { sending: 'std' }, silentLog);
    expect([set.sending, set.isKnown]).toEqual(['etx', true]);
  });
});
