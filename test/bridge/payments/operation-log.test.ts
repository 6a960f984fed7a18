/** What the log store has of each operation, on the whole way from the engine to the simulator. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog, type CreatedLog, type LogStore } from '../../../src/log/index.ts';
import { timelineEntrySchema } from '../../../src/contract/console/payments.ts';
import { dialects, type Dialect } from '../../../src/simulator/dialects.ts';
import { is, once } from '../../support/rigs.ts';
import { createRig, type Rig } from '../../support/rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function setUp(dialect?: Dialect): { rig: Rig; store: LogStore } {
  const folder = tempFolder('operation-log');
  const clock = createVirtualClock();
  const created: CreatedLog = createLog({
    folder: null,
    level: 'error',
    clock,
    store: { file: join(folder, 'log-store.sqlite') },
  });
  if (created.store === null) throw new Error('there is no store');
  const rig = createRig({
    clock,
    log: created.log,
    ...(dialect === undefined ? {} : { simulator: { dialect } }),
  });
  cleanUps.push(async () => {
    await rig.close();
    await created.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { rig, store: created.store };
}

const operationsOf = (rig: Rig, reference: string) =>
  rig.journal
    .eventsAfter(0, 1_000)
    .flatMap(({ event }) =>
      event.type === 'operation_started' && event.kind !== 'batch_close' && event.reference === reference
        ? [event.operationId]
        : [],
    );

describe('the log of an operation', () => {
  it('has its start, all of its frames, and its end, each with its number', async () => {
    const { rig, store } = setUp();
    await rig.ready();
    expect(await rig.sale('12.00', 'A-1')).toBe('approved');
    await rig.ready();
    const [operationId = ''] = operationsOf(rig, 'A-1');
    const { lines, leftOut } = store.linesOf({ operationIds: [operationId], reference: 'A-1' });
    expect(leftOut).toBe(0);
    expect(lines.at(0)).toMatchObject({
      level: 'debug',
      message: 'the sale has started',
      fields: { operation_id: operationId, reference: 'A-1', operation: 'started' },
    });
    expect(lines.at(-1)).toMatchObject({
      level: 'info',
      message: 'the sale ended: done',
      fields: { operation_id: operationId, reference: 'A-1', operation: 'ended' },
    });
    expect(new Set(lines.map((line) => line.operationId))).toEqual(new Set([operationId]));
    const frames = lines.slice(1, -1);
    expect(frames.map(({ fields }) => fields['frame'])).toEqual(
      expect.arrayContaining(['authorisation', 'intermediate-status', 'status-information', 'completion']),
    );
    expect(frames[0]?.fields).toMatchObject({
      direction: 'to_terminal',
      frame: 'authorisation',
      ctrl: '0601',
      length: 15,
      hex: '06 01 0c 04 00 00 00 00 12 00 49 09 78 19 40',
      fields: [
        ['amount', '12.00', { from: 3, to: 10 }],
        ['currency', 'EUR', { from: 10, to: 13 }],
        ['payment type', '40: the card decides', { from: 13, to: 15 }],
      ],
    });
    // They are what the timeline of a payment is made of.
    for (const { id, time, fields } of frames) {
      const { direction, frame, ctrl, length, hex, fields: words } = fields;
      const entry = { kind: 'frame', at: time, direction, name: frame, control: ctrl, lengthBytes: length };
      expect(
        timelineEntrySchema.safeParse({ ...entry, hex: hex ?? null, fields: words ?? [], logLineId: id })
          .error,
      ).toBeUndefined();
      expect(String(hex)).toMatch(/^(?:[0-9a-f]{2}|\*\*)(?: (?:[0-9a-f]{2}|\*\*))*$/);
    }
  });

  it('is told apart from that of the next, and from the terminal’s own frames', async () => {
    const { rig, store } = setUp();
    await rig.ready();
    await rig.sale('12.00', 'A-1');
    await rig.ready();
    const voided = await rig.payments.voidPayment('A-1', 15_000);
    expect(voided.ok).toBe(true);
    await rig.ready();
    const [sale = '', reversal = ''] = operationsOf(rig, 'A-1');
    const names = (operationId: string) =>
      store
        .linesOf({ operationIds: [operationId], reference: null })
        .lines.flatMap(({ fields }) => (fields['direction'] === 'to_terminal' ? [fields['frame']] : []));
    expect(names(sale)).toContain('authorisation');
    expect(names(sale)).not.toContain('reversal');
    expect(names(reversal)).toContain('reversal');
    expect(names(reversal)).not.toContain('authorisation');
    const { lines } = store.page({
      filter: { minLevel: 'debug', sources: ['zvt'], text: 'registration' },
      before: null,
      limit: 10,
    });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every(({ operationId }) => operationId === null)).toBe(true);
  });

  it('that a crash cut off goes on with what recovery finds', async () => {
    const { rig, store } = setUp();
    await rig.ready();
    rig.simulator.queueScenario('slow_host');
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
    await rig.until(
      () => rig.ledger().length > 0 || rig.payments.status().terminal.progress !== null,
      'a sale',
    );
    await rig.crash();
    rig.restart();
    await rig.ready();
    const [operationId = ''] = operationsOf(rig, 'A-1');
    const { lines } = store.linesOf({ operationIds: [operationId], reference: 'A-1' });
    const own = lines.filter(({ fields }) => fields['operation_id'] === operationId);
    expect(own.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'the sale has started',
        'a sale of an earlier run is in doubt',
        expect.stringMatching(/^recovery: /),
      ]),
    );
    expect(own.every(({ fields }) => fields['reference'] === 'A-1')).toBe(true);
    expect(lines.some(({ fields }) => fields['frame'] === 'repeat-receipt')).toBe(true);
  });

  it('has a warning where nobody knows how it ended', async () => {
    const { rig, store } = setUp();
    await rig.ready();
    rig.simulator.queueScenario('cut_before_acknowledgement');
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
    const filter = { minLevel: 'warn' as const, sources: null, text: 'the sale ended: ' };
    const endings = () => store.page({ filter, before: null, limit: 1 }).lines;
    await rig.until(() => endings().length > 0, 'the end');
    expect(endings()).toMatchObject([{ level: 'warn', message: 'the sale ended: unknown' }]);
  });

  it('has no warning where recovery has found out', async () => {
    const { rig, store } = setUp();
    await rig.ready();
    const lines = () =>
      store.page({ filter: { minLevel: 'info', sources: null, text: 'recovery: ' }, before: null, limit: 5 })
        .lines;
    rig.simulator.queueScenario('cut_before_acknowledgement');
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
    await rig.until(() => lines().length === 1, 'what recovery found');
    expect(lines()[0]).toMatchObject({ level: 'info' });
  });

  it('has a warning where a terminal without records leaves it to a person', async () => {
    const { rig, store } = setUp(dialects['no-records']);
    await rig.ready();
    const filter = { minLevel: 'warn' as const, sources: null, text: 'recovery: needs_decision' };
    rig.tap.loseToTerminal = once(is('0601'));
    await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
    const calls = () => store.page({ filter, before: null, limit: 1 }).lines;
    await rig.until(() => calls().length > 0, 'a call for a person');
    expect(calls()[0]?.fields['reference']).toBe('A-1');
  });
});
