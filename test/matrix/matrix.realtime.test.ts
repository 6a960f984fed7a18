/**
 * Bridge and simulated terminal as two processes, one pair for each protocol: the commands as they are, and a sale with the
 * cable pulled in its middle. The whole matrix is `npm run test:matrix`.
 */
import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { runEach } from './lane.ts';
import { rows } from '../support/protocol-rows.ts';

/** For a busy machine. */
const limitMs = 300_000;
/** Behind the request: what is lost is an answer to it. */
const lostPiece = 3;

const oneAccident = { pulled: 1, wrong: [] };

const network = rows.filter(({ short, transport }) => short && transport !== 'serial');
const serial = rows.filter(({ short, transport }) => short && transport === 'serial');

describe('what the POS hears is what the terminal’s ledger says', () => {
  it.concurrent.each(network)(
    '$name',
    async (row) => {
      expect(await runEach(row, lostPiece)).toMatchObject(oneAccident);
    },
    limitMs,
  );
  describe.skipIf(!needs('pseudo-terminals'))('on a serial line', () => {
    it.concurrent.each(serial)(
      '$name',
      async (row) => {
        expect(await runEach(row, lostPiece)).toMatchObject(oneAccident);
      },
      limitMs,
    );
  });
});
