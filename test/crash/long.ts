/**
 * The long crash test: `npm run test:crash -- --protocol all --rounds 200 --seed 7`, one protocol and transport after the
 * other. Prints each round and a summary of each; ends with 1 when bridge and ledger disagree anywhere, or something was left to a
 * person without a good reason.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { chooseRows, rowNames } from '../support/protocol-rows.ts';
import { crashRun, summary } from './crash-run.ts';

const { values } = parseArgs({
  options: {
    protocol: { type: 'string', default: 'zvt' },
    transport: { type: 'string', default: 'all' },
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    from: { type: 'string', default: '1' },
  },
});
const [rounds, seed, from] = [Number(values.rounds), Number(values.seed), Number(values.from)];
const chosen = chooseRows(values.protocol, values.transport);
if (![rounds, seed, from].every(Number.isInteger) || chosen.length === 0) {
  console.error(
    `Usage: [--protocol NAME|all] [--transport NAME] [--rounds N] [--seed N] [--from ROUND]; there are: ${rowNames}`,
  );
  process.exit(2);
}
// So that what runs is ended with this.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

let hasFault = false;
for (const row of chosen) {
  console.log(`${row.name}, seed ${seed}, ${rounds} rounds`);
  const report = await crashRun({ seed, rounds, from, row, say: (line) => console.log(line) });
  // Told at once: who ends a long run early keeps what it has shown so far.
  console.log(summary(report));
  for (const mismatch of report.mismatches) console.log(`MISMATCH ${mismatch}`);
  hasFault ||= report.mismatches.length + report.doubts.length > 0;
}
process.exitCode = hasFault ? 1 : 0;
