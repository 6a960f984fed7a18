/** `npm run fuzz`: damaged input at every entrance, for a number of tries or of minutes. */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ChunkOrder, ChunkReport } from './job.ts';
import { corpusOf } from './play.ts';
import type { FuzzTarget } from './target.ts';
import { targets } from './targets/index.ts';

const usage = `npm run fuzz -- [--minutes N | --tries N] [--only NAME,NAME] [--seed S] [--jobs J] [--grow]
npm run fuzz -- --only NAME --input FILE
npm run fuzz -- --only NAME --seed S --chunk C

  --minutes  how long, shared by all targets (1)
  --tries    how many tries for each target, however long it takes
  --only     only these: ${targets.map(({ name }) => name).join(', ')}
  --seed     the same seed makes the same inputs (1)
  --jobs     how many processes play (one for each processor)
  --grow     puts inputs with new outcomes into test/fuzz/corpus
  --input    plays one file
  --chunk    plays one chunk again, which hung or ended a process`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    tries: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    grow: { type: 'boolean', default: false },
    input: { type: 'string' },
    chunk: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** A chunk takes seconds; one that takes so long, on a machine however busy, hangs. In ms. */
const hangMs = 300_000;
const megabyte = 1_000_000;

interface Tally {
  target: FuzzTarget;
  tries: number;
  nextChunk: number;
  seconds: number;
  outcomes: Map<string, number>;
  findings: number;
  /** By process: after its first chunk, and after its last. */
  heap: Map<ChildProcess, { first: number; last: number }>;
}

const seed = wholeNumber('seed', values.seed);
const chosen = chooseTargets();
if (values.help) console.log(usage);
else if (values.input !== undefined) process.exitCode = await playInput(values.input);
else process.exitCode = await playMany();

async function playInput(file: string): Promise<number> {
  const [target] = chosen;
  if (target === undefined || chosen.length !== 1) return fail('--input needs --only with one target.');
  const session = await target.open();
  try {
    console.log(await session.play(new Uint8Array(readFileSync(file))));
    return 0;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    await session.close();
  }
}

async function playMany(): Promise<number> {
  const onlyChunk = values.chunk === undefined ? null : wholeNumber('chunk', values.chunk);
  const wanted = values.tries === undefined ? null : wholeNumber('tries', values.tries);
  const minutes = Number(values.minutes ?? '1');
  if (!(minutes > 0)) return fail('--minutes must be a number above 0.');
  const until = performance.now() + minutes * 60_000;
  const tallies = chosen.map((target): Tally => ({
    target,
    tries: 0,
    nextChunk: onlyChunk ?? 0,
    seconds: 0,
    outcomes: new Map(),
    findings: 0,
    heap: new Map(),
  }));
  const kept = mkdtempSync(path.join(tmpdir(), 'tillbridge-fuzz-'));

  /** The target that is furthest behind gets the next chunk; null when all have enough. */
  function next(): { tally: Tally; order: ChunkOrder } | null {
    const isDone = (tally: Tally) =>
      onlyChunk !== null
        ? tally.nextChunk > onlyChunk
        : wanted === null
          ? performance.now() >= until
          : tally.nextChunk * tally.target.triesInChunk >= wanted;
    const [tally] = tallies
      .filter((each) => !isDone(each))
      .toSorted((one, other) => one.seconds - other.seconds);
    if (tally === undefined) return null;
    const { name, triesInChunk } = tally.target;
    const chunk = tally.nextChunk;
    tally.nextChunk += 1;
    const tries = wanted === null ? triesInChunk : Math.min(triesInChunk, wanted - chunk * triesInChunk);
    return { tally, order: { target: name, seed, chunk, tries } };
  }

  const jobs = Math.max(1, onlyChunk === null ? wholeNumber('jobs', values.jobs) : 1);
  await Promise.all(Array.from({ length: jobs }, () => runJob(next, kept)));
  for (const tally of tallies) tell(tally);
  const findings = tallies.reduce((sum, tally) => sum + tally.findings, 0);
  console.log(`\n${findings === 0 ? 'No finding.' : `${findings} findings; their inputs are in ${kept}.`}`);
  return findings === 0 ? 0 : 1;
}

