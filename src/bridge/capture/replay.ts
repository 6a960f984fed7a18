/**
 * Plays a capture to the driver of today, on a clock of its own: what came from the terminal comes at the same moments, what
 * was asked of the driver is asked of it again, and it is recorded as then. Where the two recordings differ, it would behave
 * otherwise now.
 */
import { existsSync } from 'node:fs';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile } from '../../base/private-files.ts';
import { silentLog } from '../../log/index.ts';
import type { Chance } from '../../base/chance.ts';
import { withValueAt } from '../../contract/dotted-keys.ts';
import type { ProtocolName } from '../../contract/protocols.ts';
import { fromHex, type CaptureForm } from '../terminals/framing/index.ts';
import { loadProtocol } from '../terminals/protocols.ts';
import type {
  LineProtocol,
  OperationInDoubt,
  OperationWatch,
  RequestProtocol,
  SaleOrder,
  TerminalDriver,
  VoidOrder,
} from '../terminals/terminal-driver.ts';
import { maxCaptureBytes, olderCaptureFile } from './capture-writer.ts';
import {
  continuesOlderFile,
  readCaptures,
  type Capture,
  type CaptureEntry,
  type CaptureHeader,
  type EntryOf,
  type NumberedEntry,
} from './capture-file.ts';
import { differencesOf, ofOtherTill, toleranceMs, type Difference } from './differences.ts';
import { outcomeOf, salesIn, type ForeignSale } from './foreign-sales.ts';
import { recordedProtocol } from './recorded-protocol.ts';
import { createReplayClock, type ReplayClock } from './replay-clock.ts';
import { createReplayOwner } from './replay-owner.ts';
import { createScriptedLine, type ScriptedLine } from './scripted-line.ts';

interface Replay {
  protocol: ProtocolName;
  /** When it was recorded, and by which version. */
  started: string;
  program: string;
  /** How often something was asked of the driver, and frames in both directions. */
  calls: number;
  frames: number;
  /** What this version makes of sales that another till has ordered, in words; empty where our own driver was recorded. */
  outcomes: string[];
  /** Entries from before the line was opened: nobody knows what the driver knew, so they are not played. */
  leftOut: number;
  differences: Difference[];
}

export type ReplayResult =
  | { ok: true; replays: Replay[] }
  /** `error` is a sentence for people. */
  | { ok: false; error: string };

/** Of the answers that it still waits for behind the end of a capture, in milliseconds: longer than any operation takes. */
const longestWaitMs = 30 * 60_000;
const waitStepMs = 1_000;
/** Turns of the event loop in which a driver has found out that the terminal is ready. */
const readyTurns = 200;
/** No frame is so short. */
const brokenOffBytes = 2;

/** No driver of a line draws anything: what has to be new comes with the order. */
const noChance: Chance = {
  uuid: () => '00000000-0000-7000-8000-000000000000',
  integer: (from) => from,
  fraction: () => 0,
  bytes: (count) => new Uint8Array(count),
};

/** Each capture in the file, and in the older one beside it that it goes on with. Throws what the file system throws. */
export async function replayFile(file: string): Promise<ReplayResult> {
  const text = textOf(file);
  const older = olderCaptureFile(file);
  const read = readCaptures(
    continuesOlderFile(text) && existsSync(older) ? `${textOf(older)}\n${text}` : text,
  );
  if (!read.ok) return read;
  const replays: Replay[] = [];
  for (const capture of read.captures) replays.push(await replay(capture));
  return { ok: true, replays };
}

function textOf(file: string): string {
  return readPlainFile(file, { maxBytes: maxCaptureBytes }).toString();
}

/** For tests: the differences of all captures in the file, in words. Throws when it holds none. */
export async function replayCapture(file: string): Promise<string[]> {
  const result = await replayFile(file);
  if (!result.ok) throw new Error(result.error);
  return result.replays.flatMap(({ differences }) => differences.map(({ text }) => text));
}

async function replay({ header, entries: all }: Capture): Promise<Replay> {
  const opened = all.findIndex(({ entry }) => entry.kind === 'opened');
  const leftOut = header.continues === true ? (opened === -1 ? all.length : opened) : 0;
  const entries = all.slice(leftOut);
  const facts = {
    protocol: header.protocol,
    started: header.started,
    program: header.program,
    frames: entries.filter(({ entry }) => entry.kind === 'frame').length,
    leftOut,
  };
  if (header.between === true) return { ...facts, ...(await replaySales(header, entries)) };
  const clock = createReplayClock(Date.parse(header.started) || 0);
  const now = await play(await protocolIn(header, clock), entries, clock);
  return {
    ...facts,
    calls: entries.filter(({ entry }) => entry.kind === 'call').length,
    outcomes: [],
    differences: differencesOf(entries, now),
  };
}

