/** Simulated shops with everything that goes wrong in them, and a bad network to their head office: it agrees in the end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playRun } from '../simulation/play-run.ts';
import { openAttachedOffice, type AttachedOffice } from '../simulation/office/index.ts';
import { runsFor } from '../simulation/seeds.ts';

const payments = 250;
/** Long for a busy machine. */
const longestMs = 600_000;

describe('simulated shops and their head office', () => {
  let office: AttachedOffice;
  beforeAll(async () => {
    office = await openAttachedOffice();
  }, longestMs);
  afterAll(() => office.close());

  test.each([
    ['zvt', 39],
    ['kpay', 3],
  ])(
    'agree on everything after each run, with %s',
    async (protocol, seed) => {
      const failed: string[] = [];
      let wentBack = 0;
      for (const run of runsFor(protocol, seed, payments)) {
        const { findings, counts } = await playRun(protocol, run, 'own', office.attach);
        wentBack += new Map(counts).get('journal put back') ?? 0;
        for (const { rule, text } of findings) {
          failed.push(`${rule}: ${text}\n  npm run simulate -- --protocol ${protocol} --run ${run} --office`);
        }
      }
      expect(failed.join('\n')).toBe('');
      // Without a journal that was put back the test would show little.
      expect(wentBack).toBeGreaterThan(0);
    },
    longestMs,
  );
});
