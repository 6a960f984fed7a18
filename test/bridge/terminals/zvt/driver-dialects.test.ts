/** Terminals that lack something, or answer in a way of their own: each becomes ready as far as it goes. */
import { describe, expect, it } from 'vitest';
import type { TerminalTrait } from '../../../../src/contract/terminal.ts';
import { ack, positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  amountMinor,
  baseline,
  completion,
  createKit,
  createReadyKit,
  idle,
  playProbe,
  playReady,
  registered,
  saleApdu,
  startSale,
  startVoid,
  status,
  terminalId,
  type Kit,
} from './driver-kit.ts';

const full = '0600080000001809780600';
const plain = '060006000000180978';
const bare = '06000400000018';
const notPossible = '848300';
const protocolError = '849a00';
const refusedResult = '846c00';
const saleWithoutCurrency = '0601090400000000120019' + '40';

function learntBy(kit: Kit): TerminalTrait[] {
  return kit.learnt.map(({ trait }) => trait);
}

/** The terminal answers a command with a refusal. */
async function refuse(kit: Kit, command: string, answer = notPossible) {
  await kit.terminal.expect(command);
  kit.terminal.send(answer);
}

describe('a registration that is refused', () => {
  it('because of its TLV container (83) is done without, and that is learnt once the terminal repeats it', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await refuse(kit, full);
    await kit.terminal.serve(plain, registered);
    await refuse(kit, full);
    await playProbe(kit.terminal);
    expect(await readiness).toMatchObject({ kind: 'ready', terminal: { terminalId } });
    expect(kit.learnt).toEqual([{ terminalId, trait: 'no_tlv', explanation: expect.stringMatching(/TLV/) }]);
  });

  it('because the terminal was at work teaches nothing', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await refuse(kit, full);
    await kit.terminal.serve(plain, registered);
    await kit.terminal.serve(full, registered);
    await playProbe(kit.terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
    expect(kit.learnt).toEqual([]);
  });

  it('with a protocol error (9A) is done in the plain form', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await refuse(kit, full, protocolError);
    await kit.terminal.serve(plain, registered);
    await playProbe(kit.terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
    expect(learntBy(kit)).toEqual(['no_tlv']);
  });

  it('that was said before the terminal had acknowledged the enquiry is of something earlier', async () => {
    const kit = createKit();
    kit.terminal.acknowledges = false;
    const readiness = kit.driver.prepare();
    await kit.terminal.expect(full);
    kit.terminal.send(protocolError);
    await kit.terminal.heard();
    kit.terminal.sendBytes(ack);
    kit.terminal.acknowledges = true;
    kit.terminal.send(positive);
    await kit.terminal.tell(registered);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(kit.learnt).toEqual([]);
  });

  it('is believed the second time of a terminal that never acknowledges', async () => {
    const kit = createKit();
    kit.terminal.acknowledges = false;
    const readiness = kit.driver.prepare();
    await kit.terminal.expect(full);
    kit.terminal.send(protocolError);
    await kit.clock.advance(10_000);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    const again = kit.driver.prepare();
    await kit.terminal.expect(full);
    kit.terminal.send(protocolError);
    await kit.terminal.expect(plain);
    kit.terminal.acknowledges = true;
    kit.terminal.sendBytes(ack);
    kit.terminal.send(positive);
    await kit.terminal.tell(registered);
    await playProbe(kit.terminal);
    expect(await again).toMatchObject({ kind: 'ready' });
    expect(learntBy(kit)).toEqual(['no_tlv']);
  });

  it('because of its currency is done without that too, and payments then name none', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await refuse(kit, full, protocolError);
    await refuse(kit, plain, protocolError);
    await kit.terminal.serve(bare, registered);
    await playProbe(kit.terminal);
    expect(await readiness).toMatchObject({ kind: 'ready' });
    expect(learntBy(kit)).toEqual(['no_currency']);
    await kit.terminal.heard();
    const sale = startSale(kit);
    await kit.terminal.serve(saleWithoutCurrency, status(), completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    const reversal = startVoid(kit);
    await kit.terminal.serve('06300d00000087047104000000001200', status({ original: '000471' }), completion);
    expect(await reversal).toMatchObject({ kind: 'done' });
    expect(kit.terminal.moneyCommands).toEqual(['0601', '0630']);
  });

  it('in every form leaves a terminal that is ready without it', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    for (const form of [full, plain, bare]) await refuse(kit, form);
    await playProbe(kit.terminal);
    for (const form of [full, plain, bare]) await refuse(kit, form);
    expect(await readiness).toMatchObject({ kind: 'ready', terminal: { terminalId } });
    expect(learntBy(kit)).toEqual(['no_registration']);
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status(), completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('because it was at work is made up for once it is idle', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    for (const form of [full, plain, bare]) await refuse(kit, form);
    await playProbe(kit.terminal);
    await kit.terminal.serve(full, registered);
    expect(await readiness).toMatchObject({ kind: 'ready' });
    expect(kit.learnt).toEqual([]);
  });

  it('for its currency (84 1E 6F, 84 6F) is a matter of settings', async () => {
    for (const answer of ['841e016f', '841e036f0978', '846f00']) {
      const kit = createKit();
      const readiness = kit.driver.prepare();
      await refuse(kit, '0600', answer);
      expect(await readiness).toMatchObject({
        kind: 'attention',
        requiredAction: 'setting',
        text: expect.stringMatching(/currency EUR/),
      });
    }
  });

  it('is not asked for again by a terminal whose ways are known', async () => {
    const kit = createKit();
    kit.knownTraits.add('no_tlv');
    const first = kit.driver.prepare();
    // Its id is not known yet.
    await refuse(kit, full);
    await kit.terminal.serve(plain, registered);
    await refuse(kit, full);
    await playProbe(kit.terminal);
    expect(await first).toMatchObject({ kind: 'ready' });
    const second = kit.driver.prepare();
    await kit.terminal.serve(plain, registered);
    await playProbe(kit.terminal);
    expect(await second).toMatchObject({ kind: 'ready' });
    expect(kit.learnt).toEqual([]);
  });
});

