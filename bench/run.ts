/**
 * `npm run bench [-- --only NAME[,NAME]] [--json FILE] [--payments N]`: what Tillbridge costs beside the bare thing. Every ratio is
 * taken from pairs that were measured in turn in this one run; times of different runs or machines mean nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Comparison } from './measure/comparison.ts';
import { tableOf } from './measure/table.ts';
import { attachedOfficeSection } from './sections/attached-office.ts';
import { consoleLiveSection } from './sections/console-live.ts';
import { consoleLogSection } from './sections/console-log.ts';

import { createSection } from './sections/create.ts';
import { crowdSection } from './sections/crowd.ts';
import { journalSection } from './sections/journal.ts';
import { librarySection } from './sections/library.ts';
import { memorySection } from './sections/memory.ts';
import { officeSection } from './sections/office.ts';
import { paymentSection } from './sections/payment.ts';
import { querySection } from './sections/query.ts';
import type { Section } from './sections/section.ts';
import { severalSection } from './sections/several.ts';
import { startSection } from './sections/start.ts';
import { terminalFloodSection } from './sections/terminal-flood.ts';
import { withBench } from './world/bench.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    /** How many payments the large journal has. */
    payments: { type: 'string', default: '10000000' },
  },
});

const sections: readonly Section[] = [
  querySection,
  createSection,
  paymentSection,
  journalSection(Number(values.payments)),
  startSection,
  memorySection,
  consoleLogSection,
  consoleLiveSection,
  crowdSection,
  terminalFloodSection,
  severalSection,
  librarySection,
  officeSection,
  attachedOfficeSection,
];

interface Result {
  section: string;
  title: string;
  /** Why there are no figures. */
  skipped: string | null;
  comparisons: Comparison[];
}

// Ends the processes and folders of a run that is broken off: each of them listens for the end of this process.
process.setMaxListeners(100);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

// What the bridges of the benchmark compile is of no use to anybody else's.
const cache = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-bench-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));
process.env['XDG_CACHE_HOME'] = cache;

const wanted = chosen(values.only);
const machine = {
  node: process.version,
  system: `${process.platform} ${process.arch}`,
  cores: os.availableParallelism(),
};
const startedMs = performance.now();
const results: Result[] = [];

console.log(`Node ${machine.node}, ${machine.system}, ${machine.cores} cores\n`);
for (const section of wanted) {
  const say = (text: string) => console.error(`${elapsed()}  ${section.name}: ${text}`);
  const measured = await withBench(say, (bench) => section.measure(bench));
  const skipped = typeof measured === 'string' ? measured : null;
  const comparisons = typeof measured === 'string' ? [] : measured;
  results.push({ section: section.name, title: section.title, skipped, comparisons });
  console.log(
    skipped === null ? tableOf(section, comparisons) : `${section.title}\n\nNOT MEASURED: ${skipped}`,
  );
  console.log('');
}
console.log(`Ratios and times are medians; the lowest and highest ratio stand beside. ${elapsed()} in all.`);
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine, results }, null, 2)}\n`);
}

function chosen(only: string | undefined): readonly Section[] {
  if (only === undefined) return sections;
  const names = only.split(',');
  const unknown = names.filter((name) => !sections.some((section) => section.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no section ${unknown.join(', ')}. There are: ${sections.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  return sections.filter(({ name }) => names.includes(name));
}

function elapsed(): string {
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toString().padStart(2, '0')}`;
}
