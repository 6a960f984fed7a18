import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { ack, positive } from '../../../support/zvt-scripted-terminal.ts';
import { settle } from '../../../support/virtual-clock.ts';
import {
  aborted,
  baseline,
  completion,
  createKit,
  createReadyKit,
  idle,
  insertCard,
  playProbe,
  playReady,
  registered,
  startSale,
  stateOf,
  status,
  terminalId,
} from './driver-kit.ts';

describe('prepare', () => {
  it('registers, asks the status and reads the last record, with no amount on the wire', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    expect(await terminal.expect('0600')).toBe('0600080000001809780600');
    terminal.send(positive);
    await terminal.tell(registered);
    expect(await terminal.expect('0501')).toBe('050103000000');
    terminal.send(positive);
    await terminal.tell(idle);
    expect(await terminal.expect('0620')).toBe('0620050000000303');
    terminal.send(positive);
    await terminal.tell(baseline);
    await terminal.tell(completion);
    expect(await readiness).toMatchObject({
      kind: 'ready',
      terminal: { protocol: 'zvt', terminalId },
      lastRecord: {
        kind: 'record',
        record: { traceNumber: '000470', receiptNumber: '0470', amountMinor: 2040 },
      },
    });
    expect(terminal.moneyCommands).toEqual([]);
  });

  it('asks for receipts as text blocks where the POS prints', async () => {
    const { driver, terminal } = createKit({ settings: { receipts: 'pos', password: '123456' } });
    void driver.prepare();
    expect(await terminal.expect('0600')).toBe('06000e123456be0978060626040a0206d3');
  });

  it('takes the configuration byte that is set', async () => {
    const { driver, terminal } = createKit({ settings: { configurationByte: 'DE' } });
    void driver.prepare();
    expect(await terminal.expect('0600')).toBe('060008000000de09780600');
  });

  it('leaves the TLV container out for a terminal that does not know it', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.expect('060008');
    terminal.send('848300');
    expect(await terminal.expect('0600')).toBe('060006000000180978');
    terminal.send(positive);
    await terminal.tell(registered);
    // It could have been at work before, so it is asked once more.
    await terminal.expect('060008');
    terminal.send('848300');
    await playProbe(terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
  });

  it('knows the id of a terminal that tells it only in its records', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', completion);
    await playProbe(terminal);
    expect(await readiness).toMatchObject({ kind: 'ready', terminal: { terminalId } });
  });

  it.each([
    ['without a version', '060f0100'],
    ['with a version', '060f0bf0f0f7322e31342e313500'],
    ['with more in a TLV container', '060f03000600'],
  ])('understands the status %s', async (_, message) => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', message);
    await terminal.serve('0620', completion);
    expect(await readiness).toMatchObject({ kind: 'ready', lastRecord: { kind: 'empty' } });
  });

  it('is busy at status 9C', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', '060f019c');
    expect(await readiness).toMatchObject({ kind: 'busy' });
  });

  it.each([
    ['dc', 'service'],
    ['e1', 'service'],
    ['c2', 'service'],
    ['f0', 'batch_close'],
    ['b1', 'batch_close'],
  ])('needs attention at status %s: %s', async (code, requiredAction) => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', `060f01${code}`);
    await terminal.serve('0620', `061e01${code}`);
    const lastRecord = { kind: 'unavailable' };
    expect(await readiness).toMatchObject({
      kind: 'attention',
      requiredAction,
      terminal: { terminalId },
      lastRecord,
    });
  });

  it.each([
    ['registration', ['0600'], '843700'],
    ['the status', ['0600', '0501'], '843700'],
    ['the last record', ['0600', '0501', '0620'], '061e0137'],
  ])(
    'calls a password that is refused at %s a matter of settings',
    async (_, commands, notReadyAfterRefusal) => {
      const { driver, terminal } = createKit();
      const readiness = driver.prepare();
      const good = { '0600': registered, '0501': idle };
      for (const command of commands.slice(0, -1)) {
        await terminal.serve(command, good[command as keyof typeof good]);
      }
      await terminal.expect(commands.at(-1) ?? '');
      if (notReadyAfterRefusal.startsWith('84')) terminal.send(notReadyAfterRefusal);
      else {
        terminal.send(positive);
        await terminal.tell(notReadyAfterRefusal);
      }
      expect(await readiness).toMatchObject({ kind: 'attention', requiredAction: 'setting' });
    },
  );

  it('calls a currency that is refused a matter of settings', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.expect('0600');
    terminal.send('846f00');
    expect(await readiness).toMatchObject({ kind: 'attention', requiredAction: 'setting' });
  });

  it.each([
    ['empty, when it completes without a result', [completion], 'empty'],
    ['unavailable, when it breaks off', ['061e0164'], 'unavailable'],
    ['unavailable, when the result has no code', [status({ code: null }), completion], 'unavailable'],
  ])('calls the last record %s', async (_, messages, expected) => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', idle);
    await terminal.expect('0620');
    terminal.send(positive);
    for (const message of messages) await terminal.tell(message);
    expect(await readiness).toMatchObject({ kind: 'ready', lastRecord: { kind: expected } });
  });

  it('calls the last record unavailable when it is refused at once', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', idle);
    await terminal.expect('0620');
    terminal.send('848300');
    expect(await readiness).toMatchObject({ kind: 'ready', lastRecord: { kind: 'unavailable' } });
  });

  it('is silent after T2 and two repeats when nothing comes, and after T3 when only ACKs come', async () => {
    const { driver, terminal, clock } = createKit();
    terminal.acknowledges = false;
    const deaf = driver.prepare();
    await clock.advance(14_999);
    expect(await stateOf(deaf)).toBe('pending');
    await clock.advance(1);
    expect(await deaf).toMatchObject({ kind: 'silent' });
    expect(await terminal.heard()).toHaveLength(3);
    terminal.acknowledges = true;
    const mute = driver.prepare();
    await clock.advance(5_000);
    expect(await mute).toMatchObject({ kind: 'silent' });
    expect(clock.waiting).toBe(0);
  });

  it('is silent when the line ends at any point', async () => {
    for (const steps of [0, 1, 2]) {
      const { driver, terminal } = createKit();
      const readiness = driver.prepare();
      if (steps > 0) await terminal.serve('0600', registered);
      if (steps > 1) await terminal.serve('0501', idle);
      await terminal.cut();
      expect(await readiness).toMatchObject({ kind: 'silent' });
      expect(await driver.probe()).toMatchObject({ kind: 'silent' });
    }
  });
});

