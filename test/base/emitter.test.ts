/** The one emitter: order, faults, and subscriptions that come and go while it emits. */
import { describe, expect, it } from 'vitest';
import { createEmitter } from '../../src/base/emitter.ts';

function setUp(endOnFault = false) {
  const faults: [string, number][] = [];
  const emitter = createEmitter<number>({
    onFault: (error, value) => faults.push([String(error), value]),
    endOnFault,
  });
  const heard: string[] = [];
  const listen = (name: string) => emitter.subscribe((value) => heard.push(`${name}${value}`));
  return { emitter, faults, heard, listen };
}

describe('an emitter', () => {
  it('calls everybody with each value, in the order in which they subscribed', () => {
    const { emitter, heard, listen } = setUp();
    emitter.emit(0);
    expect(emitter.hasSubscribers).toBe(false);
    listen('a');
    listen('b');
    expect(emitter.hasSubscribers).toBe(true);
    emitter.emit(1);
    emitter.emit(2);
    expect(heard).toStrictEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('ends each subscription by itself, also of one function that has two', () => {
    const { emitter } = setUp();
    let calls = 0;
    const listener = () => void (calls += 1);
    const [first, second] = [emitter.subscribe(listener), emitter.subscribe(listener)];
    emitter.emit(1);
    expect(calls).toBe(2);
    first();
    first();
    emitter.emit(2);
    expect(calls).toBe(3);
    second();
    emitter.emit(3);
    expect(calls).toBe(3);
    expect(emitter.hasSubscribers).toBe(false);
  });

  it.each([
    ['goes on calling a listener that throws', false, ['a1', 'c1', 'a2', 'c2'], [1, 2]],
    ['or ends it where it is to', true, ['a1', 'c1', 'a2', 'c2'], [1]],
  ])('%s, tells of the fault, and calls the others', (_name, endOnFault, calls, faultyValues) => {
    const { emitter, faults, heard, listen } = setUp(endOnFault);
    listen('a');
    emitter.subscribe(() => {
      throw new Error('no');
    });
    listen('c');
    emitter.emit(1);
    emitter.emit(2);
    expect(heard).toStrictEqual(calls);
    expect(faults).toStrictEqual(faultyValues.map((value) => ['Error: no', value]));
  });

  it('lets everybody hear one value before a listener’s own is passed on', () => {
    const { emitter, heard, listen } = setUp();
    emitter.subscribe((value) => {
      if (value < 3) emitter.emit(value + 1);
    });
    listen('b');
    listen('c');
    emitter.emit(1);
    expect(heard).toStrictEqual(['b1', 'c1', 'b2', 'c2', 'b3', 'c3']);
  });

  it('passes several values on before those that a listener emits meanwhile', () => {
    const { emitter, heard, listen } = setUp();
    emitter.subscribe((value) => {
      if (value < 10) emitter.emit(value * 10);
    });
    listen('b');
    emitter.emit(1, 2);
    expect(heard).toStrictEqual(['b1', 'b2', 'b10', 'b20']);
  });

  it('no longer calls who was ended meanwhile, and calls who came meanwhile from the next value on', () => {
    const { emitter, heard, listen } = setUp();
    const ends: (() => void)[] = [];
    emitter.subscribe((value) => {
      if (value > 1) return;
      ends[0]?.();
      listen('new');
    });
    ends.push(listen('b'));
    emitter.emit(1);
    expect(heard).toStrictEqual([]);
    emitter.emit(2);
    expect(heard).toStrictEqual(['new2']);
    emitter.clear();
    emitter.emit(3);
    expect(heard).toStrictEqual(['new2']);
  });

  it('works again when telling of a fault has failed', () => {
    const emitter = createEmitter<number>({
      onFault: (error) => {
        throw error;
      },
    });
    const heard: number[] = [];
    const end = emitter.subscribe(() => {
      throw new Error('no');
    });
    expect(() => emitter.emit(1)).toThrow('no');
    end();
    emitter.subscribe((value) => heard.push(value));
    emitter.emit(2);
    expect(heard).toStrictEqual([2]);
  });
});

describe('an emitter that delivers later', () => {
  function setUpLate() {
    const turns: (() => void)[] = [];
    const faults: number[] = [];
    const heard: string[] = [];
    const emitter = createEmitter<number>({
      onFault: (_error, value) => faults.push(value),
      later: (deliver) => turns.push(deliver),
    });
    const listen = (name: string) => emitter.subscribe((value) => heard.push(`${name}${value}`));
    return { emitter, turns, faults, heard, listen };
  }

  it('asks for one turn, and passes on in it all that has come until then', () => {
    const { emitter, turns, heard, listen } = setUpLate();
    listen('a');
    listen('b');
    emitter.emit(1);
    emitter.emit(2, 3);
    expect([heard, turns.length]).toStrictEqual([[], 1]);
    turns.shift()?.();
    expect(heard).toStrictEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    emitter.emit(4);
    expect(turns).toHaveLength(1);
    turns.shift()?.();
    expect(heard.slice(6)).toStrictEqual(['a4', 'b4']);
  });

  it('tells those who listened when it was emitted, and have not ended it since', () => {
    const { emitter, turns, heard, listen } = setUpLate();
    const end = listen('a');
    listen('b');
    emitter.emit(1);
    end();
    listen('new');
    emitter.emit(2);
    turns.shift()?.();
    expect(heard).toStrictEqual(['b1', 'b2', 'new2']);
  });

  it('passes everything on at once when it is asked to, and nothing twice', () => {
    const { emitter, turns, heard, listen } = setUpLate();
    listen('a');
    emitter.emit(1, 2);
    emitter.flush();
    expect(heard).toStrictEqual(['a1', 'a2']);
    emitter.emit(3);
    for (const turn of turns.splice(0)) turn();
    expect(heard).toStrictEqual(['a1', 'a2', 'a3']);
  });

  it('goes on after a listener’s fault, also with what a listener emits meanwhile', () => {
    const { emitter, turns, faults, heard, listen } = setUpLate();
    emitter.subscribe((value) => {
      if (value === 1) emitter.emit(10);
      throw new Error('no');
    });
    listen('b');
    emitter.emit(1, 2);
    while (turns.length > 0) turns.shift()?.();
    expect(heard).toStrictEqual(['b1', 'b2', 'b10']);
    expect(faults).toStrictEqual([1, 2, 10]);
  });
});