describe('a terminal that does not know the status enquiry', () => {
  it('is ready when it shows its record and refuses the enquiry again (83)', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registered);
    await refuse(kit, '0501');
    await kit.terminal.serve('0620', baseline, completion);
    await refuse(kit, '0501');
    expect(await readiness).toMatchObject({ kind: 'ready', lastRecord: { kind: 'record' } });
    expect(learntBy(kit)).toEqual(['no_status_enquiry']);
    const probe = kit.driver.probe();
    await refuse(kit, '0501');
    await kit.terminal.serve('0620', baseline, completion);
    expect(await probe).toMatchObject({ kind: 'ready' });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status(), completion);
    expect(await sale).toMatchObject({ kind: 'done' });
  });

  it('was at work if it then answers the enquiry, and is polled again', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registered);
    await refuse(kit, '0501');
    await kit.terminal.serve('0620', baseline, completion);
    await kit.terminal.serve('0501', idle);
    expect(await readiness).toMatchObject({ kind: 'busy' });
    expect(kit.learnt).toEqual([]);
  });

  it('is busy, also when that is known, while it refuses to show its record as well', async () => {
    for (const known of [false, true]) {
      const kit = createKit();
      if (known) kit.knownTraits.add('no_status_enquiry');
      const readiness = kit.driver.prepare();
      await kit.terminal.serve('0600', registered);
      await refuse(kit, '0501');
      await refuse(kit, '0620');
      expect(await readiness).toMatchObject({ kind: 'busy' });
      expect(kit.learnt).toEqual([]);
    }
  });

  it('needs attention, with the reason, when it never answers either', async () => {
    const kit = createKit();
    const kinds: string[] = [];
    for (let poll = 0; poll < 3; poll += 1) {
      const readiness = kit.driver.prepare();
      await kit.terminal.serve('0600', registered);
      await refuse(kit, '0501');
      await refuse(kit, '0620');
      const answer = await readiness;
      kinds.push(answer.kind);
      if (poll === 2)
        expect(answer).toMatchObject({ text: expect.stringMatching(/neither the status enquiry nor/) });
    }
    expect(kinds).toEqual(['busy', 'busy', 'attention']);
  });

  it('is ready when it completes the enquiry without a status (06 0F 00), three times in a row', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', completion);
    for (let attempt = 0; attempt < 3; attempt += 1) await kit.terminal.serve('0501', completion);
    await kit.terminal.serve('0620', baseline, completion);
    expect(await readiness).toMatchObject({ kind: 'ready', terminal: { terminalId } });
    // Its id was in the record only.
    expect(kit.learnt).toEqual([
      { terminalId, trait: 'no_status_enquiry', explanation: expect.stringMatching(/without a status/) },
    ]);
    const probe = kit.driver.probe();
    await kit.terminal.serve('0501', completion);
    await kit.terminal.serve('0620', baseline, completion);
    expect(await probe).toMatchObject({ kind: 'ready' });
  });

  it('teaches nothing by one completion that could be the late end of something else', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registered);
    await kit.terminal.serve('0501', completion);
    await kit.terminal.serve('0501', idle);
    await kit.terminal.serve('0620', baseline, completion);
    expect(await readiness).toMatchObject({ kind: 'ready' });
    expect(kit.learnt).toEqual([]);
  });

  it('is said to be so while it is asked again', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registered);
    await kit.terminal.serve('0501', completion);
    await kit.terminal.expect('0501');
    await kit.clock.advance(5_000);
    expect(await readiness).toEqual({
      kind: 'busy',
      text: 'The terminal does not answer the status enquiry as the standard asks; it is asked again.',
    });
  });
});

