/** The examination finds what is wrong with each bad POS, and nothing with the good ones. */
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { isPassed, sceneNames, type SceneName } from '../../src/examine/index.ts';
import { examined } from './examine-kit.ts';
import {
  beginsAnew,
  givesUp,
  good,
  hammering,
  listening,
  malformed,
  oneReference,
  otherAmount,
  ownClient,
  polling,
  reverses,
  triesAgain,
  trusting,
  type PosProgram,
} from './pos-programs.ts';

describe('a POS that follows the guide', () => {
  it.each([
    ['waits for the answer', good, 'refused'],
    ['polls', polling, ''],
    ['listens to events', listening, 'refused'],
    ['is made with our own client', ownClient, 'not_started'],
  ])('passes every scene: one that %s', async (_name, program, refused) => {
    const { results, shown } = await examined(program, sceneNames);
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(results.map(({ end }) => end)).toEqual(sceneNames.map(() => 'quiet'));
    const asShown = Object.fromEntries(results.map(({ scene }, index) => [scene.name, shown[index]]));
    expect(asShown).toEqual({
      approved: 'approved',
      slow: 'approved',
      lost: 'approved',
      repeated: 'approved',
      unknown: 'approved',
      'in-doubt': 'failed',
      busy: refused,
      restart: 'approved',
      declined: 'declined',
      cancelled: 'cancelled',
      amount: 'approved',
    });
  });

  it('loses the connection of its request where the scene says so', async () => {
    const { results } = await examined(good, ['lost', 'repeated', 'restart']);
    expect(results.map(({ calls }) => calls.map(({ end }) => end))).toEqual([
      ['lost', 'lost', 'answered'],
      ['lost', 'answered'],
      ['lost', 'answered'],
    ]);
    const [, repeated] = results[1]?.calls ?? [];
    expect(repeated?.answer?.body).toMatchObject({ transaction_status: 'approved', repeated: true });
  });

  it('is charged once in each scene that ends with money, and for half of it where the terminal says so', async () => {
    const { results } = await examined(good, sceneNames);
    const charged = results.map(({ scene, attempts }) => [
      scene.name,
      attempts.map(({ chargedMinor }) => chargedMinor),
    ]);
    expect(Object.fromEntries(charged)).toEqual({
      approved: [1_200],
      slow: [1_200],
      lost: [1_200],
      repeated: [1_200],
      unknown: [1_200],
      'in-doubt': [null],
      busy: [null],
      restart: [1_200],
      declined: [null],
      cancelled: [null],
      amount: [600],
    });
  });
});

describe('a POS with a way of its own', () => {
  it('passes where it tries again until the terminal is free, and is charged once', async () => {
    const { results, shown } = await examined(triesAgain, ['busy']);
    expect(results.map(({ findings, end }) => [findings, end])).toEqual([[[], 'quiet']]);
    expect(shown).toEqual(['approved']);
    expect(results[0]?.attempts.map(({ chargedMinor }) => chargedMinor)).toEqual([1_200]);
  });

  it('passes where it reverses what it had no answer about, and is not charged', async () => {
    const { results, shown } = await examined(reverses, ['lost']);
    expect(results.map(({ findings, end }) => [findings, end])).toEqual([[[], 'quiet']]);
    expect(shown).toEqual(['voided']);
    expect(results[0]?.attempts.map(({ chargedMinor }) => chargedMinor)).toEqual([null]);
  });
});

describe('a bad POS', () => {
  /** What is found in each scene in which anything is. */
  async function findingsOf(program: Parameters<typeof examined>[0], scenes: readonly SceneName[]) {
    const { results } = await examined(program, scenes);
    return Object.fromEntries(
      results
        .filter(({ findings }) => findings.length > 0)
        .map(({ scene, findings }) => [scene.name, findings.map(({ kind }) => kind)]),
    );
  }

  it('that begins anew after silence is named, with what the customer paid', async () => {
    const { results } = await examined(beginsAnew, ['approved', 'lost', 'slow']);
    expect(results.map(({ findings }) => findings.map(({ kind }) => kind))).toEqual([
      [],
      ['new_reference', 'new_reference'],
      ['new_reference'],
    ]);
    expect(results[1]?.findings[0]?.text).toBe(
      'A new reference after silence: "T-3" was sent 3.0 s after "T-2", whose outcome the POS did not know. ' +
        'The customer has paid both: 12.00 EUR and 12.00 EUR.',
    );
  });

  it('that takes success for "paid" is named wherever the outcome comes later', async () => {
    expect(await findingsOf(trusting, sceneNames)).toEqual({
      approved: ['approved_assumed'],
      slow: ['approved_assumed'],
      lost: ['no_query'],
      repeated: ['no_query'],
      unknown: ['approved_assumed'],
      'in-doubt': ['approved_assumed'],
      restart: ['approved_assumed'],
      declined: ['approved_assumed'],
      cancelled: ['approved_assumed'],
      amount: ['approved_assumed'],
    });
  });

  it('that takes a time-out for "not paid" is named', async () => {
    expect(await findingsOf(givesUp, ['approved', 'slow', 'lost', 'declined', 'unknown'])).toEqual({
      slow: ['no_query'],
      lost: ['no_query'],
      unknown: ['approved_assumed'],
    });
  });

  it('that asks without a pause is named', async () => {
    expect(await findingsOf(hammering, ['busy', 'approved'])).toEqual({
      approved: ['hammering'],
    });
  });

  it('that changes the amount under its reference is named', async () => {
    expect(await findingsOf(otherAmount, ['approved', 'lost'])).toEqual({
      lost: ['other_amount', 'not_finished'],
    });
  });

  it('whose requests no bridge takes is named', async () => {
    const { results } = await examined(malformed, ['approved']);
    expect(results[0]?.findings).toEqual([
      expect.objectContaining({ kind: 'refused_request', text: expect.stringContaining('amount') as string }),
    ]);
  });

  it('that uses one reference for every payment is named', async () => {
    expect(await findingsOf(oneReference, ['approved', 'declined'])).toEqual({
      declined: ['reference_reused'],
    });
  });
});

it('does not wait for ever for somebody who pays', async () => {
  const { results } = await examined(null, ['approved', 'busy']);
  expect(results.map(({ end, findings }) => [end, findings])).toEqual([
    ['nobody', []],
    ['nobody', []],
  ]);
  expect(isPassed(results)).toBe(false);
});

it('ends when another program has taken the port while the bridge was away', async () => {
  const other = createServer();
  try {
    const takesThePort: PosProgram = async (parts) => {
      const shown = polling(parts);
      await pause(parts.clock, 5_000);
      await new Promise<void>((resolve) => other.listen(parts.port, '127.0.0.1', resolve));
      return await Promise.race([shown, pause(parts.clock, 10_000).then(() => 'no bridge')]);
    };
    await expect(examined(takesThePort, ['restart'])).rejects.toThrow('is used by another program');
  } finally {
    other.close();
  }
});
