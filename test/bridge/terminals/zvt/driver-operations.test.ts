/** What holds for each operation that moves money, whichever it is. */
import { describe, expect, it } from 'vitest';
import type { OperationAnswer } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { settle } from '../../../support/virtual-clock.ts';
import { positive } from '../../../support/zvt-scripted-terminal.ts';
import {
  aborted,
  completion,
  createReadyKit,
  insertCard,
  startBatch,
  startSale,
  startVoid,
  status,
  type Kit,
} from './driver-kit.ts';

interface Operation {
  name: string;
  start(kit: Kit): Promise<OperationAnswer>;
  ctrl: string;
  /** Its refusal at once, and what the reason says of it. */
  refusal: string;
  reason: RegExp;
  /** The result that approves it. */
  approval: string;
  /** What the terminal then says of it when the result was refused. */
  end: string;
  /** What the terminal says before the completion, in order. */
  steps: string[];
}

const reversed = status({ original: '000471', trace: '000472', receipt: '0472' });
const totals = status({ totals: true, trace: '000472' });

const operations: Operation[] = [
  {
    name: 'a sale',
    start: startSale,
    ctrl: '0601',
    refusal: '846b00',
    reason: /not registered/,
    approval: status(),
    end: aborted,
    steps: [positive, insertCard, status({ code: '37' }), status(), '06d1024041'],
  },
  {
    name: 'a void',
    start: startVoid,
    ctrl: '0630',
    refusal: '843700',
    reason: /password/,
    approval: reversed,
    end: aborted,
    steps: [positive, reversed],
  },
  {
    name: 'a batch close',
    start: startBatch,
    ctrl: '0650',
    refusal: '847700',
    reason: /End of day not possible/,
    approval: totals,
    end: completion,
    steps: [positive, totals],
  },
];

describe.each(operations)('$name', ({ start, ctrl, refusal, reason, approval, end, steps }) => {
  it('refused at once never started, and the reason is named', async () => {
    const kit = await createReadyKit();
    const answer = start(kit);
    await kit.terminal.expect(ctrl);
    kit.terminal.send(refusal);
    expect(await answer).toEqual({
      kind: 'not_started',
      refusedByTerminal: true,
      reason: expect.stringMatching(reason),
    });
    expect(kit.terminal.moneyCommands).toEqual([ctrl]);
  });

  it('never started when the line was closed before its first byte', async () => {
    const kit = await createReadyKit();
    kit.terminal.failWrites = true;
    expect(await start(kit)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
    expect(kit.terminal.moneyCommands).toEqual([]);
  });

  it.each([
    ['answer', true],
    ['ACK', false],
  ])('whose %s is lost goes out once, and is unknown', async (_, acknowledges) => {
    const kit = await createReadyKit();
    kit.terminal.acknowledges = acknowledges;
    const answer = start(kit);
    await kit.clock.advance(30_000);
    expect(await answer).toMatchObject({ kind: 'unknown' });
    expect(kit.terminal.moneyCommands).toEqual([ctrl]);
  });

  it('whose result cannot be written is not acknowledged, and is unknown', async () => {
    const kit = await createReadyKit();
    kit.disk.writable = false;
    const answer = start(kit);
    await kit.terminal.serve(ctrl);
    await kit.terminal.tell(approval, '846c00');
    await kit.terminal.tell(end);
    expect(await answer).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/disk/) });
    expect(kit.disk.results).toEqual([]);
  });

  it('is unknown when the line is cut at any step before the completion', async () => {
    for (let count = 0; count <= steps.length; count += 1) {
      const kit = await createReadyKit();
      const answer = start(kit);
      await kit.terminal.expect(ctrl);
      for (const step of steps.slice(0, count)) {
        if (step === positive) kit.terminal.send(step);
        else await kit.terminal.tell(step);
      }
      await settle();
      await kit.terminal.cut();
      expect(await answer).toMatchObject({ kind: 'unknown' });
      expect(kit.terminal.moneyCommands).toEqual([ctrl]);
      expect(kit.clock.waiting).toBe(0);
    }
  });
});
