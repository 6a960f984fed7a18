/**
 * Plays what was recorded to a driver, on a clock of its own: what came from the terminal comes at the same moments, and what
 * was asked of the driver is asked of it again.
 */
import { errorText } from '../../base/error-text.ts';
import type {
  LineProtocol,
  OperationInDoubt,
  OperationWatch,
  RequestProtocol,
  SaleOrder,
  TerminalDriver,
  VoidOrder,
} from '../terminals/terminal-driver.ts';
import type { CaptureEntry, EntryOf, NumberedEntry } from './capture-file.ts';
import { toleranceMs } from './differences.ts';
import { createLineStage } from './line-stage.ts';
import type { ReplayClock } from './replay-clock.ts';
import { createReplayOwner } from './replay-owner.ts';
import { createRequestStage } from './request-stage.ts';
import type { Happening } from './stage.ts';

/** Of the answers that it still waits for behind the end of a capture, in milliseconds: longer than any operation takes. */
const longestWaitMs = 30 * 60_000;
const waitStepMs = 1_000;
/** Turns of the event loop in which a driver has found out that the terminal is ready. */
const readyTurns = 200;

/** `answered`: the calls whose answers are waited for; those that were answered then. Gives what is recorded now. */
export async function play(
  protocol: LineProtocol | RequestProtocol,
  then: readonly NumberedEntry[],
  clock: ReplayClock,
  answered: ReadonlySet<number> = new Set(answersIn(then.map(({ entry }) => entry))),
): Promise<CaptureEntry[]> {
  const now: CaptureEntry[] = [];
  /** What an answer brought about, by the answered call. */
  const followUps = followUpsIn(then);
  const asked = new Set<EntryOf<'call'>>();
  const owner = createReplayOwner(then.map(({ entry }) => entry));
  let fault: Error | null = null as Error | null;
  /** Nobody recorded what was asked of a driver, so all that is known of is the sale. */
  const isForeign = !then.some(({ entry }) => entry.kind === 'answer');
  let isSelling = false;
  const parts = { recording: { clock, write, failed }, watch: owner.watch, entries: then };
  const stage =
    'attach' in protocol
      ? createLineStage(protocol, { ...parts, isAnswered: () => isForeign && !isSelling })
      : createRequestStage(protocol, parts);

  /** What a recording of today cannot take is a mistake here, and no difference. */
  function failed(error: unknown) {
    fault ??= error instanceof Error ? error : new Error(errorText(error));
  }

  function write(entry: CaptureEntry) {
    now.push(entry);
    const next = entry.kind === 'answer' ? followUps.get(entry.call) : undefined;
    if (next !== undefined) void Promise.resolve(next).then(ordered);
  }

  function ordered(entry: EntryOf<'call'>) {
    if (stage.driver === null || asked.has(entry)) return;
    asked.add(entry);
    ask(stage.driver, entry, owner.operation);
  }

  for (const { atMs, entry } of scriptOf(then, stage.frameGapMs)) {
    await clock.goTo(atMs);
    if (entry.kind !== 'call') stage.happen(entry);
    else {
      if (isForeign && entry.what === 'sale') {
        for (let turns = 0; turns < readyTurns && answersIn(now).length < asked.size; turns += 1)
          await clock.goTo(atMs);
        isSelling = true;
      }
      ordered(entry);
    }
  }
  const lastMs = then.at(-1)?.entry.t ?? 0;
  const isOver = () => {
    const done = new Set(answersIn(now));
    return [...answered].every((call) => done.has(call));
  };
  for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += waitStepMs) {
    await clock.goTo(lastMs + toleranceMs + waitedMs);
    if (isOver()) break;
  }
  if (fault !== null) throw fault;
  // What it did behind the end of the capture was not recorded then.
  return now.filter(
    (entry) => entry.t <= lastMs + toleranceMs || (entry.kind === 'answer' && answered.has(entry.call)),
  );
}

export function callsIn(then: readonly NumberedEntry[]): Set<number> {
  return new Set(then.flatMap(({ entry }) => (entry.kind === 'call' ? entry.call : [])));
}

function answersIn(entries: readonly CaptureEntry[]): number[] {
  return entries.flatMap((entry) => (entry.kind === 'answer' ? entry.call : []));
}

/** A call right behind an answer came because of it, before anything else could happen. */
function followUpsIn(then: readonly NumberedEntry[]): Map<number, EntryOf<'call'>> {
  const found = new Map<number, EntryOf<'call'>>();
  for (const [at, { entry }] of then.entries()) {
    const before = then[at - 1]?.entry;
    if (entry.kind === 'call' && before?.kind === 'answer' && before.t === entry.t)
      found.set(before.call, entry);
  }
  return found;
}

type Scripted = EntryOf<'call'> | Happening;

/** What the replay has to do, and when. */
function scriptOf(
  then: readonly NumberedEntry[],
  frameGapMs: number | null,
): { atMs: number; entry: Scripted }[] {
  const script = then.flatMap(({ entry }) => {
    if (!isScripted(entry)) return [];
    // It began as long before as a frame may stop.
    const atMs = entry.kind === 'broken_off' ? Math.max(0, entry.t - (frameGapMs ?? 0)) : entry.t;
    return [{ atMs, entry }];
  });
  return script.toSorted((one, other) => one.atMs - other.atMs);
}

function isScripted(entry: CaptureEntry): entry is Scripted {
  if (entry.kind === 'opened' || entry.kind === 'closed' || entry.kind === 'call') return true;
  return 'from' in entry && entry.from === 'terminal';
}

/** What comes of it, the recording hears. */
function ask(driver: TerminalDriver, call: EntryOf<'call'>, watch: OperationWatch): void {
  const asked = (() => {
    switch (call.what) {
      case 'prepare':
        return driver.prepare();
      case 'probe':
        return driver.probe();
      case 'signOff':
        return driver.signOff();
      case 'cancel':
        return driver.cancel();
      case 'sale':
        return driver.sale(call.with as SaleOrder, watch);
      case 'void':
        return driver.void(call.with as VoidOrder, watch);
      case 'closeBatch':
        return driver.closeBatch(call.with, watch);
      case 'lookUp':
        return driver.lookUp?.(call.with as OperationInDoubt);
    }
  })();
  asked?.catch(() => {});
}
