import { describe, expect, it } from 'vitest';
import { concatBytes, fromHex, ACK, encodeSerialFrame } from '../../src/bridge/terminals/zvt/wire/index.ts';
import { settle } from '../support/virtual-clock.ts';
import { positive } from '../support/zvt-ecr.ts';
import { createSimulatorLine } from '../../src/simulator/index.ts';
import {
  closedDay,
  controlFields,
  field,
  pay,
  readLastRecord,
  register,
  setUp,
  statusEnquiry,
  statusOf,
  type Kit,
} from './simulator-kit.ts';

/** A till that wants progress and builds receipts itself. */
async function registered(kit: Kit, as?: 'pseudoTerminal') {
  const ecr = kit.connect(as);
  await ecr.run(register('18'));
  return ecr;
}

describe('the last two digits of the amount choose what happens', () => {
  it('01: declined by the issuer; nothing stored, no number used', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    const messages = await ecr.run(pay(1201));
    expect(controlFields(messages).slice(-2)).toEqual(['040f', '061e']);
    expect(field(statusOf(messages), '27')).toBe('05');
    expect(field(statusOf(messages), 'a0')).toBe('05');
    expect(field(statusOf(messages), '0b')).toBeNull();
    expect(messages.at(-1)?.positional).toEqual({ resultCode: 5 });
    expect(await readLastRecord(ecr)).toMatchObject(closedDay);
    await ecr.run(pay(1200));
    expect(await readLastRecord(ecr)).toMatchObject({ trace: '000001', receipt: '0001' });
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });

  it('02: cancelled by the customer', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    const messages = await ecr.run(pay(1202));
    expect(field(statusOf(messages), '27')).toBe('6c');
    expect(messages.at(-1)?.positional).toEqual({ resultCode: 0x6c });
    expect(kit.ledger()).toEqual([]);
  });

  it('03: the card is unreadable once, then approved', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    const messages = await ecr.run(pay(1203));
    const steps = messages.map(({ positional }) => positional['status']).filter((step) => step !== undefined);
    expect(steps).toEqual(['0a', '0c', '0a', '01', '04']);
    expect(kit.ledger()).toEqual(['charged 12.03 0001']);
  });

  it('04: loses its power before it decides; back after 3 s, with nothing charged and nothing registered', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    const messages = await ecr.run(pay(1204));
    expect(controlFields(messages)).toEqual(['8000', '04ff', '04ff', '04ff']);
    expect(ecr.closed).toBe(true);
    expect(kit.simulator.accepting).toBe(false);
    await expect(createSimulatorLine(kit.simulator).open(new AbortController().signal)).rejects.toThrow(
      'no power',
    );
    await kit.clock.advance(2_900);
    expect(kit.simulator.accepting).toBe(false);
    await kit.clock.advance(200);
    const again = kit.connect();
    expect(controlFields(await again.run(statusEnquiry))).toEqual(['8000', '060f']);
    expect(await readLastRecord(again)).toMatchObject(closedDay);
    expect(kit.simulator.state().registration.configurationByte).toBe(0x86);
    expect(kit.ledger()).toEqual([]);
  });

  it('05: the line is cut when the till has the result and before it can answer; reversed', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    const messages = await ecr.run(pay(1205));
    expect(field(statusOf(messages), '27')).toBe('00');
    expect(controlFields(messages).at(-1)).toBe('040f');
    expect(ecr.closed).toBe(true);
    await settle();
    expect(kit.ledger()).toEqual(['charged 12.05 0001', 'auto_reversed 12.05 0001']);
    await kit.clock.advance(3_100);
    const again = kit.connect();
    expect(controlFields(await again.run(statusEnquiry))).toEqual(['8000', '060f']);
    expect(await readLastRecord(again)).toEqual({
      result: '6c',
      trace: '000001',
      originalTrace: '000001',
      receipt: '0001',
      amount: '000000001205',
    });
  });

  it('06: the line is cut when the result is final; charged', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    const messages = await ecr.run(pay(1206));
    expect(controlFields(messages).at(-1)).toBe('040f');
    expect(ecr.closed).toBe(true);
    expect(kit.ledger()).toEqual(['charged 12.06 0001']);
    await kit.clock.advance(3_100);
    expect(await readLastRecord(kit.connect())).toMatchObject({ result: '00', originalTrace: null });
    expect(kit.ledger()).toEqual(['charged 12.06 0001']);
  });

  it('07: the host takes 30 s, and the terminal says each second that it waits', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    let waits = 0;
    let done = false;
    const run = ecr
      .run(pay(1207), ({ positional }) => {
        if (positional['status'] === '04') waits += 1;
        return positive;
      })
      .finally(() => {
        done = true;
      });
    await kit.clock.advance(29_900);
    expect(done).toBe(false);
    await kit.clock.advance(200);
    expect(controlFields(await run).slice(-2)).toEqual(['040f', '060f']);
    expect(waits).toBe(30);
    expect(kit.ledger()).toEqual(['charged 12.07 0001']);
  });

  it('08: noise on a serial line: a NAK, garbage, a bad checksum, frames in pieces; then approved, once', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.send(pay(1208));
    expect(await ecr.next()).toBe('nak');
    ecr.send(pay(1208));
    const heard: string[] = [];
    for (let last = ''; last !== '060f';) {
      await kit.clock.advance(100);
      while (!ecr.quiet) {
        const what = await ecr.next();
        last = typeof what === 'string' ? what : what.apdu.slice(0, 4);
        heard.push(last);
        if (typeof what !== 'string' && last !== '8000') ecr.send(positive);
      }
    }
    expect(heard.filter((what) => what === 'damaged')).toHaveLength(1);
    expect(heard.indexOf('damaged')).toBeLessThan(heard.indexOf('8000'));
    expect(heard).toContain('garbage');
    expect(ecr.pieces).toBeGreaterThan(10);
    await settle();
    expect(kit.ledger()).toEqual(['charged 12.08 0001']);
    expect(kit.simulator.state().commands['0601']).toBe(1);
    // The line is clean again.
    const pieces = ecr.pieces;
    expect(controlFields(await ecr.run(pay(1200)))).toContain('060f');
    expect(ecr.pieces).toBe(pieces);
  });

  it('08 over TCP: pieces only', async () => {
    const kit = setUp({ framing: 'tcp' });
    const ecr = await registered(kit);
    const run = ecr.run(pay(1208));
    for (let round = 0; round < 40; round += 1) await kit.clock.advance(10);
    expect(controlFields(await run)).toEqual(['8000', '04ff', '04ff', '04ff', '040f', '060f']);
    expect(ecr.pieces).toBeGreaterThan(10);
    expect(kit.ledger()).toEqual(['charged 12.08 0001']);
  });

  it('09: takes the command and then says nothing for 20 s, not even ACK; not charged, and works again', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    ecr.send(pay(1209));
    expect(await ecr.next()).toBe('ack');
    for (let second = 0; second < 19; second += 1) {
      await kit.clock.advance(1_000);
      ecr.send(statusEnquiry);
    }
    await settle();
    expect(ecr.quiet).toBe(true);
    await kit.clock.advance(1_100);
    expect(controlFields(await ecr.run(statusEnquiry))).toEqual(['8000', '060f']);
    expect(await readLastRecord(ecr)).toMatchObject(closedDay);
    expect(controlFields(await ecr.run(pay(1209).replace('1209', '1200'))).at(-1)).toBe('060f');
    expect(kit.ledger()).toEqual(['charged 12.00 0001']);
  });
});

