/**
 * The whole matrix: `npm run test:matrix -- --protocol ecr17 --jobs 4`. Each command over each protocol and each of its
 * transports, with the cable pulled at each piece of bytes. Prints a line for each lane and the figures of each row; ends with
 * 1 when bridge and ledger disagree anywhere, or something was left to a person without a good reason.
 */
import { parseArgs } from 'node:util';
import { commandsOf, runLane, type CommandName, type LaneReport } from './lane.ts';
import { chooseRows, rowNames, type Row } from '../support/protocol-rows.ts';
import type { Fate } from './pieces.ts';

const { values } = parseArgs({
  options: {
    protocol: { type: 'string', default: 'all' },
    transport: { type: 'string', default: 'all' },
    jobs: { type: 'string', default: '4' },
  },
});
const jobs = Number(values.jobs);
const chosen = chooseRows(values.protocol, values.transport);
if (!Number.isInteger(jobs) || jobs < 1 || chosen.length === 0) {
  console.error(`Usage: [--protocol NAME] [--transport NAME] [--jobs N]; there are: ${rowNames}`);
  process.exit(2);
}
// So that what runs is ended with this.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
// Each program is ended with this one.
process.setMaxListeners(0);

interface Job {
  row: Row;
  command: CommandName;
  fate: Fate;
}
const lanes: Job[] = chosen.flatMap((row) =>
  commandsOf(row).flatMap((command) => (['lose', 'pass'] as const).map((fate) => ({ row, command, fate }))),
);
const done: (Job & { report: LaneReport })[] = [];

async function work(): Promise<void> {
  for (let job = lanes.shift(); job !== undefined; job = lanes.shift()) {
    const { row, command, fate } = job;
    const report = await runLane(row, command, fate);
    done.push({ ...job, report });
    console.log(`${row.name}, ${command}, ${fate}: ${figures([report])}`);
    for (const wrong of report.wrong) console.log(`   WRONG ${wrong}`);
  }
}

function figures(reports: readonly LaneReport[]): string {
  const outcomes: Record<string, number> = {};
  for (const report of reports)
    for (const [end, count] of Object.entries(report.outcomes)) outcomes[end] = (outcomes[end] ?? 0) + count;
  const sum = (of: (report: LaneReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  const ends = Object.entries(outcomes).map(([end, count]) => `${count} ${end}`);
  return `${sum(({ pulled }) => pulled)} pulled (${ends.join(', ')}), ${sum(({ wrong }) => wrong.length)} wrong`;
}

await Promise.all(Array.from({ length: jobs }, work));
console.log('');
for (const row of chosen)
  console.log(`${row.name}: ${figures(done.filter((one) => one.row === row).map(({ report }) => report))}`);
process.exitCode = done.every(({ report }) => report.wrong.length === 0) ? 0 : 1;
