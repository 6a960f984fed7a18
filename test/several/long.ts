/**
 * Eight terminals of five protocols that pay at once on one bridge: `npm run test:several -- --minutes 5`. Prints, for each,
 * how long its payments took beside a slow customer and without one, and what memory the bridge held; ends with 1 when a
 * ledger and its journal disagree, a terminal waited for another, or memory has grown.
 */
import { parseArgs } from 'node:util';
import { medianOf } from '../../bench/measure/spread.ts';
import { medianMs, isWithin, payForMinutes } from './run.ts';
import type { MemorySample } from './shop.ts';
import { eightTerminals } from './terminals.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    pace: { type: 'string', default: '0.2' },
  },
});
const [minutes, pace] = [Number(values.minutes), Number(values.pace)];
if (!(minutes > 0) || !(pace > 0)) {
  console.error('Usage: [--minutes N] [--pace FACTOR]; at pace 1 a usual payment takes about a second');
  process.exit(2);
}
// So that what runs is ended with this.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
// Each program is ended with this one.
process.setMaxListeners(0);

const minuteMs = 60_000;
/** The first minute is the warm-up; in the last one so much more may be in use than in the second. */
const mostGrowth = 1.1;

const { payments, slow, memory, wrong } = await payForMinutes(minutes, pace, (line) => console.log(line));

console.log(`\n${payments.length} payments and ${slow.length} slow ones, ${wrong.length} wrong`);
for (const { name } of eightTerminals) {
  const own = payments.filter(({ terminal }) => terminal === name);
  const beside = medianMs(own.filter((payment) => slow.some((one) => isWithin(payment, one))));
  const calm = medianMs(own.filter((payment) => slow.every((one) => isApart(payment, one))));
  const ratio = beside === null || calm === null ? '' : `, ${(beside / calm).toFixed(2)} of that`;
  console.log(
    `${name}: ${own.length} payments of ${milliseconds(calm)}; beside a slow one ${milliseconds(beside)}${ratio}`,
  );
}
const inUse = mediansByMinute(memory, (sample) => sample.inUse);
const resident = mediansByMinute(memory, (sample) => sample.resident);
console.log(`memory in use in each minute, MB: ${inUse.map(megabytes).join(', ')}`);
console.log(`what the process holds, MB:       ${resident.map(megabytes).join(', ')}`);
const [, second] = inUse;
const last = inUse.at(-1);
const growth = second === undefined || last === undefined ? null : last / second;
if (growth !== null) console.log(`in use in the last minute against the second: ${growth.toFixed(2)}`);
for (const words of wrong) console.log(`WRONG ${words}`);
process.exitCode = wrong.length === 0 && (growth === null || growth <= mostGrowth) ? 0 : 1;

type Timed = (typeof payments)[number];

function isApart(payment: Timed, other: Timed): boolean {
  return payment.endedMs < other.beganMs || payment.beganMs > other.endedMs;
}

function milliseconds(value: number | null): string {
  return value === null ? 'nothing' : `${Math.round(value)} ms`;
}

function mediansByMinute(
  samples: readonly MemorySample[],
  value: (sample: MemorySample) => number,
): number[] {
  const minutes = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / minuteMs));
  return [...minutes.values()].map((minute) => medianOf(minute.map(value)));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
