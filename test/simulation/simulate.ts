/**
 * `npm run simulate`: any number of payments in simulated shops, and the proof that none of them is called by a wrong
 * name. `docs/reliability.md` explains it.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JobMessage, JobShare } from './job.ts';
import { openAttachedOffice } from './office/index.ts';
import { keepOnly, numbersOf, tills } from './plan.ts';
import type { RunReport } from './play-run.ts';
import { doubtsIn, tablesOf } from './report.ts';
import { protocolNames } from './protocols/index.ts';
import { runPlan } from './run.ts';
import { planOf, runsFor } from './seeds.ts';
import { shrink } from './shrink.ts';

const { values } = parseArgs({
  options: {
    protocol: { type: 'string', default: 'zvt' },
    till: { type: 'string', default: 'own' },
    payments: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    run: { type: 'string' },
    office: { type: 'boolean', default: false },
    keep: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    report: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const usage = `npm run simulate -- [--protocol NAME] [--till KIND] [--payments N] [--seed S] [--jobs J] [--office] [--report FILE]
npm run simulate -- [--protocol NAME] [--till KIND] --run RUN [--keep 3,3.1,7] [--office] [--shrink]

  --protocol  ${protocolNames.join(', ')}, or all: one after the other (zvt)
  --till      own: a POS that speaks HTTP by itself; client: one with tillbridge/pos, over a bad network (own)
  --payments  how many payments of each, in as many shops as it takes (2000)
  --seed      the same seed plays the same runs (1)
  --jobs      how many processes play (one for each processor)
  --office    attaches a head office to each shop, which has to agree with it in the end
  --report    puts the tables between the marks of this file
  --run       plays one run again and tells everything that happens
  --keep      plays only these steps of it
  --shrink    finds fewer steps that break the same rule`;

/** What a killed bridge still hoped for when it died comes to nothing, and nobody hears of it. */
process.on('unhandledRejection', () => {});
/** The most failing runs that are shown. */
const maxShown = 20;
const till = tills.find((kind) => kind === values.till) ?? stop(`There is no till ${values.till}.`);
const barWidth = 30;
/** Where nobody watches, one line for so many runs. */
const lineEvery = 0.1;
/** A shop's things live for some milliseconds: in a larger nursery most of them are gone before they are looked at. */
const roomForTheYoung = '--max-semi-space-size=32';
const atWork = new Set<ChildProcess>();
/** The simulation ends with the first job that dies: what it would have found nobody knows. */
const firstDeath = Promise.withResolvers<{ run: number; how: string }>();

