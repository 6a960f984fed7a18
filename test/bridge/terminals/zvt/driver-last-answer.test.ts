/**
 * Our answer to the end of an operation (06 0F, 06 1E) changes nothing any more: the end is told while that answer is
 * still on its way, and everything that comes next waits until it is known what became of it.
 */
import { describe, expect, it } from 'vitest';
import { zvtSettingsSchema } from '../../../../src/contract/configuration.ts';
import { ack, positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  aborted,
  completion,
  createReadyKit,
  playProbe,
  startSale,
  startVoid,
  stateOf,
  status,
  type Kit,
} from './driver-kit.ts';

const { ackTimeoutMs } = zvtSettingsSchema.parse({}).timers;

/** A sale whose end the terminal has said; our answer to it has arrived, and was not acknowledged. */
async function endedSale(ending = completion, result = status()) {
  const kit = await createReadyKit();
  const sale = startSale(kit);
  await kit.terminal.serve('0601', result);
  kit.terminal.acknowledges = false;
  kit.terminal.send(ending);
  await kit.terminal.expect(positive);
  return { kit, sale };
}

/** From the terminal's ACK on all goes its usual way. */
async function acknowledgeAndProbe(kit: Kit, probe: ReturnType<Kit['driver']['probe']>) {
  kit.terminal.acknowledges = true;
  kit.terminal.sendBytes(ack);
  await playProbe(kit.terminal);
  expect(await probe).toMatchObject({ kind: 'ready' });
}

describe('our answer to the end of an operation', () => {
  it.each([
    ['an approval', completion, status(), 'done'],
    ['a refusal', aborted, status({ code: '05' }), 'declined'],
  ])('is not waited for to tell the end (%s), and what comes next is', async (_, ending, result, kind) => {
    const { kit, sale } = await endedSale(ending, result);
    expect(await stateOf(sale)).toMatchObject({ kind });
    const probe = kit.driver.probe();
    expect(await kit.terminal.heard()).toEqual([]);
    await acknowledgeAndProbe(kit, probe);
  });

  it('is repeated while no acknowledgement comes, and is given up before the terminal is asked again', async () => {
    const { kit, sale } = await endedSale();
    expect(await stateOf(sale)).toMatchObject({ kind: 'done' });
    const probe = kit.driver.probe();
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await kit.clock.advance(ackTimeoutMs);
      expect(await kit.terminal.heard()).toEqual([positive]);
    }
    kit.terminal.acknowledges = true;
    await kit.clock.advance(ackTimeoutMs);
    await playProbe(kit.terminal);
    expect(await probe).toMatchObject({ kind: 'ready' });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('that was given up keeps a sale from following at once', async () => {
    const { kit, sale } = await endedSale();
    await sale;
    const next = startSale(kit);
    await kit.clock.advance(3 * ackTimeoutMs);
    expect(await next).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(kit.terminal.moneyCommands).toEqual(['0601']);
  });

  it('is given once more to a terminal that did not get it and says the end again', async () => {
    const { kit, sale } = await endedSale();
    await sale;
    const probe = kit.driver.probe();
    kit.terminal.acknowledges = true;
    await kit.terminal.tell(completion);
    await playProbe(kit.terminal);
    expect(await probe).toMatchObject({ kind: 'ready' });
    expect(kit.late.results).toEqual([]);
  });

  it('is lost with the line, and the end stays', async () => {
    const { kit, sale } = await endedSale();
    const probe = kit.driver.probe();
    await kit.terminal.cut();
    expect(await sale).toMatchObject({ kind: 'done' });
    expect(await probe).toMatchObject({ kind: 'silent' });
    expect(kit.clock.waiting).toBe(0);
  });

  it('keeps the bridge from signing off over it', async () => {
    const { kit, sale } = await endedSale();
    await sale;
    await kit.driver.signOff();
    expect(await kit.terminal.heard()).toEqual([]);
  });

  it('is out before the last record is read that a void needs', async () => {
    const kit = await createReadyKit();
    const answer = startVoid(kit);
    await kit.terminal.serve('0630', status({ trace: '000472', receipt: '0472' }));
    kit.terminal.acknowledges = false;
    kit.terminal.send(completion);
    await kit.terminal.expect(positive);
    expect(await kit.terminal.heard()).toEqual([]);
    kit.terminal.acknowledges = true;
    kit.terminal.sendBytes(ack);
    await kit.terminal.serve(
      '0620',
      status({ trace: '000472', receipt: '0472', original: '000471' }),
      completion,
    );
    expect(await answer).toMatchObject({ kind: 'done', record: { originalTraceNumber: '000471' } });
  });
});
