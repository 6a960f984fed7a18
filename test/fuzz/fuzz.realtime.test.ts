/** A bounded number of damaged inputs at every entrance; `npm run fuzz` plays any number. */
import { describe, expect, it } from 'vitest';
import { playChunk } from './play.ts';
import { targets } from './targets/index.ts';

const seed = 2026;

describe('damaged input', () => {
  it.each(targets)('$name: $rule', async (target) => {
    const session = await target.open();
    try {
      const { findings, tries } = await playChunk(target, session, {
        seed,
        chunk: 0,
        tries: target.triesInTests,
      });
      const inputs = findings.map(({ input, error }) => `${error}\n  ${Buffer.from(input).toString('hex')}`);
      expect(inputs.join('\n\n')).toBe('');
      expect(tries).toBe(target.triesInTests);
    } finally {
      await session.close();
    }
  });

  it('is the same for the same seed', async () => {
    const [target] = targets;
    if (target === undefined) throw new Error('There is no target.');
    const play = async (chunk: number) => {
      const seen: string[] = [];
      const session = {
        play(input: Uint8Array) {
          seen.push(Buffer.from(input).toString('hex'));
          return `${input.length} bytes`;
        },
        close() {},
      };
      await playChunk(target, session, { seed, chunk, tries: 200 });
      return seen;
    };
    expect(await play(1)).toEqual(await play(1));
    expect(await play(1)).not.toEqual(await play(2));
  });

  it('is found: an input that breaks the rule comes back with its error', async () => {
    const [target] = targets;
    if (target === undefined) throw new Error('There is no target.');
    const session = {
      play(input: Uint8Array): string {
        if (input.length > 9) throw new Error(`${input.length} bytes are too many`);
        return 'taken';
      },
      close() {},
    };
    const { findings } = await playChunk(target, session, { seed, chunk: 0, tries: 1_000 });
    expect(findings[0]?.error).toMatch(/bytes are too many/);
    expect(findings[0]?.input.length).toBeGreaterThan(9);
  });
});