/** Each sale by itself, with a driver that knows nothing of what was before. */
async function replaySales(
  header: CaptureHeader,
  entries: readonly NumberedEntry[],
): Promise<Pick<Replay, 'calls' | 'outcomes' | 'differences'>> {
  const { form } = recordable(await protocolIn(header, createReplayClock(0)));
  const sales = salesIn(entries, form, header.settings.currency);
  const outcomes: string[] = [];
  const differences: Difference[] = [];
  for (const { entries: then, check, isWhole } of sales) {
    const clock = createReplayClock(Date.parse(header.started) || 0);
    const played = await play(await protocolIn(header, clock, check), then, clock, callsIn(then));
    // Before it, the driver was told that the terminal is ready.
    const now = played.slice(played.findIndex((entry) => entry.kind === 'call' && entry.what === 'sale'));
    outcomes.push(outcomeOf(then, now));
    differences.push(...differencesOf(then, now, { ...ofOtherTill, isWhole }));
  }
  return { calls: sales.length, outcomes, differences };
}

/** `check`: how the terminal takes check bytes, where that is a setting of the protocol. */
function protocolIn(
  { protocol, connection, settings }: CaptureHeader,
  clock: ReplayClock,
  check: ForeignSale['check'] = null,
): Promise<LineProtocol | RequestProtocol> {
  return loadProtocol(protocol, {
    connection: { kind: connection },
    settings: check === null ? settings : withValueAt(settings, `${protocol}.${check.setting}`, check.value),
    clock,
    chance: noChance,
    log: silentLog,
    onHeard() {},
  });
}

function recordable(protocol: LineProtocol | RequestProtocol): { protocol: LineProtocol; form: CaptureForm } {
  const form = 'attach' in protocol ? protocol.captureForm : undefined;
  if (!('attach' in protocol) || form === undefined)
    throw new Error(`lines of ${protocol.name} are not recorded`);
  return { protocol, form };
}

/** `answered`: the calls whose answers are waited for; those that were answered then. */
async function play(
  any: LineProtocol | RequestProtocol,
  then: readonly NumberedEntry[],
  clock: ReplayClock,
  answered: ReadonlySet<number> = new Set(answersIn(then.map(({ entry }) => entry))),
): Promise<CaptureEntry[]> {
  const { protocol, form } = recordable(any);
  const now: CaptureEntry[] = [];
  /** What an answer brought about, by the answered call. */
  const followUps = followUpsIn(then);
  const asked = new Set<EntryOf<'call'>>();
  const recorded = recordedProtocol(protocol, { form, clock, write, failed });
  const owner = createReplayOwner(then.map(({ entry }) => entry));
  let line: ScriptedLine | null = null;
  let driver: TerminalDriver | null = null;
  let fault: Error | null = null as Error | null;
  /** Nobody recorded what was asked of a driver, so all that is known of is the sale. */
  const isForeign = !then.some(({ entry }) => entry.kind === 'answer');
  let isSelling = false;

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
    if (driver === null || asked.has(entry)) return;
    asked.add(entry);
    ask(driver, entry, owner.operation);
  }

  /** To what a driver asks before a sale that was not its own. */
  function answerReady(scripted: ScriptedLine, bytes: Uint8Array) {
    if (form.readyAnswers === undefined || isSelling) return;
    for (const part of form.createParser().push(bytes)) {
      if (part.kind !== 'frame') continue;
      for (const answer of form.readyAnswers(part.data)) scripted.deliver(answer);
    }
  }

  for (const { atMs, entry } of scriptOf(then, form)) {
    await clock.goTo(atMs);
    if (entry.kind === 'opened') {
      line?.end('another connection was opened');
      const opened = createScriptedLine(isForeign ? (bytes) => answerReady(opened, bytes) : () => {});
      line = opened;
      driver = recorded.attach(line.connection, owner.watch);
    } else if (entry.kind === 'closed') line?.end(entry.reason);
    else if (entry.kind !== 'call') line?.deliver(bytesOf(entry, form));
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

function callsIn(then: readonly NumberedEntry[]): Set<number> {
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

type Scripted = EntryOf<'opened' | 'closed' | 'call'> | TerminalPart;
type TerminalPart = EntryOf<'frame' | 'progress' | 'ack' | 'nak' | 'damaged' | 'discarded' | 'broken_off'>;

/** What the replay has to do, and when. */
function scriptOf(
  then: readonly NumberedEntry[],
  { frameGapMs }: CaptureForm,
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

function bytesOf(entry: TerminalPart, form: CaptureForm): Uint8Array {
  switch (entry.kind) {
    case 'ack':
    case 'nak':
      return form.encode({ kind: entry.kind });
    case 'progress':
      return form.encode({ kind: 'progress', data: dataOf(entry) });
    case 'frame': {
      const { check } = entry;
      return form.encode({ kind: 'frame', data: dataOf(entry), ...(check === undefined ? {} : { check }) });
    }
    case 'damaged':
      return form.damagedFrame;
    case 'discarded':
      return new Uint8Array(entry.count);
    case 'broken_off':
      return form.damagedFrame.subarray(0, brokenOffBytes);
  }
}

function dataOf(entry: EntryOf<'frame' | 'progress'>): Uint8Array {
  return fromHex(entry.hex.replaceAll(/[:*]/g, ''));
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