if (values.help) console.log(usage);
else {
  const played = values.protocol === 'all' ? protocolNames : [values.protocol];
  for (const name of played) if (!protocolNames.includes(name)) stop(`There is no protocol ${name}.`);
  let failed = 0;
  for (const name of played) {
    const { run } = values;
    failed += run === undefined ? await playMany(name) : await playOne(name, wholeNumber('run', run));
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

async function playMany(protocol: string): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  const wanted = wholeNumber('payments', values.payments);
  const jobs = Math.max(1, wholeNumber('jobs', values.jobs));
  const runs = runsFor(protocol, seed, wanted);
  const counts = new Map<string, number>();
  const failed: RunReport[] = [];
  const began = performance.now();
  let payments = 0;
  let played = 0;
  let virtualMs = 0;

  const take = (report: RunReport) => {
    payments += report.payments;
    played += 1;
    virtualMs += report.elapsedMs;
    for (const [name, count] of report.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    if (report.findings.length > 0) {
      failed.push(report);
      // At once: nobody has to wait for the end of a long simulation to look into the first.
      if (failed.length <= maxShown) showFailure(protocol, report);
    }
    showProgress(played, runs.length, payments, failed.length, began);
  };
  const shares = Array.from({ length: Math.min(jobs, runs.length) }, (_, job) =>
    runs.filter((_run, index) => index % jobs === job),
  );
  const gone = await Promise.race([
    Promise.all(
      shares.map((share) => playShare({ protocol, till, office: values.office, runs: share }, take)),
    ).then(() => null),
    firstDeath.promise,
  ]);
  if (gone !== null) {
    for (const job of atWork) job.kill();
    console.error(`\nA job ended with ${gone.how} in this run:\n  ${again(protocol, gone.run)}`);
    return 1;
  }

  const seconds = (performance.now() - began) / 1_000;
  const perCore = payments / seconds / shares.length;
  console.log(tablesOf(counts));
  const doubts = doubtsIn(counts);
  const summary =
    `${protocol}: ${payments.toLocaleString('en')} payments in ${runs.length.toLocaleString('en')} shops and ` +
    `${(virtualMs / 3_600_000).toFixed(0)} hours of their time, seed ${seed}: ` +
    (failed.length === 0
      ? 'no finding.'
      : `${failed.length} ${failed.length === 1 ? 'run' : 'runs'} with findings.`) +
    ` A person was called ${((doubts * 1_000) / payments).toFixed(1)} times for a thousand payments.`;
  const speed = `${seconds.toFixed(1)} s, ${perCore.toFixed(0)} payments a second and process (${shares.length}).`;
  console.log(`\n${summary}\n${speed}`);
  if (values.report !== undefined) writeReport(values.report, protocol, `${summary}\n\n${tablesOf(counts)}`);
  return failed.length === 0 ? 0 : 1;
}

function playShare(share: JobShare, take: (report: RunReport) => void): Promise<void> {
  return new Promise((resolve) => {
    const job = fork(join(import.meta.dirname, 'job.ts'), { execArgv: [roomForTheYoung] });
    atWork.add(job);
    let left = share.runs.length;
    let current = share.runs[0];
    job.on('message', (message: JobMessage) => {
      if (message.kind === 'begins') {
        current = message.run;
        return;
      }
      left -= 1;
      take(message.report);
    });
    job.on('exit', (code, signal) => {
      atWork.delete(job);
      if (left === 0) resolve();
      else firstDeath.resolve({ run: current ?? 0, how: String(signal ?? code) });
    });
    job.send(share);
  });
}

async function playOne(protocol: string, run: number): Promise<number> {
  const whole = planOf(protocol, run, till);
  const keep = new Set(values.keep?.split(',') ?? numbersOf(whole));
  const plan = keepOnly(whole, keep);
  if (values.shrink) {
    const [first] = (await runPlan(plan)).findings;
    if (first === undefined) {
      console.log('This run breaks no rule.');
      return 0;
    }
    console.log(`${first.rule}: ${first.text}`);
    const needed = await shrink(plan, first.rule, (text) => console.error(text));
    console.log(`\n${again(protocol, run)} --keep ${needed.join(',')}`);
    return 1;
  }
  const { entries: _, ...shop } = plan;
  console.log(JSON.stringify(shop));
  const office = values.office ? await openAttachedOffice() : null;
  const { findings } = await runPlan(plan, (line) => console.log(line), office?.attach);
  await office?.close();
  return findings.length === 0 ? 0 : 1;
}

function again(protocol: string, run: number): string {
  const kind = (till === 'own' ? '' : ` --till ${till}`) + (values.office ? ' --office' : '');
  return `npm run simulate -- --protocol ${protocol}${kind} --run ${run}`;
}

function showFailure(protocol: string, { run, findings }: RunReport): void {
  console.log(`\n${again(protocol, run)}`);
  const told = new Set<string>();
  for (const { rule, text } of findings) {
    if (told.has(rule)) continue;
    told.add(rule);
    console.log(`  ${rule}: ${text}`);
  }
}

function showProgress(played: number, all: number, payments: number, failed: number, began: number): void {
  const share = played / all;
  const seconds = (performance.now() - began) / 1_000;
  const left = (seconds / share) * (1 - share);
  const done = Math.round(share * barWidth);
  const bar = '█'.repeat(done) + '░'.repeat(barWidth - done);
  const text =
    `${bar} ${(share * 100).toFixed(1).padStart(5)} %  ${payments.toLocaleString('en')} payments, ` +
    `${(payments / seconds).toFixed(0)}/s, ${failed} with findings, ${left.toFixed(0)} s left`;
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K${played === all ? '\n' : ''}`);
  else if (Math.floor(share / lineEvery) > Math.floor((played - 1) / all / lineEvery)) console.error(text);
}

function writeReport(file: string, protocol: string, text: string): void {
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- simulation ${protocol}: begin -->`, `<!-- simulation ${protocol}: end -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${file} has no ${begin} … ${end}`);
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  return stop(`--${name} must be a whole number.`);
}

function stop(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}
