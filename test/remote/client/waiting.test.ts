import { describe, expect, it } from 'vitest';
import { createSkippingClock } from '../skipping-clock.ts';
import { deadlineMs, failureOf, holderIntent, intentId, rig } from './client-rig.ts';

const moving = () => createSkippingClock((delayMs) => delayMs >= deadlineMs, { moves: true });

describe('waitFor', () => {
  it.each(['completed', 'failed', 'pending-requirements', 'pending-confirmation'])(
    'gives the intent once the service no longer moves it: %s',
    async (end) => {
      const stages = ['pending-approval', 'pending-approval', 'pending-completion', end];
      const clock = moving();
      const { client, server } = await rig((_request, index) => holderIntent({ life_cycle: stages[index] }), {
        clock,
      });
      const intent = await client.accountHolderCreationIntents.waitFor({ id: intentId });
      expect(intent.life_cycle).toBe(end);
      expect(server.heard.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
      expect(clock.pauses).toEqual([250, 500, 1_000]);
    },
  );

  it('ends with its time, and says where the intent was', async () => {
    const clock = moving();
    const { client } = await rig(() => holderIntent({ life_cycle: 'pending-approval' }), { clock });
    const error = await failureOf(
      client.accountHolderCreationIntents.waitFor(intentId, { withinMs: 10_000 }),
    );
    expect(error).toMatchObject({ kind: 'timeout', outcome: 'unknown' });
    expect(error.message).toContain('pending-approval');
    expect(clock.pauses.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBe(10_000);
  });

  it('ends with the caller’s signal', async () => {
    const controller = new AbortController();
    const { client } = await rig((_request, index) => {
      if (index === 2) controller.abort();
      return holderIntent({ life_cycle: 'pending-approval' });
    });
    const waiting = client.accountHolderCreationIntents.waitFor(intentId, { signal: controller.signal });
    expect((await failureOf(waiting)).kind).toBe('aborted');
  });

  it('is there for intents alone', async () => {
    const { client } = await rig(() => holderIntent());
    expect(client.accountHolderCreationIntents).toHaveProperty('waitFor');
    expect(client.accounts).not.toHaveProperty('waitFor');
  });
});
