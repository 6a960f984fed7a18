/**
 * Plays a capture to the driver of today, on a clock of its own: what came from the terminal comes at the same moments, what
 * was asked of the driver is asked of it again, and it is recorded as then. Where the two recordings differ, it would behave
 * otherwise now.
 */
import { existsSync } from 'node:fs';
import { readPlainFile } from '../../base/private-files.ts';
import { silentLog } from '../../log/index.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { withValueAt } from '../../contract/dotted-keys.ts';
import type { ProtocolName } from '../../contract/protocols.ts';
import { loadProtocol } from '../terminals/protocols.ts';
import type { LineProtocol, RequestProtocol } from '../terminals/terminal-driver.ts';
import { maxCaptureBytes, olderCaptureFile } from './capture-writer.ts';
import {
  continuesOlderFile,
  readCaptures,
  type Capture,
  type CaptureHeader,
  type NumberedEntry,
} from './capture-file.ts';
import { differencesOf, ofOtherTill, type Difference } from './differences.ts';
import { outcomeOf, salesIn, type ForeignSale } from './foreign-sales.ts';
import { formOfLine } from './line-stage.ts';
import { callsIn, play } from './play.ts';
import { createReplayClock } from './replay-clock.ts';

interface Replay {
  protocol: ProtocolName;
  /** When it was recorded, and by which version. */
  started: string;
  program: string;
  /** How often something was asked of the driver; frames in both directions, or requests with their answers. */
  calls: number;
  frames: number;
  requests: number;
  /** What cannot be checked against the recording, because it is not in it: a sentence. Null: nothing. */
  unchecked: string | null;
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

/** What has to be new comes with the order; what else a driver draws stands in no recording. */
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
    requests: entries.filter(({ entry }) => entry.kind === 'request').length,
    leftOut,
  };
  if (header.between === true) return { ...facts, unchecked: null, ...(await replaySales(header, entries)) };
  const clock = createReplayClock(Date.parse(header.started) || 0);
  const protocol = await protocolIn(header, clock);
  const now = await play(protocol, entries, clock);
  return {
    ...facts,
    unchecked: 'attach' in protocol ? null : (protocol.recordable?.form.unchecked ?? null),
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
  const form = formOfLine(await protocolIn(header, createReplayClock(0)));
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
  clock: Clock,
  check: ForeignSale['check'] = null,
): Promise<LineProtocol | RequestProtocol> {
  return loadProtocol(protocol, {
    // A replay never goes there.
    connection:
      connection === 'http' ? { kind: connection, host: '127.0.0.1', port: 1 } : { kind: connection },
    settings: check === null ? settings : withValueAt(settings, `${protocol}.${check.setting}`, check.value),
    clock,
    chance: noChance,
    log: silentLog,
    onHeard() {},
  });
}