describe('probe', () => {
  it('asks status and last record only', async () => {
    const { driver, terminal } = await createReadyKit();
    const readiness = driver.probe();
    await playProbe(terminal);
    expect(await readiness).toMatchObject({ kind: 'ready', terminal: { terminalId } });
    expect(await terminal.heard()).not.toContain(expect.stringMatching(/^0600/));
  });

  it('registers when that was never done', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.probe();
    await playReady(terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
  });
});

describe('a terminal that is at work by itself', () => {
  it.each([
    ['04 FF', insertCard],
    ['06 D1', '06d1024041'],
    ['06 0F without a status', completion],
    ['06 0F of a registration', registered],
    ['06 0F with more than a status', '060f03000500'],
    ['06 1E', aborted],
  ])(
    'is busy, and its %s is answered, before and after it took the question for its status',
    async (_, message) => {
      for (const taken of [false, true]) {
        const { driver, terminal, clock } = createKit();
        const readiness = driver.prepare();
        await terminal.serve('0600', registered);
        await terminal.expect('0501');
        if (taken) terminal.send(positive);
        await terminal.tell(message);
        await clock.advance(15_000);
        expect(await readiness).toMatchObject({ kind: 'busy' });
      }
    },
  );

  it('is busy even when it then says that it is ready', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', insertCard, idle);
    expect(await readiness).toMatchObject({ kind: 'busy', text: expect.stringMatching(/insert card/i) });
  });

  it('is busy when it answers that it cannot now', async () => {
    const { driver, terminal } = createKit();
    const readiness = driver.prepare();
    for (const command of ['060008', '060006', '060004', '0501', '0620']) {
      await terminal.expect(command);
      terminal.send('848300');
    }
    expect(await readiness).toMatchObject({ kind: 'busy' });
  });

  it('has a late result acknowledged when it belongs to something, once', async () => {
    const { driver, terminal, clock, late } = createKit();
    late.adopt = true;
    const readiness = driver.prepare();
    await terminal.expect('0600');
    await terminal.tell(status());
    await terminal.tell(status());
    await clock.advance(5_000);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(late.results).toMatchObject([{ traceNumber: '000471', approved: true }]);
  });

  it('never has a late result acknowledged that belongs to nothing', async () => {
    const { driver, terminal, clock, late } = createKit();
    const readiness = driver.prepare();
    await terminal.expect('0600');
    await terminal.tell(status(), '846c00');
    await clock.advance(5_000);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(late.results).toHaveLength(1);
  });

  it('never has a result adopted that could be the last record', async () => {
    const { driver, terminal, late } = createKit();
    late.adopt = true;
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', idle);
    await terminal.serve('0620', insertCard);
    await terminal.tell(baseline, '846c00');
    await terminal.tell(completion);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(late.results).toEqual([]);
  });

  it('is busy when it sends two results, of which one is no last record', async () => {
    const { driver, terminal, late } = createKit();
    late.adopt = true;
    const readiness = driver.prepare();
    await terminal.serve('0600', registered);
    await terminal.serve('0501', idle);
    await terminal.serve('0620', baseline);
    await terminal.tell(status(), '846c00');
    await terminal.tell(completion);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(late.results).toEqual([]);
  });

  it('is answered while nobody asks anything, and gets no payment until the next status poll', async () => {
    const kit = await createReadyKit();
    const { driver, terminal, late } = kit;
    await terminal.tell(insertCard);
    await terminal.tell(status(), '846c00');
    await terminal.tell('040d00', '848300');
    expect(late.results).toHaveLength(1);
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    const readiness = driver.probe();
    await playProbe(terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
    void startSale(kit);
    await terminal.expect('0601');
    expect(terminal.moneyCommands).toEqual(['0601']);
  });
});

