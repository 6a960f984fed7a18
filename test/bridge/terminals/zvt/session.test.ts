import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/log/log.ts';
import { fromHex, hex, encodeSerialFrame } from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { createSession, type Session } from '../../../../src/bridge/terminals/zvt/session.ts';
import { createVirtualClock, settle } from '../../../support/virtual-clock.ts';
import { ack, createScriptedTerminal, nak, type Framing } from '../../../support/zvt-scripted-terminal.ts';
import { stateOf } from './driver-kit.ts';

const timers = { byteGapMs: 200, ackTimeoutMs: 5_000 };
const payment = fromHex('06010704000000001200');
const enquiry = fromHex('050103000000');
const answer = '800000';

function setUp(framing: Framing = 'serial') {
  const clock = createVirtualClock();
  const terminal = createScriptedTerminal(framing);
  const traced: string[] = [];
  const session = createSession(terminal.connection, {
    framing,
    timers,
    clock,
    log: silentLog,
    trace: (direction, apdu) => traced.push(`${direction === 'to_terminal' ? '>' : '<'} ${hex(apdu)}`),
  });
  terminal.acknowledges = false;
  return { clock, terminal, session, traced };
}

const sendMoney = (session: Session) => session.send(payment, { repeatOnSilence: false });
const sendQuestion = (session: Session) => session.send(enquiry, { repeatOnSilence: true });

