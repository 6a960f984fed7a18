/**
 * `npm run simulate:reconcile`: shops of a year, with mistakes planted in what their acquirers pay, and how much of what is
 * said of their money is right. `docs/reconcile.md` explains it.
 */
import { parseArgs } from 'node:util';
import { judge, type Judgement } from './judge.ts';
import { makeShop } from './world.ts';

const { values } = parseArgs({
  options: {
    shops: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    years: { type: 'string', default: '10' },
    show: { type: 'boolean', default: false },
  },
});
/** Looked at four times a year: what is not there yet must not be made up either. */
const looks = ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31'];
const maxShown = 20;

const counts = new Map<string, Record<Judgement['kind'], number>>();
const unclearBy = new Map<string, { unclear: number; all: number }>();
let wrong = 0;
const seeds = Array.from({ length: Number(values.shops) }, (_, at) => Number(values.seed) * 1_000_003 + at);
for (const seed of seeds) {
  const shop = makeShop(seed);
  for (const today of looks) {
    for (const { kind, said, mistake, text } of judge(shop, today)) {
      if (kind === 'wrong') {
        wrong += 1;
        if (wrong <= maxShown) console.log(`seed ${seed}, ${today}: ${text}`);
      }
      if (values.show) console.log(`${today} ${kind}: ${text}`);
      if (today !== looks.at(-1)) continue;
      const row = counts.get(said) ?? { right: 0, wrong: 0, unclear: 0 };
      row[kind] += 1;
      counts.set(said, row);
      const planted = unclearBy.get(mistake) ?? { unclear: 0, all: 0 };
      planted.all += 1;
      if (kind === 'unclear') planted.unclear += 1;
      unclearBy.set(mistake, planted);
    }
  }
}

const number = (count: number) => count.toLocaleString('en');
const rows = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
console.log('\n| what is said at the end of the year | right | wrong | unclear |\n|---|---|---|---|');
for (const [said, row] of rows)
  console.log(`| ${said} | ${number(row.right)} | ${number(row.wrong)} | ${number(row.unclear)} |`);
console.log('\n| what really happened | batches | of these unclear |\n|---|---|---|');
for (const [mistake, { unclear, all }] of [...unclearBy].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  console.log(
    `| ${mistake} | ${number(all)} | ${number(unclear)} (${((unclear * 100) / all).toFixed(1)} %) |`,
  );
console.log(
  `\n${number(seeds.length)} shops of a year, seed ${values.seed}, looked at ${looks.length} times: ${number(wrong)} wrong.`,
);

const years = Number(values.years);
const long = makeShop(Number(values.seed), years);
// The processor's time: the machine may do other things, too.
const began = process.cpuUsage();
judge(long, long.lastDay);
const elapsedMs = process.cpuUsage(began).user / 1_000;
console.log(
  `${years} years of one shop (${number(long.batches.length)} batches, ${number(long.entries.length)} entries): ${elapsedMs.toFixed(0)} ms of one processor.`,
);
process.exitCode = wrong === 0 ? 0 : 1;
