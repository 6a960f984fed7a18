/** Terminals that tell their id late, or have more than one: still one terminal. */
import { describe, expect, it } from 'vitest';
import {
  completion,
  createKit,
  createReadyKit,
  idle,
  playProbe,
  registered,
  startSale,
  status,
  terminalId,
} from './driver-kit.ts';

const otherId = '11112222';
const registeredAs = (id: string) => registered.replace(terminalId, id);

describe('a terminal whose id comes late', () => {
  it('is known by its first record, and then by what the registration says', async () => {
    const kit = createKit();
    const first = kit.driver.prepare();
    await kit.terminal.serve('0600', completion);
    await playProbe(kit.terminal, null);
    expect(await first).toMatchObject({ kind: 'ready', terminal: { terminalId: null } });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status(), completion);
    expect(await sale).toMatchObject({ kind: 'done' });
    const second = kit.driver.probe();
    await playProbe(kit.terminal, null);
    // Its result has told it; it shows no record.
    expect(await second).toMatchObject({
      kind: 'ready',
      terminal: { terminalId },
      lastRecord: { kind: 'empty' },
    });
  });

  it.each(['ffffffff', '2800486f'])('has none in a registration that says %s', async (id) => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registeredAs(id));
    await playProbe(kit.terminal);
    expect(await readiness).toMatchObject({ kind: 'ready', terminal: { terminalId } });
  });
});

describe('a terminal with a second id for some of its payments', () => {
  it('is one terminal: its records and results carry the id that it registers with', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registered);
    await playProbe(kit.terminal, status({ terminalId: otherId, trace: '000470' }));
    expect(await readiness).toMatchObject({
      kind: 'ready',
      terminal: { terminalId },
      lastRecord: { record: { terminalId, traceNumber: '000470' } },
    });
    const sale = startSale(kit);
    await kit.terminal.serve('0601', status({ terminalId: '33334444' }), completion);
    expect(await sale).toMatchObject({ kind: 'done', record: { terminalId } });
    expect(kit.disk.results).toMatchObject([{ terminalId }]);
    for (const [index, id] of [otherId, '33334444', terminalId].entries()) {
      const probe = kit.driver.probe();
      // A result with a new id: the terminal is asked who it is, once.
      if (index === 0) await kit.terminal.serve('0600', registered);
      await playProbe(kit.terminal, status({ terminalId: id }));
      expect(await probe).toMatchObject({ kind: 'ready', lastRecord: { record: { terminalId } } });
    }
  });

  it('is asked who it is before a record with a new id counts, because it could have been replaced', async () => {
    for (const nowRegistered of [terminalId, otherId]) {
      const kit = await createReadyKit();
      const probe = kit.driver.probe();
      await playProbe(kit.terminal, status({ terminalId: otherId }));
      expect(await probe).toMatchObject({ kind: 'busy', text: expect.stringMatching(/another terminal id/) });
      expect(await startSale(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
      const poll = kit.driver.prepare();
      await kit.terminal.serve('0600', registeredAs(nowRegistered));
      await playProbe(kit.terminal, status({ terminalId: otherId }));
      expect(await poll).toMatchObject({
        kind: 'ready',
        terminal: { terminalId: nowRegistered },
        lastRecord: { record: { terminalId: nowRegistered } },
      });
      expect(kit.terminal.moneyCommands).toEqual([]);
    }
  });

  it('is not taken for another one that is plugged in while nobody looks: late results keep a strange id', async () => {
    const kit = await createReadyKit();
    await kit.terminal.tell(status({ terminalId: otherId }), '846c00');
    expect(kit.late.results).toMatchObject([{ terminalId: otherId }]);
  });

  it('is the one of its newest record where it does not register', async () => {
    const kit = createKit();
    for (const id of [terminalId, otherId]) {
      const readiness = kit.driver.prepare();
      await kit.terminal.serve('0600', completion);
      await kit.terminal.serve('0501', idle);
      await kit.terminal.serve('0620', status({ terminalId: id }), completion);
      expect(await readiness).toMatchObject({
        terminal: { terminalId: id },
        lastRecord: { record: { terminalId: id } },
      });
    }
  });
});