describe('a terminal that puts a result (04 0F) into its enquiries', () => {
  const results = [
    ['with nothing in it', '040f022700'],
    ['that is its last record', baseline],
  ] as const;

  it.each(results)(
    '%s is ready at the second look, and the result is never acknowledged',
    async (_, result) => {
      const kit = createKit();
      const first = kit.driver.prepare();
      await kit.terminal.expect('0600');
      kit.terminal.send(positive);
      await kit.terminal.tell(result, refusedResult);
      await kit.terminal.tell(registered);
      expect(await first).toMatchObject({ kind: 'busy' });
      const second = kit.driver.prepare();
      for (const [command, end] of [
        ['0600', registered],
        ['0501', idle],
      ] as const) {
        await kit.terminal.expect(command);
        kit.terminal.send(positive);
        await kit.terminal.tell(result, refusedResult);
        await kit.terminal.tell(end);
      }
      await kit.terminal.serve('0620', baseline, completion);
      expect(await second).toMatchObject({ kind: 'ready', lastRecord: { kind: 'record' } });
      expect(learntBy(kit)).toEqual(['results_in_enquiries']);
    },
  );

  it('is still heard when it tells one of our operations late, however often it was asked before', async () => {
    const kit = createKit();
    const lookAt = async () => {
      const asked = kit.driver.prepare();
      await kit.terminal.expect('0600');
      kit.terminal.send(positive);
      await kit.terminal.tell('040f022700', refusedResult);
      await kit.terminal.tell(registered);
      return asked;
    };
    expect(await lookAt()).toMatchObject({ kind: 'busy' });
    for (let poll = 2; poll <= 30; poll += 1) {
      const asked = lookAt();
      await kit.terminal.serve('0501', idle);
      await kit.terminal.serve('0620', baseline, completion);
      expect(await asked).toMatchObject({ kind: 'ready' });
    }
    kit.late.adopt = true;
    const before = kit.late.results.length;
    const asked = kit.driver.prepare();
    await kit.terminal.serve('0600', status(), registered);
    expect(await asked).toMatchObject({ kind: 'busy' });
    expect(kit.late.results.length).toBe(before + 1);
  });

  it('is busy when the result belongs to something and is adopted, once', async () => {
    const kit = createKit();
    kit.knownTraits.add('results_in_enquiries');
    kit.late.adopt = true;
    const first = kit.driver.prepare();
    await kit.terminal.serve('0600', status(), registered);
    expect(await first).toMatchObject({ kind: 'busy' });
    const second = kit.driver.prepare();
    await kit.terminal.serve('0600', status(), registered);
    await playProbe(kit.terminal, status());
    expect(await second).toMatchObject({ kind: 'ready' });
    expect(kit.late.results).toHaveLength(1);
  });

  it('is not busy with what was taken over before: the last record, and our own last result', async () => {
    const kit = await createReadyKit();
    kit.late.adopt = true;
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status(), completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    const probe = kit.driver.probe();
    await kit.terminal.serve('0501', status(), idle);
    await kit.terminal.serve('0620', status(), completion);
    expect(await probe).toMatchObject({ kind: 'ready' });
    const poll = kit.driver.prepare();
    await kit.terminal.serve('0600', status(), registered);
    await kit.terminal.serve('0501', status(), idle);
    await kit.terminal.serve('0620', status(), completion);
    expect(await poll).toMatchObject({ kind: 'ready' });
    expect(kit.late.results).toEqual([]);
  });

  it('is busy as long as each result is another one', async () => {
    const kit = createKit();
    for (const trace of ['000471', '000472']) {
      const readiness = kit.driver.prepare();
      await kit.terminal.expect('0600');
      kit.terminal.send(positive);
      await kit.terminal.tell(status({ trace }), refusedResult);
      await kit.terminal.tell(registered);
      expect(await readiness).toMatchObject({ kind: 'busy' });
    }
    expect(kit.learnt).toEqual([]);
  });
});

