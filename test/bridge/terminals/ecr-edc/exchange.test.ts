import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../../src/bridge/terminals/framing/index.ts';
import { ack, approved, declined, nak, setUp, waitsForCard } from './exchange-kit.ts';

const unknown = (reason: string) => ({ kind: 'unknown', reason });
const unacknowledged = unknown('The terminal did not acknowledge the command.');
const unanswered = unknown('The terminal did not answer in time.');

/** With a wrong LRC. */
function spoilt(frame: Uint8Array): Uint8Array {
  const bytes = frame.slice();
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff;
  return bytes;
}

describe('a sale', () => {
  it('is answered by the response, which is on disk before it is acknowledged', async () => {
    const till = setUp();
    const end = till.sale();
    expect(await till.heard()).toEqual(['20']);
    await till.sendBytes(ack);
    await till.send(approved);
    expect(await end).toMatchObject({ kind: 'answered', persisted: true, message: { responseCode: '00' } });
    expect(till.persisted).toEqual(['20 00']);
    expect(await till.heard()).toEqual(['ack']);
  });

  it('reads a response glued behind its ACK, in single bytes', async () => {
    const till = setUp();
    const end = till.sale();
    for (const byte of [...ack, ...till.framed(declined)]) await till.sendBytes(Uint8Array.of(byte));
    expect(await end).toMatchObject({ kind: 'answered', message: { responseCode: 'ND' } });
    expect(till.clock.waiting).toBe(0);
  });

  it('is not acknowledged when it cannot be put on disk', async () => {
    const till = setUp();
    till.may.persist = false;
    const end = till.sale();
    await till.sendBytes(ack);
    await till.send(approved);
    expect(await end).toMatchObject({ kind: 'answered', persisted: false });
    expect(await till.heard()).toEqual(['20']);
  });

  it('goes out once, whatever the silence: the terminal may be at work on it', async () => {
    const till = setUp();
    const end = till.sale();
    await till.clock.advance(2_999);
    expect(await till.heard()).toEqual(['20']);
    await till.clock.advance(600_000);
    expect(await end).toEqual(unacknowledged);
    expect(await till.heard()).toEqual([]);
  });

  it('goes out again on a NAK, three times in all, and is then unknown', async () => {
    const till = setUp();
    const end = till.sale();
    for (let copy = 1; copy <= 3; copy += 1) {
      expect(await till.heard()).toEqual(['20']);
      await till.sendBytes(nak);
    }
    expect(await end).toEqual(unknown('The terminal could not read the command.'));
    expect(await till.heard()).toEqual([]);
  });

  it('meets silence after a NAK as it does at first', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(nak);
    await till.clock.advance(3_001);
    expect(await end).toEqual(unacknowledged);
    expect(await till.heard()).toEqual(['20', '20']);
  });

  it('never goes out again once it was acknowledged', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(ack, nak);
    await till.clock.advance(179_000);
    expect(await till.heard()).toEqual(['20']);
    await till.clock.advance(2_000);
    expect(await end).toEqual(unanswered);
  });

  it('is waited for when what came instead of an ACK cannot be read', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(fromHex('7f'));
    await till.clock.advance(10_000);
    expect(await till.heard()).toEqual(['20', 'nak']);
    await till.send(declined);
    expect(await end).toMatchObject({ kind: 'answered' });
  });

  it('is told of while it runs, and each notice gives it more time, but not without end', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(ack);
    for (let minutes = 0; minutes < 14; minutes += 2) {
      await till.send(waitsForCard);
      await till.clock.advance(120_000);
    }
    expect(till.notices).toHaveLength(7);
    expect(till.notices[0]).toBe('Waiting for the card');
    expect(await till.heard()).toEqual(['20', ...Array.from({ length: 7 }, () => 'ack')]);
    await till.send(waitsForCard);
    await till.clock.advance(60_000);
    expect(await end).toEqual(unanswered);
  });

  it('has no progress where the profile knows none', async () => {
    const till = setUp('generic');
    void till.sale();
    await till.sendBytes(ack);
    await till.send(waitsForCard);
    expect(till.notices).toEqual([]);
    expect(till.unsolicited).toEqual(['C0 00']);
  });

  it('asks once for a damaged response, and is unknown when it comes damaged again', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(ack, spoilt(till.framed(approved)));
    expect(await till.heard()).toEqual(['20', 'nak']);
    await till.sendBytes(spoilt(till.framed(approved)));
    expect(await end).toEqual(unknown('The answer of the terminal cannot be read.'));
    expect(await till.heard()).toEqual([]);
    expect(till.persisted).toEqual([]);
  });

  it('takes the response that comes again whole', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(ack, till.framed(approved).subarray(0, 20));
    await till.clock.advance(999);
    expect(await till.heard()).toEqual(['20']);
    await till.clock.advance(1);
    expect(await till.heard()).toEqual(['nak']);
    await till.send(approved);
    expect(await end).toMatchObject({ kind: 'answered' });
  });

  it('leaves what answers another request to the driver, and goes on waiting', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(ack);
    await till.send({ requestResponse: '1', txCode: '26' });
    till.may.takeOver = false;
    await till.send({ requestResponse: '0', txCode: '20' });
    expect(till.unsolicited).toEqual(['26 00', '20 00']);
    expect(await till.heard()).toEqual(['20', 'ack']);
    await till.send(approved);
    expect(await end).toMatchObject({ kind: 'answered' });
  });

  it('is asked to stop once, behind its ACK; its own response tells how it ended', async () => {
    const till = setUp();
    const end = till.sale();
    till.exchanges.cancel();
    expect(await till.heard()).toEqual(['20']);
    await till.sendBytes(ack);
    till.exchanges.cancel();
    expect(await till.heard()).toEqual(['D1']);
    await till.sendBytes(ack);
    await till.send({ requestResponse: '1', txCode: 'D1', responseCode: '\0\0' }, approved);
    expect(await end).toMatchObject({ kind: 'answered', message: { responseCode: '00' } });
    expect(await till.heard()).toEqual(['ack', 'ack']);
    expect(till.unsolicited).toEqual([]);
  });

  it.each([
    [
      'comes before its response',
      async (kit: ReturnType<typeof setUp>) => kit.sendBytes(nak),
      ['20', '20'],
      null,
    ],
    ['is still to come', async () => {}, ['20'], 'unknown'],
  ] as const)(
    'does not go out again on a NAK to the wish to stop the one before, which %s',
    async (_when, before, sent, end) => {
      const kit = setUp();
      const first = kit.sale();
      await kit.sendBytes(ack);
      kit.exchanges.cancel();
      await before(kit);
      await kit.send(declined);
      expect(await first).toMatchObject({ kind: 'answered' });
      expect(await kit.heard()).toEqual(['20', 'D1', 'ack']);

      const second = kit.sale();
      await kit.sendBytes(nak);
      expect(await kit.heard()).toEqual(sent);
      if (end !== null) return expect(await second).toMatchObject({ kind: end });
      // Here it can only be the sale's own.
      await kit.sendBytes(ack);
      await kit.send(approved);
      expect(await second).toMatchObject({ kind: 'answered' });
    },
  );

  it('cannot be stopped where the profile has no way', async () => {
    const till = setUp('generic');
    void till.sale();
    await till.sendBytes(ack);
    till.exchanges.cancel();
    expect(await till.heard()).toEqual(['20']);
  });
});

