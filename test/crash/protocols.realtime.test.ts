import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { rows } from '../support/protocol-rows.ts';
import { allAgreed, limitMs, shortRun } from './short-run.ts';

/** ZVT has runs of its own. */
const others = rows.filter(({ short, protocol }) => short && protocol.name !== 'zvt');
const network = others.filter(({ transport }) => transport !== 'serial');
const serial = others.filter(({ transport }) => transport === 'serial');

/** A sale, a void and a close; in each only the bridge is killed, and soon back. */
const run = { seed: 3_192, rounds: 3 };

describe('kill -9 at any moment leaves bridge and terminal agreed', () => {
  const agrees = async ({ name }: { name: string }) => {
    const { report, told } = await shortRun(name, run);
    expect(report, told).toMatchObject({ ...allAgreed, rounds: run.rounds });
    expect(report.kills.bridge, told).toBeGreaterThan(0);
  };

  it.concurrent.each(network)('$name', agrees, limitMs);
  describe.skipIf(!needs('pseudo-terminals'))('on a serial line', () => {
    it.concurrent.each(serial)('$name', agrees, limitMs);
  });
});
