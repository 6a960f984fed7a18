/**
 * Eight terminals of five protocols on one bridge, each program a process of its own: while one customer takes long, each of
 * the seven others takes whole payments. The run over minutes is `npm run test:several`.
 */
import { describe, expect, it } from 'vitest';
import { mainTerminal } from '../../src/contract/terminal-name.ts';
import { needs } from '../support/needs.ts';
import { payBesideOne } from './run.ts';

/** For a busy machine. */
const limitMs = 300_000;
// Each program is ended with this one.
process.setMaxListeners(0);

describe.skipIf(!needs('pseudo-terminals'))('eight terminals that pay at once', () => {
  it(
    'do not wait for each other, and each ledger is what its own journal says',
    async () => {
      const { slow, wrong } = await payBesideOne(mainTerminal);
      expect(wrong).toEqual([]);
      expect(slow).toHaveLength(1);
    },
    limitMs,
  );
});
