/**
 * `npm run office:load [-- --shops N --payments M --offices K --senders S --samples N --minutes T]`: a day of a chain of
 * shops goes up to the head office, and all of it is checked. `-- --growth [--sizes 1000000,10000000 --minutes T --spare-gb G]`:
 * what each question costs as the payments become more. Needs PostgreSQL. Both end by themselves and leave nothing behind.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { growth } from './office/growth.ts';
import { load } from './office/load.ts';
import { withBench } from './world/bench.ts';

const { values } = parseArgs({
  options: {
    growth: { type: 'boolean', default: false },
    shops: { type: 'string', default: '1000' },
    payments: { type: 'string', default: '1000000' },
    offices: { type: 'string', default: '2' },
    senders: { type: 'string', default: '16' },
    samples: { type: 'string', default: '3000' },
    minutes: { type: 'string', default: '20' },
    sizes: { type: 'string', default: '1000000,10000000,100000000' },
    'spare-gb': { type: 'string', default: '20' },
  },
});

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const startedMs = performance.now();
const say = (text: string) =>
  console.error(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5)} s  ${text}`);
console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${os.availableParallelism()} cores\n`,
);
const report = await withBench(say, (bench) =>
  values.growth
    ? growth(bench, {
        sizes: values.sizes.split(',').map((size) => numberOf('sizes', size)),
        minutes: numberOf('minutes', values.minutes),
        spareBytes: numberOf('spare-gb', values['spare-gb']) * 1e9,
      })
    : load(bench, {
        shops: numberOf('shops', values.shops),
        payments: numberOf('payments', values.payments),
        offices: numberOf('offices', values.offices),
        senders: numberOf('senders', values.senders),
        samples: numberOf('samples', values.samples),
        minutes: numberOf('minutes', values.minutes),
      }),
);
console.log(report.join('\n'));

function numberOf(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${flag} takes a whole number above 0, not "${text}".`);
  process.exit(2);
}
