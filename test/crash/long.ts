/**
 * The long crash test: `npm run test:crash -- --rounds 200 --seed 7`. Prints each round and a summary; ends with 1 when
 * bridge and ledger disagree anywhere or anything was left to a person.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { crashRun, summary } from './crash-run.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    transport: { type: 'string', default: 'tcp' },
    from: { type: 'string', default: '1' },
  },
});
const { transport } = values;
const [rounds, seed, from] = [Number(values.rounds), Number(values.seed), Number(values.from)];
if (![rounds, seed, from].every(Number.isInteger) || (transport !== 'tcp' && transport !== 'pty')) {
  console.error('Usage: [--rounds N] [--seed N] [--from ROUND] [--transport tcp|pty]');
  process.exit(2);
}
// So that what runs is ended with this.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

console.log(`seed ${seed}, ${rounds} rounds over ${transport}`);
const report = await crashRun({ seed, rounds, from, transport, say: (line) => console.log(line) });
console.log(summary(report));
for (const mismatch of report.mismatches) console.log(`MISMATCH ${mismatch}`);
process.exitCode = report.mismatches.length + report.doubts.length === 0 ? 0 : 1;
