/** Plays runs until a rule is broken: started in a copy of the source that has a defect. Prints one line of JSON. */
import { playRun } from '../play-run.ts';
import { tills } from '../plan.ts';
import { runsFor } from '../seeds.ts';

const [protocol = 'zvt', kind = 'own', seed = '1', most = '20000'] = process.argv.slice(2);
const till = tills.find((one) => one === kind);
let payments = 0;
let found = null;
let runs = 0;
for (const run of runsFor(protocol, Number(seed), Number(most))) {
  const report = await playRun(protocol, run, till);
  payments += report.payments;
  runs += 1;
  const [finding] = report.findings;
  if (finding === undefined) continue;
  found = { run, ...finding };
  break;
}
console.log(JSON.stringify({ payments, runs, found }));
