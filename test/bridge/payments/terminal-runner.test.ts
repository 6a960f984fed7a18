/** The loop around the terminal's machine: what lock, line and driver do to it, also when they misbehave. */
import { describe, expect, it } from 'vitest';
import { createAfterwards } from '../../../src/base/afterwards.ts';
import type { LineConnection } from '../../../src/bridge/lines/line.ts';
import { silentLog, type Log } from '../../../src/log/log.ts';
import type { TerminalEnvironment } from '../../../src/bridge/payments/terminal-link.ts';
import {
  createTerminalRunner,
  defaultRunnerSettings,
  type RunnerHooks,
} from '../../../src/bridge/payments/terminal-runner.ts';
import type {
  OperationInDoubt,
  Readiness,
  TerminalDriver,
} from '../../../src/bridge/terminals/terminal-driver.ts';
import { overLine } from '../../../src/bridge/terminals/over-line.ts';
import { sale as sampleSale } from '../journal/sample-events.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';

const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;
const ready: Readiness = { kind: 'ready', terminal, lastRecord: { kind: 'empty' } };

interface Options {
  lookUp?: TerminalDriver['lookUp'];
  toLookUp?(asked: boolean): OperationInDoubt[];
  lockLine?: TerminalEnvironment['lockLine'];
  poll?: () => Promise<Readiness>;
  observed?: RunnerHooks['observed'];
  log?: Log;
}

function setUp(options: Options = {}) {
  const clock = createVirtualClock();
  const seen: string[] = [];
  const connections: { closed: boolean; lose(reason: string): void }[] = [];
  const driver: TerminalDriver = {
    prepare: options.poll ?? (() => Promise.resolve(ready)),
    probe: options.poll ?? (() => Promise.resolve(ready)),
    sale: () => Promise.reject(new Error('not in this test')),
    void: () => Promise.reject(new Error('not in this test')),
    closeBatch: () => Promise.reject(new Error('not in this test')),
    cancel: () => void seen.push('cancel'),
    ...(options.lookUp === undefined ? {} : { lookUp: options.lookUp }),
    signOff: () => {
      seen.push('sign off');
      return Promise.resolve();
    },
  };
  function connect(): LineConnection {
    let onClose = (_reason: string) => {};
    const connection = {
      closed: false,
      lose(reason: string) {
        connection.closed = true;
        onClose(reason);
      },
    };
    connections.push(connection);
    return {
      write: () => !connection.closed,
      onData() {},
      onClose(handler) {
        onClose = handler;
      },
      get closed() {
        return connection.closed;
      },
      close() {
        if (!connection.closed) connection.lose('closed by us');
        return Promise.resolve();
      },
    };
  }
  const runner = createTerminalRunner(
    {
      lineName: 'memory:test',
      lockLine: options.lockLine ?? (() => ({ kind: 'held', release: () => void seen.push('release') })),
      ...overLine(
        {
          name: 'zvt',
          // A driver lives as long as one connection.
          attach: () => ({ ...driver }),
          continuity: () => 'same',
          reconcile: () => ({ kind: 'needs_decision', explanation: '' }),
        },
        () => Promise.resolve(connect()),
      ),
      clock,
      log: options.log ?? silentLog,
    },
    { ...defaultRunnerSettings, heartbeatMs: 30_000 },
    createAfterwards(clock, (error) => {
      throw error;
    }),
    {
      progress() {},
      lateResult: () => false,
      mayBeAnother: () => true,
      traits: () => new Set(),
      learned() {},
      stateChanged: () => clock.recheck(),
      observed: options.observed ?? (() => 'finished'),
      toLookUp: (asked) => options.toLookUp?.(asked) ?? [],
      inDoubt: () => false,
      connectionLost: (reason) => void seen.push(`lost: ${reason}`),
    },
  );
  const until = (kind: typeof runner.state.kind) =>
    clock.until(() => runner.state.kind === kind, `the state ${kind}`);
  return { clock, runner, seen, connections, until };
}

