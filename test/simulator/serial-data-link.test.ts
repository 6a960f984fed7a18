import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log/log.ts';
import { concatBytes, fromHex, ACK, encodeSerialFrame } from '../../src/bridge/terminals/zvt/wire/index.ts';
import { createSerialDataLink } from '../../src/simulator/serial-data-link.ts';
import { defaultTimings } from '../../src/simulator/simulated-terminal.ts';
import { createVirtualClock, settle } from '../support/virtual-clock.ts';
import { positive } from '../support/zvt-ecr.ts';
import { controlFields, pay, register, reverse, setUp, statusEnquiry, type Kit } from './simulator-kit.ts';

function damaged(apduHex: string): Uint8Array {
  const frame = encodeSerialFrame(fromHex(apduHex));
  frame[5] = (frame[5] ?? 0) ^ 0x01;
  return frame;
}

async function registered(kit: Kit) {
  const ecr = kit.connect();
  await ecr.run(register('00'));
  return ecr;
}

describe('the serial data link of the simulator', () => {
  it('answers a damaged frame with NAK and does not act on it', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.sendBytes(damaged(pay(1200)));
    expect(await ecr.next()).toBe('nak');
    await settle();
    expect(ecr.quiet).toBe(true);
    expect(kit.simulator.state().commands['0601']).toBeUndefined();
  });

  it('answers a frame that stops in the middle with NAK after T1, and understands the next one', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.sendBytes(encodeSerialFrame(fromHex(pay(1200))).subarray(0, 7));
    await kit.clock.advance(190);
    expect(ecr.quiet).toBe(true);
    await kit.clock.advance(20);
    expect(await ecr.next()).toBe('nak');
    // Nothing is left of the piece: another byte belongs to no frame, and no T1 runs for it.
    ecr.sendBytes(Uint8Array.of(0x41));
    await kit.clock.advance(500);
    expect(ecr.quiet).toBe(true);
    ecr.send(statusEnquiry);
    expect(await ecr.next()).toBe('ack');
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
  });

  function bareDataLink() {
    const written: Uint8Array[] = [];
    const heard: Uint8Array[] = [];
    const clock = createVirtualClock();
    const dataLink = createSerialDataLink({
      write: (bytes) => void written.push(bytes),
      onApdu: (apdu) => void heard.push(apdu),
      acceptFrame: () => true,
      onBroken: () => {},
      clock,
      timings: defaultTimings,
      log: silentLog,
    });
    return { dataLink, written, heard, clock };
  }

  it('takes no answer that comes before its frame is out, and repeats the frame as long as there is no ACK', async () => {
    const { dataLink, written, heard, clock } = bareDataLink();
    let delivery = '';
    dataLink.disturb({ pieceBytes: 4, garbage: new Uint8Array(), corruptNextFrame: false });
    dataLink.transmit(fromHex('040f022700'), (how) => (delivery = how));
    dataLink.receive(encodeSerialFrame(fromHex(positive)));
    expect({ heard, delivery }).toEqual({ heard: [], delivery: '' });
    await clock.advance(100);
    const pieces = written.length;
    await clock.advance(defaultTimings.ackTimeoutMs);
    expect(written.length).toBeGreaterThan(pieces);
    dataLink.receive(Uint8Array.of(ACK));
    expect(delivery).toBe('delivered');
  });

  it('never repeats a frame that was answered while it was still going out', async () => {
    const { dataLink, written, heard, clock } = bareDataLink();
    let delivery = '';
    dataLink.disturb({ pieceBytes: 4, garbage: new Uint8Array(), corruptNextFrame: false });
    dataLink.transmit(fromHex(positive), (how) => (delivery = how));
    dataLink.receive(encodeSerialFrame(fromHex(pay(1200))));
    expect(delivery).toBe('delivered');
    expect(heard).toHaveLength(1);
    await clock.advance(100);
    const pieces = written.length;
    await clock.advance(3 * defaultTimings.ackTimeoutMs);
    expect(written).toHaveLength(pieces);
  });

  it('hears nothing of a piece behind the byte that cut the line', () => {
    const { dataLink, written, heard } = bareDataLink();
    dataLink.transmit(fromHex('040f022700'), () => dataLink.end());
    dataLink.receive(concatBytes(Uint8Array.of(ACK), encodeSerialFrame(fromHex(positive))));
    expect(written).toHaveLength(1);
    expect(heard).toEqual([]);
  });

  it('takes frames in single bytes, as long as the gaps are shorter than T1', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    for (const byte of encodeSerialFrame(fromHex(statusEnquiry))) {
      ecr.sendBytes(Uint8Array.of(byte));
      await kit.clock.advance(150);
    }
    expect(await ecr.next()).toBe('ack');
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
  });

  it('drops garbage between frames', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.sendBytes(Uint8Array.of(0x00, 0x41, 0xff));
    expect(controlFields(await ecr.run(statusEnquiry))).toEqual(['8000', '060f']);
  });

  it('acknowledges at once, before it answers', async () => {
    const ecr = await registered(setUp());
    ecr.send(statusEnquiry);
    expect(await ecr.next()).toBe('ack');
    expect(await ecr.next()).toEqual({ apdu: '800000' });
  });

  it('repeats a frame without ACK after T2 twice, then gives up and begins nothing', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.acknowledges = false;
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await kit.clock.advance(4_800);
      expect(ecr.quiet).toBe(true);
      await kit.clock.advance(300);
      expect((await ecr.nextApdu()).ctrl).toBe('8000');
    }
    await kit.clock.advance(60_000);
    expect(ecr.quiet).toBe(true);
    expect(kit.simulator.state()).toMatchObject({ busy: false, lastRecord: { kind: 'batch' } });
  });

  it('repeats a frame at once on NAK, at most twice', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.acknowledges = false;
    ecr.send(statusEnquiry);
    const nak = Uint8Array.of(0x15);
    for (let copy = 0; copy < 3; copy += 1) {
      expect((await ecr.nextApdu()).ctrl).toBe('8000');
      ecr.sendBytes(nak);
    }
    await settle();
    expect(ecr.quiet).toBe(true);
  });

  it("takes the till's next frame for its missing ACK", async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.send(pay(1200));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    ecr.acknowledges = false;
    ecr.send(positive);
    expect((await ecr.nextApdu()).ctrl).toBe('060f');
    ecr.send(positive);
    await settle();
    expect(kit.simulator.state().busy).toBe(false);
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
    // No copy of 06 0F is waiting to be repeated.
    await kit.clock.advance(30_000);
    expect(await ecr.next()).toBe('ack');
    expect(ecr.quiet).toBe(true);
  });

  it('acknowledges a repeated frame again and does not act on it twice', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    await ecr.run(pay(1200));
    // The ACK to our last answer was lost: the till repeats it.
    ecr.send(positive);
    expect(await ecr.next()).toBe('ack');
    ecr.acknowledges = false;
    ecr.send(pay(3400));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    ecr.send(pay(3400));
    expect(await ecr.next()).toBe('ack');
    await kit.clock.advance(5_100);
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    expect(kit.simulator.state().commands['0601']).toBe(2);
  });

  it('acknowledges an answer to nothing and drops it', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.send('800000');
    expect(await ecr.next()).toBe('ack');
    ecr.send('848300');
    expect(await ecr.next()).toBe('ack');
    await settle();
    expect(ecr.quiet).toBe(true);
  });

  it('survives both sides speaking at once: 06 B0 while a message waits for its ACK', async () => {
    const kit = setUp();
    const ecr = kit.connect();
    await ecr.run(register('08'));
    ecr.send(pay(1207));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
    ecr.acknowledges = false;
    expect((await ecr.nextApdu()).ctrl).toBe('04ff');
    ecr.send('06b000');
    expect(await ecr.next()).toBe('ack');
    await settle();
    expect(ecr.quiet).toBe(true);
    ecr.acknowledges = true;
    await kit.clock.advance(5_100);
    expect((await ecr.nextApdu()).ctrl).toBe('04ff');
    expect((await ecr.nextApdu()).hex).toBe('800000');
    ecr.send(positive);
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    ecr.send(positive);
    expect((await ecr.nextApdu()).hex).toBe('061e016c');
    expect(kit.ledger()).toEqual([]);
  });
});

