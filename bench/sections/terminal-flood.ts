/**
 * What a hostile terminal costs. First what it takes to read, describe and trace its worst frames: the time for one of
 * 64 kB against that for as many bytes in frames of 4 kB. Then how long `/health` waits at most, in some seconds of calls one
 * after the other, while a terminal on the network sends without end; against the same bridge with a silent terminal.
 */
import { createLog, drainLogs } from '../../src/log/index.ts';
import { decodeMessage } from '../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import { createWireTrace } from '../../src/bridge/terminals/zvt/wire-trace.ts';
import { systemClock } from '../../src/base/clock.ts';
import { largestApduBytes, worstFrames } from '../../test/support/worst-zvt-frames.ts';
import { alternate } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { createCaller } from '../world/caller.ts';
import { bridgeArguments, printed, repositoryFile, run, startServer } from '../world/processes.ts';
import type { Section } from './section.ts';

const rounds = 9;
const smallBytes = 4_096;
const floodRounds = 3;
const floodMs = 5_000;
const betweenCallsMs = 5;

const frames = [
  '06d3: print texts of one empty line',
  '06d3: lines of one character',
  '06d1: a line of digits',
  '040f: card numbers in BCD',
  '040f: containers',
  '0fff: digits as text',
];

interface Flood {
  what: string;
  /** The name of a worst frame, or bytes in hex. */
  unit: string;
  times: number;
  pauseMs: number;
}

export const terminalFloodSection: Section = {
  name: 'terminal-flood',
  title: 'A hostile terminal: large frames against small ones, and `/health` against a silent terminal',
  ours: 'hostile',
  other: 'other',
  ratio: 'times other',
  measure,
};

async function measure(bench: Bench): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const what of frames) comparisons.push(await bySize(bench, what));
  for (const flood of floods()) comparisons.push(await behind(bench, flood));
  return comparisons;
}

async function bySize(bench: Bench, what: string): Promise<Comparison> {
  bench.say(what);
  const { make } = frameNamed(what);
  const large = make(largestApduBytes);
  const small = make(smallBytes);
  const log = createLog({ folder: bench.folder(), level: 'debug', clock: systemClock });
  bench.atEnd(() => log.close());
  const trace = createWireTrace(log.log, 'cp437', 'EUR');
  /** Milliseconds for as many bytes as the large one has. */
  const timeOf = async (apdu: Uint8Array) => {
    const startedMs = performance.now();
    for (let bytes = 0; bytes < large.length - small.length; bytes += apdu.length) {
      trace('from_terminal', apdu);
      toTerminalRecord(decodeMessage(apdu));
    }
    // Words and mask, too, which would come a moment later.
    drainLogs();
    return performance.now() - startedMs;
  };
  const both = () =>
    alternate(
      rounds,
      () => timeOf(large),
      () => timeOf(small),
    );
  await both();
  const pairs = await both();
  return compare({ what: `${what}, ms/64 kB`, pairs, ratio: 'cost', values: 'costs', aim: { atMost: 2 } });
}

function frameNamed(name: string) {
  const frame = worstFrames.find(({ what }) => what === name);
  if (frame === undefined) throw new Error(`there is no frame "${name}"`);
  return frame;
}

function floods(): Flood[] {
  return [
    ...['06d3: print texts of one empty line', '06d1: a line of digits', '0fff: digits as text'].map(
      (what) => ({
        what: `/health behind ${what} of 64 kB, longest ms`,
        unit: what,
        times: 1,
        pauseMs: 100,
      }),
    ),
    {
      what: '/health behind small messages without end, longest ms',
      unit: '04ff010a',
      times: 50_000,
      pauseMs: 0,
    },
    { what: '/health behind results without end, longest ms', unit: '040f02276c', times: 50_000, pauseMs: 0 },
  ];
}

async function behind(bench: Bench, { what, unit, times, pauseMs }: Flood): Promise<Comparison> {
  bench.say(what);
  const hostile = await bridgeWith(bench, [unit, String(times), String(pauseMs)]);
  const silent = await bridgeWith(bench, []);
  const pairs = await alternate(
    floodRounds,
    () => longestCall(hostile.port),
    () => longestCall(silent.port),
  );
  await hostile.end();
  await silent.end();
  return compare({ what, pairs, ratio: 'cost', values: 'costs', aim: { atMostMs: 100 } });
}

async function bridgeWith(bench: Bench, terminal: readonly string[]) {
  const played = run(bench, [repositoryFile('bench/servers/hostile-terminal.ts'), ...terminal], 'pipe');
  const [, port] = await printed(played, /Waiting on 127\.0\.0\.1:(\d+)/);
  const server = await startServer(bench, bridgeArguments(bench.folder(), `tcp:127.0.0.1:${port}`));
  const end = async () => {
    await server.end();
    await played.end();
  };
  // Past the start, and into the flood.
  await longestCall(server.port);
  return { port: server.port, end };
}

/** Milliseconds that the slowest of the calls took. */
async function longestCall(port: number): Promise<number> {
  const caller = createCaller(port);
  const until = performance.now() + floodMs;
  let longestMs = 0;
  while (performance.now() < until) {
    const { tookMs } = await caller.get('/health');
    longestMs = Math.max(longestMs, tookMs);
    await sleep(betweenCallsMs);
  }
  caller.close();
  return longestMs;
}
