import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { rows } from '../support/protocol-rows.ts';
import { allAgreed, limitMs, shortRun } from './short-run.ts';

/** ZVT has runs of its own. */
const others = rows.filter(({ short, protocol }) => short && protocol.name !== 'zvt');
const network = others.filter(({ transport }) => transport !== 'serial');
const serial = others.filter(({ transport }) => transport === 'serial');

/** A sale in which only the bridge is killed, at the result, and is soon back. */
const run = { seed: 8_705, rounds: 1 };
const agreed = { ...allAgreed, rounds: run.rounds };

describe('kill -9 at any moment leaves bridge and terminal agreed', () => {
  it.concurrent.each(network)(
    '$name',
    async ({ name }) => {
      const { report, told } = await shortRun(name, run);
      expect(report, told).toMatchObject(agreed);
    },
    limitMs,
  );
  describe.skipIf(!needs('pseudo-terminals'))('on a serial line', () => {
    it.concurrent.each(serial)(
      '$name',
      async ({ name }) => {
        const { report, told } = await shortRun(name, run);
        expect(report, told).toMatchObject(agreed);
      },
      limitMs,
    );
  });
});
