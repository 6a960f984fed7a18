/**
 * The lines that fit a filter: the newest at once, older ones as somebody scrolls up to them, new ones as they come. The
 * host searches a bounded stretch of the log in one response, so that filling a screen may take several.
 *
 *     older ◄── next ── │ lines, all that fit │ ── known ──► newer     `known`: nothing up to here is missing
 */
import {
  type ConsoleChange,
  type LogResponse,
  type LogFilter,
  type LogLine,
  type ConsoleRefusal,
  type ConsoleResult,
  logLevels,
} from '../../../contract/console/index.ts';
import type { ConsoleClient } from '../../store/console-client.ts';
import { createFrameUpdates, nothingFolded, type LogView } from './log-view.ts';

/** How many lines are kept; whoever scrolls further loses the other end, which is asked for again when needed. */
const maxLines = 20_000;
const linesPerRequest = 200;
/** A search goes on until so many older lines are found. */
const linesPerSearch = 200;
/** So near to the oldest row that is here, older ones are searched. */
const marginRows = 100;

export function createFoundLines(client: ConsoleClient, filter: LogFilter): LogView {
  const updates = createFrameUpdates();
  /** Oldest first. */
  let lines: LogLine[] = [];
  /** Where the search for older lines goes on; null: that was all. Undefined: nothing was requested yet. */
  let next: number | null | undefined;
  /** Every line up to this number that fits is in `lines`, down to `next`. */
  let known = 0;
  /** Number of the newest line that is known of. */
  let last = 0;
  let shift = 0;
  let sources: readonly string[] = [];
  let refusal: ConsoleRefusal | null = null;
  let searching: 'no' | 'older' | 'stopped' = 'no';
  let catchingUp = false;
  let following = true;
  /** The newest lines were dropped, or not taken, while somebody read old ones. */
  let tailLeftOut = false;
  /** How many lines that fit have come since the start. */
  let arrived = 0;
  /** Count what begins anew, so that responses to earlier requests are dropped. */
  let turn = 0;
  let search = 0;

  const mayGoOn = () => searching === 'older' && next !== null;

  async function searchOlder() {
    if (searching === 'older' || next === null || refusal !== null) return;
    searching = 'older';
    search += 1;
    const mine = search;
    let found = 0;
    updates.changed();
    while (mayGoOn() && found < linesPerSearch) {
      const before: number | null = next ?? null;
      const result: ConsoleResult<LogResponse> = await client.invoke('log', {
        filter,
        before,
        limit: linesPerRequest,
      });
      if (mine !== search) return;
      if (!result.ok) {
        refusal = result.refusal;
        break;
      }
      const value: LogResponse = result.value;
      if (before === null) {
        known = value.last;
        last = Math.max(last, value.last);
      }
      sources = value.sources;
      // A host that does not go on would be polled for ever.
      next = value.next !== null && (before === null || value.next < before) ? value.next : null;
      found += value.lines.length;
      putBefore(value.lines.toReversed());
      if (before === null && last > known) void catchUp();
      updates.changed();
    }
    if (searching === 'older') searching = 'no';
    updates.changed();
  }

  function putBefore(older: LogLine[]) {
    if (lines.length > 0) shift += older.length;
    lines = [...older, ...lines];
    if (lines.length <= maxLines) return;
    lines = lines.slice(0, maxLines);
    tailLeftOut = true;
  }

  function putAfter(newer: LogLine[]) {
    arrived += newer.length;
    if (newer.length === 0) return;
    if (!following && lines.length + newer.length > maxLines) {
      tailLeftOut = true;
      return;
    }
    lines = [...lines, ...newer];
    const tooMany = lines.length - maxLines;
    if (tooMany <= 0) return;
    lines = lines.slice(tooMany);
    shift -= tooMany;
    next = lines[0]?.id ?? null;
  }

  function onChange(change: ConsoleChange) {
    if (change.kind !== 'log') return;
    const newest = change.lines.at(-1)?.id ?? change.last;
    last = Math.max(last, newest, change.last);
    // Before the first response nothing is known that these could follow; it brings them.
    if (next === undefined) return;
    if (tailLeftOut) {
      arrived += change.lines.filter((line) => matches(line, filter)).length;
      return updates.changed();
    }
    const begins = change.lines[0]?.id ?? Number.POSITIVE_INFINITY;
    if (begins <= known + 1 && !catchingUp) {
      putAfter(change.lines.filter((line) => line.id > known && matches(line, filter)));
      known = Math.max(known, newest);
    }
    if (last > known) void catchUp();
    updates.changed();
  }

  /** Fetches what has come since `known`: changes were missed, or carry less than came. */
  async function catchUp() {
    if (catchingUp) return;
    catchingUp = true;
    const mine = turn;
    while (known < last) {
      const found: LogLine[] = [];
      let before: number | null = null;
      let upTo = last;
      do {
        const result: ConsoleResult<LogResponse> = await client.invoke('log', {
          filter,
          before,
          limit: linesPerRequest,
        });
        if (mine !== turn) return;
        if (!result.ok) {
          refusal = result.refusal;
          catchingUp = false;
          return updates.changed();
        }
        const value: LogResponse = result.value;
        if (before === null) upTo = value.last;
        found.push(...value.lines.filter((line) => line.id > known));
        before = value.next !== null && (before === null || value.next < before) ? value.next : null;
        if (found.length > maxLines) return startAnew();
      } while (before !== null && before > known + 1);
      // The host knows how far the log goes, also when a change said more.
      if (upTo <= known) last = known;
      else {
        putAfter(found.toReversed());
        known = upTo;
        last = Math.max(last, upTo);
      }
      updates.changed();
    }
    catchingUp = false;
  }

  function startAnew() {
    turn += 1;
    search += 1;
    lines = [];
    next = undefined;
    searching = 'no';
    catchingUp = false;
    tailLeftOut = false;
    void searchOlder();
  }

  function rowOf(id: number): number | null {
    let from = 0;
    let to = lines.length - 1;
    while (from <= to) {
      const middle = (from + to) >> 1;
      const found = lines[middle]?.id ?? 0;
      if (found === id) return middle;
      if (found < id) from = middle + 1;
      else to = middle - 1;
    }
    return null;
  }

  return {
    ...nothingFolded,
    open() {
      const stop = client.onChange(onChange);
      startAnew();
      return () => {
        turn += 1;
        search += 1;
        stop();
      };
    },
    snapshot: () => ({
      rows: next === undefined && searching === 'no' ? null : lines.length,
      lines: lines.length,
      shift,
      last,
      arrived,
      sources,
      older:
        searching === 'older'
          ? 'searching'
          : searching === 'stopped'
            ? 'stopped'
            : next === null
              ? 'all'
              : 'more',
      refusal,
    }),
    lineAt: (row) => lines[row] ?? null,
    idAt: (row) => lines[row]?.id ?? null,
    rowOf,
    show(from) {
      if (from < marginRows && searching === 'no') void searchOlder();
    },
    follow(now) {
      following = now;
      if (now && tailLeftOut) startAnew();
    },
    stopSearch() {
      if (searching !== 'older') return;
      searching = 'stopped';
      // The response that is on its way is still shown, but nothing is requested after it.
      updates.changed();
    },
    goOnSearching() {
      if (searching === 'stopped') searching = 'no';
      void searchOlder();
    },
    retry() {
      refusal = null;
      if (next !== undefined && known < last) void catchUp();
      void searchOlder();
    },
    subscribe: updates.subscribe,
    version: updates.version,
  };
}

/** Whether a line that has just come fits `filter`, as the bridge decides it for the older ones. */
function matches(line: LogLine, filter: LogFilter): boolean {
  if (logLevels.indexOf(line.level) < logLevels.indexOf(filter.minLevel)) return false;
  if (filter.sources !== null && !filter.sources.includes(line.source)) return false;
  if (filter.from != null && line.time < filter.from) return false;
  if (filter.until != null && line.time >= filter.until) return false;
  if (filter.text === null || filter.text === '') return true;
  const { level, time, source, message: msg, fields } = line;
  const text = JSON.stringify({ level, time, source, msg, ...fields }).toLowerCase();
  const needle = filter.text.toLowerCase();
  // A quote or a line break is written with a backslash in the line.
  const asInJson = (one: string) => JSON.stringify(one.toLowerCase()).slice(1, -1);
  return (
    text.includes(needle) || [needle, ...(filter.others ?? [])].some((one) => text.includes(asInJson(one)))
  );
}