describe('a frame that we send on a serial line', () => {
  it('is delivered once its ACK is there', async () => {
    const { terminal, session } = setUp();
    const delivery = sendMoney(session);
    expect(await terminal.heard()).toEqual([hex(payment)]);
    expect(await stateOf(delivery)).toBe('pending');
    terminal.sendBytes(ack);
    expect(await delivery).toEqual({ kind: 'delivered', by: 'ack', attempts: 1 });
  });

  it('counts as delivered when the next frame of the terminal comes instead of the ACK', async () => {
    const { terminal, session } = setUp();
    const delivery = sendMoney(session);
    terminal.send(answer);
    expect(await delivery).toEqual({ kind: 'delivered', by: 'frame', attempts: 1 });
    expect(await session.receive(1)).toEqual({ kind: 'apdu', apdu: fromHex(answer) });
  });

  it('goes out again on a NAK, three times in all', async () => {
    const { terminal, session } = setUp();
    const delivery = sendMoney(session);
    for (const attempts of [1, 2, 3]) {
      expect(await terminal.heard()).toEqual([hex(payment)]);
      expect(terminal.moneyCommands).toHaveLength(attempts);
      terminal.sendBytes(nak);
    }
    expect(await delivery).toEqual({ kind: 'exhausted', cause: 'refused', attempts: 3 });
    expect(await terminal.heard()).toEqual([]);
  });

  it('goes out again on silence after T2, three times in all, when it is harmless', async () => {
    const { clock, terminal, session } = setUp();
    const delivery = sendQuestion(session);
    for (const wait of [4_999, 1, 4_999, 1, 4_999]) await clock.advance(wait);
    expect(await terminal.heard()).toEqual([hex(enquiry), hex(enquiry), hex(enquiry)]);
    expect(await stateOf(delivery)).toBe('pending');
    await clock.advance(1);
    expect(await delivery).toEqual({ kind: 'exhausted', cause: 'silence', attempts: 3 });
    expect(await terminal.heard()).toEqual([]);
  });

  it('never goes out again on silence when it moves money', async () => {
    const { clock, terminal, session } = setUp();
    const delivery = sendMoney(session);
    await clock.advance(60_000);
    expect(await delivery).toEqual({ kind: 'exhausted', cause: 'silence', attempts: 1 });
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('never goes out again on the silence that follows a repeat after a NAK when it moves money', async () => {
    const { clock, terminal, session } = setUp();
    const delivery = sendMoney(session);
    await settle();
    terminal.sendBytes(nak);
    await clock.advance(60_000);
    expect(await delivery).toEqual({ kind: 'exhausted', cause: 'silence', attempts: 2 });
    expect(terminal.moneyCommands).toEqual(['0601', '0601']);
  });

  it('is not written at all on a closed line', async () => {
    const { terminal, session, clock } = setUp();
    terminal.failWrites = true;
    expect(await sendMoney(session)).toEqual({ kind: 'not_written' });
    expect(clock.waiting).toBe(0);
    terminal.failWrites = false;
    await terminal.cut();
    expect(await sendMoney(session)).toEqual({ kind: 'not_written' });
    expect(terminal.moneyCommands).toEqual([]);
  });

  it('ends with the line, and leaves no timer behind', async () => {
    const { clock, terminal, session } = setUp();
    const delivery = sendMoney(session);
    const received = session.receive(1_000);
    await settle();
    await terminal.cut();
    expect(await delivery).toMatchObject({ kind: 'closed', attempts: 1 });
    expect(await received).toMatchObject({ kind: 'closed' });
    expect(await session.receive(1_000)).toMatchObject({ kind: 'closed' });
    expect(clock.waiting).toBe(0);
  });

  it('is not repeated for an ACK or NAK that nothing waits for', async () => {
    const { terminal, session } = setUp();
    terminal.sendBytes(nak);
    terminal.sendBytes(ack);
    await settle();
    const delivery = sendQuestion(session);
    expect(await terminal.heard()).toEqual([hex(enquiry)]);
    expect(await stateOf(delivery)).toBe('pending');
  });
});

describe('a frame that the terminal sends on a serial line', () => {
  it('is acknowledged before anybody has looked at it', async () => {
    const { terminal, session } = setUp();
    let pendingAtAck: boolean | null = null;
    session.onUnsolicited(() => (pendingAtAck = session.pending));
    terminal.send(answer);
    expect(await terminal.heard()).toEqual(['ack']);
    expect(pendingAtAck).toBe(true);
    expect(await session.receive(1)).toEqual({ kind: 'apdu', apdu: fromHex(answer) });
  });

  it('gets a NAK when it is damaged, and is taken when it comes again', async () => {
    const { terminal, session } = setUp();
    const frame = encodeSerialFrame(fromHex('040f03270019'));
    const damaged = frame.slice();
    damaged[6] = (damaged[6] ?? 0) ^ 1;
    terminal.sendBytes(damaged);
    expect(await terminal.heard()).toEqual(['nak']);
    expect(session.pending).toBe(false);
    terminal.sendBytes(frame);
    expect(await terminal.heard()).toEqual(['ack']);
    expect(session.pending).toBe(true);
  });

  it('gets a NAK when it breaks off for longer than T1, anywhere, and is taken when it comes again', async () => {
    const frame = encodeSerialFrame(fromHex(answer));
    for (let cut = 1; cut < frame.length; cut += 1) {
      const { clock, terminal, session } = setUp();
      terminal.sendBytes(frame.subarray(0, cut));
      await clock.advance(199);
      expect(await terminal.heard()).toEqual([]);
      await clock.advance(1);
      expect(await terminal.heard()).toEqual(['nak']);
      terminal.sendBytes(frame);
      expect(await terminal.heard()).toEqual(['ack']);
      expect(await session.receive(1)).toEqual({ kind: 'apdu', apdu: fromHex(answer) });
      expect(clock.waiting).toBe(0);
    }
  });

  it('is taken in any pieces with gaps shorter than T1', async () => {
    const message = fromHex('040f03270010');
    const frame = encodeSerialFrame(message);
    const { clock, terminal, session } = setUp();
    await fc.assert(
      fc.asyncProperty(fc.subarray(Array.from(frame.keys())), async (cuts) => {
        const places = [0, ...cuts.filter((cut) => cut > 0), frame.length];
        for (let index = 1; index < places.length; index += 1) {
          terminal.sendBytes(frame.subarray(places[index - 1], places[index]));
          await clock.advance(150);
        }
        expect(await terminal.heard()).toEqual(['ack']);
        expect(await session.receive(1)).toEqual({ kind: 'apdu', apdu: message });
        // What we send in between makes the next equal frame a new one.
        const delivery = sendQuestion(session);
        await settle();
        terminal.sendBytes(ack);
        await delivery;
        await terminal.heard();
      }),
      { numRuns: 20 },
    );
  });

  it('is acknowledged and dropped when it repeats the last one before we sent anything', async () => {
    const { terminal, session } = setUp();
    terminal.send(answer);
    terminal.send(answer);
    expect(await terminal.heard()).toEqual(['ack', 'ack']);
    expect(await session.receive(1)).toMatchObject({ kind: 'apdu' });
    expect(session.pending).toBe(false);
  });

  it('counts as a new one when we have sent something in between', async () => {
    const { terminal, session } = setUp();
    terminal.send(answer);
    await settle();
    await session.receive(1);
    const delivery = sendQuestion(session);
    await settle();
    terminal.sendBytes(ack);
    await delivery;
    terminal.send(answer);
    await settle();
    expect(session.pending).toBe(true);
  });

  it('wakes, times out and tells of what nobody waits for', async () => {
    const { clock, terminal, session } = setUp();
    const unsolicited: string[] = [];
    session.onUnsolicited(() => unsolicited.push('unasked'));
    const woken = session.receive(1_000);
    session.wake();
    expect(await woken).toEqual({ kind: 'woken' });
    const late = session.receive(1_000);
    await clock.advance(1_000);
    expect(await late).toEqual({ kind: 'timeout' });
    const waiting = session.receive(1_000);
    terminal.send(answer);
    expect(await waiting).toMatchObject({ kind: 'apdu' });
    expect(unsolicited).toEqual([]);
    terminal.send('060f00');
    await settle();
    expect(unsolicited).toEqual(['unasked']);
    expect(clock.waiting).toBe(0);
  });
});

describe('a session over TCP', () => {
  it('sends bare APDUs and waits for no ACK', async () => {
    const { terminal, session, clock, traced } = setUp('tcp');
    expect(await sendMoney(session)).toEqual({ kind: 'delivered', by: 'stream', attempts: 1 });
    expect(await terminal.heard()).toEqual([hex(payment)]);
    expect(clock.waiting).toBe(0);
    terminal.send(answer);
    expect(await session.receive(1)).toEqual({ kind: 'apdu', apdu: fromHex(answer) });
    expect(await terminal.heard()).toEqual([]);
    expect(traced).toEqual([`> ${hex(payment)}`, `< ${answer}`]);
  });

  it('takes several messages at once, and one in pieces', async () => {
    const { terminal, session } = setUp('tcp');
    terminal.sendBytes(fromHex('80000004ff010a06'));
    terminal.sendBytes(fromHex('0f'));
    terminal.sendBytes(fromHex('00'));
    await settle();
    const apdus = [await session.receive(1), await session.receive(1), await session.receive(1)];
    expect(apdus.map((each) => (each.kind === 'apdu' ? hex(each.apdu) : each.kind))).toEqual([
      '800000',
      '04ff010a',
      '060f00',
    ]);
  });

  it('takes two equal messages for two', async () => {
    const { terminal, session } = setUp('tcp');
    terminal.sendBytes(fromHex('06d102404106d1024041'));
    await settle();
    expect([await session.receive(1), await session.receive(1)]).toMatchObject([
      { kind: 'apdu' },
      { kind: 'apdu' },
    ]);
  });
});