describe('answers that come too late', () => {
  it('are not taken for the answer to the next enquiry', async () => {
    const { driver, terminal, clock } = createKit();
    const first = driver.prepare();
    await clock.advance(5_000);
    expect(await first).toMatchObject({ kind: 'silent' });
    await terminal.heard();
    const second = driver.prepare();
    await terminal.expect('0600');
    // The late answer to the first registration, and its completion, then those of the second.
    terminal.send(positive);
    await terminal.tell(registered);
    await terminal.expect('0501');
    terminal.send(positive);
    await terminal.tell(registered);
    await terminal.tell(idle);
    expect(await second).toMatchObject({ kind: 'busy' });
    const third = driver.prepare();
    await playReady(terminal);
    expect(await third).toMatchObject({ kind: 'ready' });
  });

  it('keep a payment from starting', async () => {
    const kit = await createReadyKit();
    const { driver, terminal, clock } = kit;
    const probe = driver.probe();
    await clock.advance(5_000);
    expect(await probe).toMatchObject({ kind: 'silent' });
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    terminal.send('848300');
    await settle();
    expect(terminal.moneyCommands).toEqual([]);
  });

  it('keep a payment from starting when a repeated message did not get its answer', async () => {
    const kit = await createReadyKit();
    const { terminal, clock } = kit;
    await terminal.tell(completion);
    void startSale(kit);
    await terminal.expect('0601');
    await terminal.tell(aborted);
    const probe = kit.driver.probe();
    await playProbe(terminal);
    expect(await probe).toMatchObject({ kind: 'ready' });
    terminal.acknowledges = false;
    terminal.send(completion);
    await clock.advance(15_000);
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(terminal.moneyCommands).toEqual(['0601']);
  });

  it('keep a payment from starting when the terminal did not acknowledge the end', async () => {
    const kit = await createReadyKit();
    const { driver, terminal, clock } = kit;
    const probe = driver.probe();
    await terminal.serve('0501', idle);
    await terminal.serve('0620', baseline);
    terminal.acknowledges = false;
    terminal.send(completion);
    await clock.advance(15_000);
    expect(await probe).toMatchObject({ kind: 'silent' });
    expect(await startSale(kit)).toMatchObject({ kind: 'not_started' });
    expect(terminal.moneyCommands).toEqual([]);
  });
});

describe('signOff', () => {
  it('sends 06 02 and waits for its answer', async () => {
    const { driver, terminal } = await createReadyKit();
    const signedOff = driver.signOff();
    expect(await terminal.expect('0602')).toBe('060200');
    expect(await stateOf(signedOff)).toBe('pending');
    terminal.send(positive);
    await signedOff;
  });

  it('is bounded, and sends nothing while an operation runs or the line is closed', async () => {
    const kit = await createReadyKit();
    const silent = kit.driver.signOff();
    await kit.clock.advance(5_000);
    await silent;
    expect(kit.clock.waiting).toBe(0);

    const other = await createReadyKit();
    void startSale(other);
    await other.terminal.expect('0601');
    await other.driver.signOff();
    expect(await other.terminal.heard()).toEqual([]);
    await other.terminal.cut();
    await other.driver.signOff();
  });
});

describe('the wire', () => {
  it('recovers in an enquiry from every frame that is lost or damaged once', async () => {
    const { driver, terminal, clock } = createKit();
    const readiness = driver.prepare();
    // Our command is damaged on the way.
    terminal.acknowledges = false;
    await terminal.expect('0600');
    terminal.sendBytes(fromHex('15'));
    await terminal.expect('0600');
    // Its ACK is lost, and the answer comes without it.
    terminal.send(positive);
    await settle();
    terminal.send(registered);
    // Our answer is lost: it is sent again after T2.
    await terminal.expect(positive);
    await clock.advance(5_000);
    await terminal.expect(positive);
    terminal.sendBytes(ack);
    terminal.acknowledges = true;
    await playProbe(terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
  });
});
