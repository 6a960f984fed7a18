import { describe, expect, it } from 'vitest';
import { zvtSettingsSchema } from '../../../../src/contract/configuration.ts';
import { positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  atWork,
  aborted,
  completion,
  createKit,
  createReadyKit,
  registered,
  startBatch,
  status,
} from './driver-kit.ts';

const totals = status({ totals: true, trace: '000472' });

describe('a batch close', () => {
  it('has its totals on disk before they are acknowledged, and is done when the terminal completes', async () => {
    const kit = await createReadyKit({
      settings: zvtSettingsSchema.parse({ password: '123456' }),
    });
    const { terminal, disk } = kit;
    const answer = startBatch(kit);
    expect(await terminal.expect('0650')).toBe('065003123456');
    terminal.send(positive);
    await terminal.tell('04ff010f');
    await atWork(kit, 179_999);
    await terminal.tell(totals);
    expect(disk.results).toMatchObject([{ kind: 'batch_close', approved: true, receiptFrom: '0470' }]);
    await terminal.tell(completion);
    expect(await answer).toEqual({ kind: 'done', record: disk.results[0], receiptLines: [] });
    expect(terminal.moneyCommands).toEqual(['0650']);
  });

  it.each(['060f0227e0', '060f0227fc', '060f01e0', '060f01fc', '060f022700'])(
    'is done when the completion only says what comes next (%s)',
    async (end) => {
      const kit = await createReadyKit();
      const answer = startBatch(kit);
      await kit.terminal.serve('0650', totals, end);
      expect(await answer).toMatchObject({ kind: 'done' });
    },
  );

  it.each([
    ['with 77 and no totals', ['060f0177']],
    ['with 77 after a refusal', [status({ code: '77' }), '060f022777']],
    ['by breaking off', ['061e0177']],
    ['by breaking off after a refusal', [status({ code: '77' }), '061e0177']],
  ])('is declined when the terminal fails it %s', async (_, messages) => {
    const kit = await createReadyKit();
    const answer = startBatch(kit);
    await kit.terminal.serve('0650', ...messages);
    expect(await answer).toMatchObject({
      kind: 'declined',
      reason: expect.stringMatching(/end of day not possible/i),
    });
  });

  it.each([
    ['it completes with 77 after its totals', [totals, '060f0177']],
    ['it breaks off after its totals', [totals, aborted]],
    ['it completes without totals', [completion]],
  ])('is unknown when %s', async (_, messages) => {
    const kit = await createReadyKit();
    const answer = startBatch(kit);
    await kit.terminal.serve('0650', ...messages);
    expect(await answer).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown, and the result refused, when the terminal reports a reversal', async () => {
    const kit = await createReadyKit();
    const answer = startBatch(kit);
    await kit.terminal.serve('0650');
    await kit.terminal.tell(status({ original: '000470' }), '846c00');
    await kit.terminal.tell(completion);
    expect(await answer).toMatchObject({ kind: 'unknown' });
  });

  it('names a wrong password', async () => {
    const kit = await createReadyKit();
    const answer = startBatch(kit);
    await kit.terminal.serve('0650', '061e0137');
    expect(await answer).toMatchObject({ kind: 'declined', reason: expect.stringMatching(/password/) });
  });
});

describe('a terminal that is full', () => {
  it('takes the batch close that it needs', async () => {
    const kit = createKit();
    const readiness = kit.driver.prepare();
    await kit.terminal.serve('0600', registered);
    await kit.terminal.serve('0501', '060f01f0');
    await kit.terminal.serve('0620', status(), completion);
    expect(await readiness).toMatchObject({
      kind: 'attention',
      requiredAction: 'batch_close',
      lastRecord: { kind: 'record' },
    });
    const answer = startBatch(kit);
    await kit.terminal.serve('0650', totals, completion);
    expect(await answer).toMatchObject({ kind: 'done' });
  });
});