describe('over TCP', () => {
  it('there is no ACK; T3 without an answer closes the connection and undoes the payment', async () => {
    const kit = setUp({ framing: 'tcp' });
    const ecr = await registered(kit);
    ecr.send(pay(1200));
    expect(await ecr.next()).toEqual({ apdu: '800000' });
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    await kit.clock.advance(5_100);
    expect(await ecr.next()).toBe('closed');
    expect(kit.ledger()).toEqual(['charged 12.00 0001', 'auto_reversed 12.00 0001']);
  });

  it('a command in the same piece as the last answer is served', async () => {
    const kit = setUp({ framing: 'tcp' });
    const ecr = await registered(kit);
    await ecr.run(pay(1200), (message) => (message.ctrl === '060f' ? null : positive));
    ecr.sendBytes(fromHex(`800000${reverse('0001', 1200)}`));
    expect((await ecr.nextApdu()).ctrl).toBe('8000');
  });
});

describe('who may connect', () => {
  it('a new connection takes the place of an idle one, and is refused while a payment runs', async () => {
    const kit = setUp({ timeScale: 1 });
    const first = await registered(kit);
    const second = await registered(kit);
    await settle();
    expect(first.closed).toBe(true);
    second.send(pay(1200));
    expect((await second.nextApdu()).ctrl).toBe('8000');
    expect(kit.simulator.accepting).toBe(false);
    const third = kit.connect();
    expect(await third.next()).toBe('closed');
    await kit.clock.advance(1_100);
    expect((await second.nextApdu()).ctrl).toBe('040f');
  });
});