describe('a question that moves no money', () => {
  it('goes out again while nothing at all comes back, three times in all', async () => {
    const till = setUp();
    const end = till.inquiry();
    for (const wait of [2_999, 2, 3_000, 3_000]) await till.clock.advance(wait);
    expect(await till.heard()).toEqual(['74', '74', '74']);
    await till.clock.advance(60_000);
    expect(await end).toEqual(unacknowledged);
    expect(await till.heard()).toEqual([]);
  });

  it('goes out once when anything came back', async () => {
    const till = setUp();
    void till.inquiry();
    await till.sendBytes(fromHex('0200'));
    await till.clock.advance(10_000);
    expect(await till.heard()).toEqual(['74', 'nak']);
  });
});

describe('a response to an earlier request', () => {
  it('that comes again is acknowledged and never taken for the next sale’s', async () => {
    const till = setUp();
    const first = till.sale();
    await till.sendBytes(ack);
    await till.send(approved);
    await first;
    await till.send(approved);
    expect(await till.heard()).toEqual(['20', 'ack', 'ack']);
    let ended = false;
    const second = till.sale().finally(() => (ended = true));
    await till.send(approved);
    await till.sendBytes(ack);
    await till.send(approved);
    expect(ended).toBe(false);
    expect(till.persisted).toEqual(['20 00']);
    await till.send(declined);
    expect(await second).toMatchObject({ message: { responseCode: 'ND' } });
  });

  it('may be alike when both were refused', async () => {
    const till = setUp();
    for (let count = 1; count <= 2; count += 1) {
      const end = till.sale();
      await till.sendBytes(ack);
      await till.send(declined);
      expect(await end).toMatchObject({ kind: 'answered' });
    }
    expect(till.persisted).toEqual(['20 ND', '20 ND']);
  });

  it.each(['after silence', 'after a restart'])(
    'that is owed is not taken for the next one’s: %s',
    async (when) => {
      const till = setUp();
      if (when === 'after silence') await till.clock.run(till.sale(), 'the first sale is unknown');
      const end = till.sale();
      await till.send(approved);
      expect(till.unsolicited).toEqual(['20 00']);
      expect(till.persisted).toEqual([]);
      await till.sendBytes(ack);
      await till.send(declined);
      expect(await end).toMatchObject({ message: { responseCode: 'ND' } });
    },
  );

  it('comes to the driver when no request waits, and is acknowledged only if it was taken over', async () => {
    const till = setUp();
    await till.send(approved);
    till.may.takeOver = false;
    await till.send(declined);
    expect(till.unsolicited).toEqual(['20 00', '20 ND']);
    expect(await till.heard()).toEqual(['ack']);
  });

  it('counts without its ACK where nothing is owed', async () => {
    const till = setUp();
    const first = till.sale();
    await till.sendBytes(ack);
    await till.send(declined);
    await first;
    const second = till.sale();
    await till.send(approved);
    expect(await second).toMatchObject({ kind: 'answered', message: { responseCode: '00' } });
  });
});

describe('the line', () => {
  it('that is closed takes no request', async () => {
    const till = setUp();
    await till.cut();
    expect(await till.sale()).toEqual({
      kind: 'not_started',
      reason: 'The line to the terminal is closed; nothing was sent.',
    });
    expect(till.exchanges.closedReason).not.toBeNull();
  });

  it('that is lost leaves the sale unknown', async () => {
    const till = setUp();
    const end = till.sale();
    await till.sendBytes(ack);
    await till.cut();
    expect(await end).toMatchObject({ kind: 'unknown' });
    expect(till.clock.waiting).toBe(0);
  });

  it('is closed when more comes than any terminal sends', async () => {
    const till = setUp();
    const end = till.sale();
    for (let piece = 0; piece < 30; piece += 1) await till.sendBytes(new Uint8Array(10_000));
    expect(await end).toEqual(
      unknown('The line to the terminal was lost: the terminal sends more than can be handled'),
    );
  });

  it('carries one request at a time, and none that the profile has not', async () => {
    const till = setUp('generic');
    expect(() => till.inquiry()).toThrow('no inquiry');
    void till.sale();
    expect(() => till.sale()).toThrow('another waits');
  });
});