describe('a cut where nothing can be unplugged (a pair of pseudo-terminals)', () => {
  it('04: deaf and mute for 3 s, then there with nothing charged', async () => {
    const kit = setUp();
    const ecr = await registered(kit, 'pseudoTerminal');
    ecr.send(pay(1204));
    for (const ctrl of ['8000', '04ff', '04ff', '04ff']) {
      expect((await ecr.nextApdu()).ctrl).toBe(ctrl);
      if (ctrl === '04ff') ecr.send(positive);
    }
    await settle();
    while (!ecr.quiet) await ecr.next();
    ecr.send(statusEnquiry);
    await kit.clock.advance(2_900);
    expect(ecr.quiet).toBe(true);
    await kit.clock.advance(200);
    expect(controlFields(await ecr.run(statusEnquiry))).toEqual(['8000', '060f']);
    expect(kit.ledger()).toEqual([]);
    expect(ecr.closed).toBe(false);
  });

  it('05: reversed at once; the answer that comes during the cut is not even acknowledged', async () => {
    const kit = setUp();
    const ecr = kit.connect('pseudoTerminal');
    await ecr.run(register('00'));
    ecr.send(pay(1205));
    await ecr.nextApdu();
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    ecr.send(positive);
    await settle();
    expect(ecr.quiet).toBe(true);
    expect(kit.ledger()).toEqual(['charged 12.05 0001', 'auto_reversed 12.05 0001']);
    await kit.clock.advance(3_000);
    expect((await ecr.nextApdu()).hex).toBe('040f02276c');
    ecr.send(positive);
    expect((await ecr.nextApdu()).hex).toBe('061e016c');
    ecr.send(positive);
    await settle();
    expect(kit.simulator.state().busy).toBe(false);
  });

  it('05: an answer in the same piece as the ACK of the result was not heard', async () => {
    const kit = setUp();
    const ecr = kit.connect('pseudoTerminal');
    await ecr.run(register('00'));
    ecr.send(pay(1205));
    await ecr.nextApdu();
    ecr.acknowledges = false;
    await ecr.nextApdu();
    ecr.sendBytes(concatBytes(Uint8Array.of(ACK), encodeSerialFrame(fromHex(positive))));
    await settle();
    expect(ecr.quiet).toBe(true);
    expect(kit.ledger()).toEqual(['charged 12.05 0001', 'auto_reversed 12.05 0001']);
  });

  it('06: charged; the last message is lost, repeated after T2, and arrives', async () => {
    const kit = setUp();
    const ecr = kit.connect('pseudoTerminal');
    await ecr.run(register('00'));
    ecr.send(pay(1206));
    await ecr.nextApdu();
    expect((await ecr.nextApdu()).ctrl).toBe('040f');
    ecr.send(positive);
    await settle();
    expect(await ecr.next()).toBe('ack');
    expect(kit.ledger()).toEqual(['charged 12.06 0001']);
    await kit.clock.advance(4_900);
    expect(ecr.quiet).toBe(true);
    await kit.clock.advance(200);
    expect((await ecr.nextApdu()).ctrl).toBe('060f');
  });
});

describe('queueScenario', () => {
  it('lets the next money command go through a scenario, whatever its amount, and only the next', async () => {
    const kit = setUp();
    const ecr = await registered(kit);
    kit.simulator.queueScenario('declined');
    expect(controlFields(await ecr.run(pay(1200))).at(-1)).toBe('061e');
    expect(controlFields(await ecr.run(pay(1200))).at(-1)).toBe('060f');
  });
});
