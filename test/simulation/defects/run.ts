/**
 * `npm run simulate:defects`: puts each deliberate defect into a copy of the source, and simulates payments there until
 * it is found. Fails when a spot for a defect is not there any more, and when one is not found.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { playRun } from '../play-run.ts';
import { defects, type Defect } from './list.ts';
import { copyWithDefect } from './plant.ts';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '60000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});
const marks = ['<!-- defects: begin -->', '<!-- defects: end -->'] as const;

interface Search {
  payments: number;
  runs: number;
  found: { run: number; rule: string; text: string } | null;
}

const wanted = defects.filter(({ name }) => values.only === undefined || name.includes(values.only));
const results = new Map<Defect, Search>();
const left = [...wanted];
await Promise.all(Array.from({ length: Number(values.jobs) }, () => work()));
const missed = wanted.filter((defect) => results.get(defect)?.found == null);
const rows = wanted.map((defect) => {
  const { payments = 0, found = null } = results.get(defect) ?? {};
  return `| ${defect.name} | ${defect.does} | ${found?.rule ?? '**not found**'} | ${payments.toLocaleString('en')} |`;
});
const table = `| defect | the bridge | found by the rule | payments |\n|---|---|---|---:|\n${rows.join('\n')}`;
console.log(`\n${table}\n`);
console.log(`${wanted.length - missed.length} of ${wanted.length} defects were found.`);
if (values.report !== undefined && missed.length === 0) writeReport(values.report);
if (missed.length > 0) process.exitCode = 1;

async function work(): Promise<void> {
  for (let defect = left.shift(); defect !== undefined; defect = left.shift()) {
    const result = await search(defect);
    results.set(defect, result);
    const { found, payments } = result;
    const how = found === null ? 'NOT FOUND' : `found: ${found.rule}: ${found.text.split('\n')[0] ?? ''}`;
    console.log(`${defect.name}: ${how} (${payments.toLocaleString('en')} payments)`);
  }
}

async function search(defect: Defect): Promise<Search> {
  const folder = copyWithDefect(defect);
  try {
    const result = await play(folder, defect);
    if (result.found !== null) await demandSound(defect, result.found.run);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same run without the defect: it must break no rule, or nothing has been shown. */
async function demandSound({ name, protocol = 'zvt', till }: Defect, run: number): Promise<void> {
  const { findings } = await playRun(protocol, run, till);
  const [finding] = findings;
  if (finding === undefined) return;
  throw new Error(
    `"${name}": run ${run} breaks a rule without the defect, too: ${finding.rule}: ${finding.text}`,
  );
}

function play(folder: string, { protocol = 'zvt', till = 'own', seed }: Defect): Promise<Search> {
  const script = join(folder, 'test/simulation/defects/search.ts');
  return new Promise((finish, fail) => {
    const child = spawn(
      process.execPath,
      [script, protocol, till, String(seed ?? values.seed), values.payments],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.on('error', fail);
    child.on('exit', () => {
      const last = output.trim().split('\n').at(-1) ?? '';
      try {
        finish(JSON.parse(last) as Search);
      } catch {
        fail(new Error(`the search in ${folder} gave no answer: ${output}`));
      }
    });
  });
}

function writeReport(file: string): void {
  const page = readFileSync(file, 'utf8');
  const [begin, end] = marks;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${file} has no ${begin} … ${end}`);
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`);
}