describe('a payment that is refused because it names a currency (84 9A)', () => {
  it('is sent once more without it, and the terminal is asked without it from then on', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await refuse(kit, saleApdu, protocolError);
    await kit.terminal.serve(saleWithoutCurrency, status(), completion);
    expect(await sale).toMatchObject({ kind: 'done', record: { amountMinor } });
    expect(kit.terminal.moneyCommands).toEqual(['0601', '0601']);
    expect(kit.learnt).toEqual([
      { terminalId, trait: 'no_currency', explanation: expect.stringMatching(/currency/) },
    ]);
    const next = startSale(kit);
    await kit.terminal.serve(saleWithoutCurrency, status({ trace: '000472' }), completion);
    expect(await next).toMatchObject({ kind: 'done' });
    expect(kit.terminal.moneyCommands).toHaveLength(3);
  });

  it('is sent without it from the start where that is known', async () => {
    const kit = await createReadyKit();
    kit.knownTraits.add('no_currency');
    const sale = startSale(kit);
    await kit.terminal.serve(saleWithoutCurrency, status(), completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('and refused again never started, goes out no third time, and teaches nothing', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await refuse(kit, saleApdu, protocolError);
    await refuse(kit, saleWithoutCurrency, protocolError);
    expect(await sale).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
    expect(kit.terminal.moneyCommands).toEqual(['0601', '0601']);
    expect(kit.learnt).toEqual([]);
  });

  it.each(['846c00', '848300', '849c00', '846f00', '841e016f', '846b00'])(
    'is not sent again after another refusal (%s)',
    async (answer) => {
      const kit = await createReadyKit();
      const sale = startSale(kit);
      await refuse(kit, saleApdu, answer);
      expect(await sale).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
      expect(kit.terminal.moneyCommands).toEqual(['0601']);
    },
  );

  it('is not sent again after a second copy, nor when the refusal came only later', async () => {
    const kit = await createReadyKit();
    kit.terminal.acknowledges = false;
    const sale = startSale(kit);
    await kit.terminal.expect('0601');
    kit.terminal.sendBytes(Uint8Array.of(0x15));
    await kit.terminal.expect('0601');
    kit.terminal.acknowledges = true;
    kit.terminal.send(protocolError);
    expect(await sale).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.moneyCommands).toEqual(['0601', '0601']);

    const other = await createReadyKit();
    const later = startSale(other);
    await other.terminal.serve('0601', '061e019a');
    expect(await later).toMatchObject({ kind: 'declined' });
    expect(other.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is not sent again when the cashier has cancelled', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    kit.driver.cancel();
    await refuse(kit, saleApdu, protocolError);
    expect(await sale).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is not sent again in another currency than the one that a terminal takes for granted', async () => {
    const kit = await createReadyKit({ currency: 'CHF' });
    const sale = kit.driver.sale({ amountMinor, maxAmountMinor: amountMinor, currency: 'CHF' }, kit.watch);
    await refuse(kit, '0601', protocolError);
    expect(await sale).toMatchObject({ kind: 'not_started', refusedByTerminal: true });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });
});

describe('a refusal with its code inside (84 1E nn code)', () => {
  it('is worded by that code', async () => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await refuse(kit, '0601', '841e01c3');
    expect(await sale).toMatchObject({
      kind: 'not_started',
      reason: expect.stringMatching(/maximum amount/i),
    });
    const other = await createReadyKit();
    const second = startSale(other);
    await refuse(other, '0601', '841e00');
    expect(await second).toMatchObject({ reason: expect.stringMatching(/format error/) });
    const reversal = startVoid(other);
    await refuse(other, '0630', '841e0137');
    expect(await reversal).toMatchObject({ kind: 'not_started', reason: expect.stringMatching(/password/) });
  });
});

describe('a terminal that may have lost its registration', () => {
  it('is registered again by the heartbeat once that is a minute old', async () => {
    const kit = await createReadyKit();
    await kit.clock.advance(59_999);
    const early = kit.driver.probe();
    await playProbe(kit.terminal);
    expect(await early).toMatchObject({ kind: 'ready' });
    await kit.terminal.heard();
    await kit.clock.advance(1);
    const late = kit.driver.probe();
    await playReady(kit.terminal);
    expect(await late).toMatchObject({ kind: 'ready' });
    await kit.terminal.heard();
    const again = kit.driver.probe();
    await playProbe(kit.terminal);
    expect(await again).toMatchObject({ kind: 'ready' });
  });

  it.each([
    ['at once', ['846b00']],
    ['later', [positive, '061e016b']],
    ['with a result', [positive, status({ code: '6b' }), '061e016b']],
  ])('is registered again after it refused a payment %s because of that (6B)', async (_, answers) => {
    const kit = await createReadyKit();
    const sale = startSale(kit);
    await kit.terminal.expect('0601');
    for (const answer of answers) {
      kit.terminal.send(answer);
      await kit.terminal.heard();
    }
    expect(['not_started', 'declined']).toContain((await sale).kind);
    const probe = kit.driver.probe();
    await playReady(kit.terminal);
    expect(await probe).toMatchObject({ kind: 'ready' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });
});