/** Plays chunks in one process until there are no more; goes on in a new one when it hangs or dies. */
async function runJob(next: () => { tally: Tally; order: ChunkOrder } | null, kept: string): Promise<void> {
  let job: ChildProcess | null = null;
  for (let work = next(); work !== null; work = next()) {
    const { tally, order } = work;
    job ??= fork(path.join(import.meta.dirname, 'job.ts'), { execArgv: ['--expose-gc'] });
    const began = performance.now();
    const report = await chunkOf(job, order);
    tally.seconds += (performance.now() - began) / 1_000;
    if (typeof report === 'string') {
      tally.findings += 1;
      console.error(
        `\n${order.target}: ${report}\n  npm run fuzz -- --only ${order.target} --seed ${seed} --chunk ${order.chunk}`,
      );
      job.kill('SIGKILL');
      job = null;
      continue;
    }
    take(tally, job, order, report, kept);
  }
  job?.send(null as never);
}

/** What came of a chunk, or in words why nothing did. */
function chunkOf(job: ChildProcess, order: ChunkOrder): Promise<ChunkReport | string> {
  return new Promise((resolve) => {
    const settle = (result: ChunkReport | string) => {
      clearTimeout(timer);
      job.off('message', onMessage).off('exit', onExit);
      resolve(result);
    };
    const onMessage = (message: unknown) => settle(message as ChunkReport);
    const onExit = (code: number | null, signal: string | null) =>
      settle(`the process ended with ${signal ?? code}`);
    const timer = setTimeout(() => settle(`a chunk hangs for ${hangMs / 1_000} s`), hangMs);
    job.on('message', onMessage).on('exit', onExit);
    job.send(order);
  });
}

function take(tally: Tally, job: ChildProcess, order: ChunkOrder, report: ChunkReport, kept: string): void {
  tally.tries += report.tries;
  const known = new Set(tally.outcomes.keys());
  for (const [outcome, count] of report.outcomes) {
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + count);
  }
  if (values.grow) grow(tally.target, report, known);
  const heap = tally.heap.get(job);
  tally.heap.set(job, { first: heap?.first ?? report.heapBytes, last: report.heapBytes });
  for (const { input, error } of report.findings) {
    tally.findings += 1;
    const bytes = Buffer.from(input, 'base64');
    const file = path.join(kept, `${order.target}-${nameOf(bytes)}`);
    writeFileSync(file, bytes);
    console.error(`\n${order.target}: ${error}\n  npm run fuzz -- --only ${order.target} --input ${file}`);
  }
}

/** New outcomes of this target become files of its corpus, for all who play it later. */
function grow(target: FuzzTarget, report: ChunkReport, known: ReadonlySet<string>): void {
  const folder = path.join(import.meta.dirname, 'corpus', target.name);
  mkdirSync(folder, { recursive: true });
  const there = new Set(corpusOf(target).map(nameOf));
  for (const [outcome, input] of report.firsts) {
    const bytes = Buffer.from(input, 'base64');
    if (known.has(outcome) || there.has(nameOf(bytes))) continue;
    writeFileSync(path.join(folder, nameOf(bytes)), bytes);
  }
}

function nameOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function tell({ target, tries, seconds, outcomes, findings, heap }: Tally): void {
  const speed = (tries / Math.max(seconds, 0.001)).toFixed(0);
  const growth = [...heap.values()].map(
    ({ first, last }) => `${(first / megabyte).toFixed(1)} → ${(last / megabyte).toFixed(1)} MB`,
  );
  console.log(
    `\n${target.name}: ${tries.toLocaleString('en')} tries, ${speed} a second and process, ${findings} findings, ` +
      `heap ${growth.join(', ')}\n  ${target.rule}`,
  );
  const most = [...outcomes].toSorted(([, one], [, other]) => other - one);
  for (const [outcome, count] of most.slice(0, 12)) {
    console.log(`  ${count.toLocaleString('en').padStart(12)}  ${outcome}`);
  }
  if (most.length > 12) console.log(`  ${String(most.length - 12).padStart(12)}  more kinds of outcomes`);
}

function chooseTargets(): FuzzTarget[] {
  if (values.only === undefined) return [...targets];
  return values.only.split(',').map((name) => {
    const target = targets.find((each) => each.name === name);
    if (target === undefined) {
      console.error(`There is no target ${name}.\n\n${usage}`);
      process.exit(2);
    }
    return target;
  });
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number.\n\n${usage}`);
  process.exit(2);
}

function fail(text: string): number {
  console.error(text);
  return 2;
}