/** An operation that says what becomes of it. */
function sale(
  seen: string[],
  answeredFirst = false,
): Parameters<ReturnType<typeof setUp>['runner']['begin']>[0] {
  return {
    operationId: 'an operation',
    kind: 'sale',
    answeredFirst,
    tooOld: () => false,
    carryOut() {
      seen.push('sent');
      return Promise.resolve();
    },
    withdraw: (answer) => void seen.push(`withdrawn: ${'reason' in answer ? answer.reason : answer.kind}`),
  };
}

describe('the runner', () => {
  it('connects, polls, and gives all back in order', async () => {
    const { runner, seen, connections, until } = setUp();
    runner.start();
    await until('idle');
    await runner.stop();
    expect(runner.state.kind).toBe('stopped');
    expect(seen).toEqual(['sign off', 'release']);
    expect(connections.map(({ closed }) => closed)).toEqual([true]);
  });

  it('lets a lock go that it gets after it was stopped', async () => {
    const lock = Promise.withResolvers<{ kind: 'held'; release(): void }>();
    const { runner, clock, connections } = setUp({ lockLine: () => lock.promise });
    runner.start();
    await runner.stop();
    let released = false;
    lock.resolve({ kind: 'held', release: () => (released = true) });
    await clock.until(() => released, 'the lock to be let go');
    expect(connections).toEqual([]);
  });

  it('tries a lock that another has again, and says who has it', async () => {
    let free = false;
    const { runner, clock, until } = setUp({
      lockLine: () => (free ? { kind: 'held', release() {} } : { kind: 'taken', message: 'Till 2 has it.' }),
    });
    runner.start();
    await until('lost');
    expect(runner.state).toMatchObject({ reason: 'Till 2 has it.', next: 'lock' });
    await clock.advance(60_000);
    free = true;
    await until('idle');
  });

  it('begins anew with another connection after a fault in a poll, and after one in what follows from it', async () => {
    let polls = 0;
    const { runner, connections, until, seen } = setUp({
      poll() {
        polls += 1;
        return polls === 1 ? Promise.reject(new Error('a bug of the driver')) : Promise.resolve(ready);
      },
      observed() {
        if (polls === 2) throw new Error('a bug of the recovery');
        return 'finished';
      },
    });
    runner.start();
    await until('idle');
    expect(connections.map(({ closed }) => closed)).toEqual([true, true, false]);
    const lost = 'lost: an internal error in the bridge; see the log';
    expect(seen).toEqual([lost, lost]);
  });

  it('tells what a person has to do first', async () => {
    const { runner, until } = setUp({
      poll: () =>
        Promise.resolve({
          kind: 'attention',
          text: 'the password',
          requiredAction: 'setting',
          terminal,
          lastRecord: ready.lastRecord,
        }),
    });
    runner.start();
    await until('attention');
    expect(runner.state).toMatchObject({ requiredAction: 'setting', batchCloseAllowed: false });
  });

  it('hears nothing any more of a connection that was lost', async () => {
    const pending = Promise.withResolvers<Readiness>();
    let polls = 0;
    const { runner, clock, connections, until } = setUp({
      poll() {
        polls += 1;
        return polls === 1 ? pending.promise : Promise.resolve(ready);
      },
    });
    runner.start();
    await until('preparing');
    connections[0]?.lose('unplugged');
    await until('idle');
    // The poll of the first connection ends at last, with something that would need a person.
    pending.resolve({
      kind: 'attention',
      text: 'no paper',
      requiredAction: 'service',
      terminal,
      lastRecord: ready.lastRecord,
    });
    await clock.advance(1);
    expect(runner.state.kind).toBe('idle');
  });

  it('keeps an operation whose line went until its own answer has come, and only then connects again', async () => {
    const { runner, clock, connections, until, seen } = setUp();
    runner.start();
    await until('idle');
    const answer = Promise.withResolvers<void>();
    runner.begin({ ...sale(seen), carryOut: () => answer.promise });
    await until('operating');
    runner.cancel();
    connections[0]?.lose('unplugged');
    await clock.advance(60_000);
    expect(runner.state).toMatchObject({ kind: 'operating', lost: 'unplugged' });
    expect(connections).toHaveLength(1);
    answer.resolve();
    await until('idle');
    expect(connections).toHaveLength(2);
    expect(seen).toEqual(['cancel', 'lost: unplugged']);
  });

  it('warns of a terminal that does not answer', async () => {
    const warnings: string[] = [];
    const { runner, clock } = setUp({
      poll: () => Promise.resolve({ kind: 'silent', reason: 'no acknowledgement' }),
      log: { ...silentLog, warn: (message) => void warnings.push(message) },
    });
    runner.start();
    await clock.until(() => warnings.length > 0, 'a warning');
    expect(warnings[0]).toBe('the terminal does not answer');
  });

  it('says once why a terminal that answers takes no payments, and again when that comes back', async () => {
    const reasons: unknown[] = [];
    const busy = (text: string) => ({ kind: 'busy', text }) as const;
    const polls: Readiness[] = [
      busy('An update.'),
      busy('An update.'),
      busy('A menu.'),
      ready,
      busy('A menu.'),
    ];
    const { runner, clock } = setUp({
      poll: () => Promise.resolve(polls.shift() ?? ready),
      log: { ...silentLog, warn: (_message, fields) => void reasons.push(fields?.['reason']) },
    });
    runner.start();
    await clock.until(() => polls.length === 0, 'all polls');
    await clock.advance(1_000);
    expect(reasons).toEqual(['An update.', 'A menu.', 'A menu.']);
  });
});

describe('an operation that is claimed', () => {
  async function claimed(options: Options = {}, answeredFirst = false) {
    const rig = setUp(options);
    rig.runner.start();
    await rig.until('idle');
    rig.runner.begin(sale(rig.seen, answeredFirst));
    expect(rig.runner.state.kind).toBe('claimed');
    return rig;
  }

  it.each([
    ['that is answered first has a moment to read its answer', true, []],
    ['that waits for the end is not made to wait', false, ['sent']],
  ])('a till %s', async (_which, answeredFirst, atRest) => {
    const { seen, clock } = await claimed({}, answeredFirst);
    await settle();
    expect(seen).toEqual(atRest);
    await clock.until(() => seen.includes('sent'), 'the order');
  });

  it('is sent in a later turn, once', async () => {
    const { seen, clock, until } = await claimed();
    await Promise.resolve();
    expect(seen).toEqual([]);
    await until('idle');
    await clock.advance(60_000);
    expect(seen).toEqual(['sent']);
  });

  it('is withdrawn by a cancel, and then the terminal is polled', async () => {
    const { runner, seen, clock, connections, until } = await claimed();
    runner.cancel();
    expect(runner.state.kind).toBe('checking');
    await until('idle');
    await clock.advance(60_000);
    expect(seen).toEqual(['withdrawn: It was cancelled before anything was sent to the terminal.']);
    // What was to be sent in a later turn was called off, and is no event without a place.
    expect(connections.map(({ closed }) => closed)).toEqual([false]);
  });

  it('is withdrawn by a lost line, whatever comes on the next one', async () => {
    const { runner, seen, clock, connections, until } = await claimed();
    connections[0]?.lose('unplugged');
    expect(runner.state).toMatchObject({ kind: 'lost', reason: 'unplugged' });
    await until('idle');
    await clock.advance(60_000);
    expect(seen).toEqual([
      'withdrawn: The line to the terminal is closed; nothing was sent.',
      'lost: unplugged',
    ]);
    expect(connections).toHaveLength(2);
  });

  it('is withdrawn by a stop, and the terminal signed off', async () => {
    const { runner, seen } = await claimed();
    await runner.stop();
    expect(runner.state.kind).toBe('stopped');
    expect(seen).toEqual(['withdrawn: The bridge was stopped; nothing was sent.', 'sign off', 'release']);
  });

  it('is sent although somebody asks for a poll meanwhile', async () => {
    const { runner, seen, until } = await claimed();
    runner.wake();
    await until('idle');
    expect(seen).toEqual(['sent']);
  });

  it('is withdrawn by a fault of ours', async () => {
    const { runner, seen, until, connections } = await claimed();
    // An event that has no place there.
    runner.start();
    await until('idle');
    expect(seen).toEqual([
      'withdrawn: There was a fault in the bridge; nothing was sent.',
      'lost: an internal error in the bridge; see the log',
    ]);
    expect(connections.map(({ closed }) => closed)).toEqual([true, false]);
  });
});

describe('the terminal is checked now', () => {
  it('by a poll, although the next one is far away', async () => {
    let polls = 0;
    const { runner, until } = setUp({ poll: () => Promise.resolve((polls += 1)).then(() => ready) });
    runner.start();
    await until('idle');
    const before = polls;
    expect(await runner.check(15_000)).toBe('ready');
    expect(polls).toBe(before + 1);
  });

  it('by the poll that is under way, whatever it brings', async () => {
    const { runner } = setUp({ poll: () => Promise.resolve({ kind: 'busy', text: 'a card is read' }) });
    runner.start();
    expect(await runner.check(15_000)).toBe('busy');
  });

  it('in vain, when there is no line to it', async () => {
    const { runner } = setUp({ lockLine: () => ({ kind: 'taken', message: 'another bridge has it' }) });
    runner.start();
    const checked = runner.check(15_000);
    await settle();
    expect(await checked).toBe('not_connected');
  });

  it('for as long as somebody waits, and no longer', async () => {
    const { runner, clock } = setUp({ poll: () => new Promise(() => {}) });
    runner.start();
    const checked = runner.check(15_000);
    await clock.advance(15_000);
    expect(await checked).toBe(null);
  });
});

describe('what is in doubt', () => {
  const doubt = (id: string): OperationInDoubt => ({
    operation: sampleSale({ operationId: id }),
    result: null,
    acknowledged: false,
    showsRecords: false,
  });

  it('is asked about one by one, once the terminal is ready', async () => {
    const seenIds: string[] = [];
    const observed: unknown[] = [];
    const { runner, until } = setUp({
      lookUp: ({ operation }) => {
        seenIds.push(operation.operationId);
        return Promise.resolve({ kind: 'empty' });
      },
      toLookUp: () => [doubt('one'), doubt('two')],
      observed: (_terminal, _lastRecord, _readyFor, lookedUp) => {
        observed.push([...lookedUp]);
        return 'finished';
      },
    });
    runner.start();
    await until('idle');
    expect(seenIds).toEqual(['one', 'two']);
    expect(observed).toEqual([
      [
        ['one', { kind: 'empty' }],
        ['two', { kind: 'empty' }],
      ],
    ]);
  });

  it('is not asked about on a connection that is gone', async () => {
    const seenIds: string[] = [];
    const { runner, connections, clock } = setUp({
      lookUp: ({ operation }) => {
        seenIds.push(operation.operationId);
        connections[0]?.lose('the cable was pulled');
        return Promise.resolve({ kind: 'empty' });
      },
      toLookUp: () => (seenIds.length === 0 ? [doubt('one'), doubt('two')] : []),
    });
    runner.start();
    await clock.until(() => connections.length > 1, 'a second connection');
    expect(seenIds).toEqual(['one']);
  });

  it('is asked about for a person who wants to know', async () => {
    const asked: boolean[] = [];
    const { runner, until } = setUp({
      lookUp: () => Promise.resolve({ kind: 'empty' }),
      toLookUp: (byPerson) => {
        asked.push(byPerson);
        return [];
      },
    });
    runner.start();
    await until('idle');
    await runner.check(15_000);
    expect(asked).toEqual([false, true]);
  });
});
