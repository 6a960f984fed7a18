/** Where two recordings of the same course differ in what the bridge did, in words. */
import { bytesIn, type CaptureEntry, type EntryOf, type NumberedEntry } from './capture-file.ts';

/** Earlier or later than this is a difference, in milliseconds: a recorded machine takes its time for everything. */
export const toleranceMs = 1_000;

export interface Difference {
  /** Of the capture's file; null: something that it has not. */
  line: number | null;
  /** In milliseconds since the capture's start. */
  atMs: number;
  /** What the bridge did then and does now, in words; null: nothing. */
  was: string | null;
  is: string | null;
  /** All of it as one sentence. */
  text: string;
}

/** More pairs than this are not compared with each other: then one is held to the other by its place. */
const maxPairs = 4_000_000;

/** What of two recordings is held against each other, and when two entries are the same. */
interface Comparison {
  counts(entry: CaptureEntry): boolean;
  isSame(old: CaptureEntry, next: CaptureEntry): boolean;
  /** Another time is a difference. */
  isTimed: boolean;
  /** Nothing is missing behind its last entry, whatever that is. */
  isWhole: boolean;
}

/** The same driver, byte by byte. */
const ofDriver: Comparison = { counts: isOfBridge, isSame, isTimed: true, isWhole: false };
/** Another program in the driver's place: it has its own numbers and its own pace, and tells nobody anything. */
export const ofOtherTill: Comparison = {
  counts: (entry) => 'from' in entry && entry.from === 'bridge',
  isSame: (old, next) => old.kind === next.kind && nameOf(old) === nameOf(next),
  isTimed: false,
  isWhole: false,
};

function nameOf(entry: CaptureEntry): string | null {
  return 'name' in entry ? entry.name : null;
}

/** `then` from a file, `now` of the driver of today. */
export function differencesOf(
  then: readonly NumberedEntry[],
  now: readonly CaptureEntry[],
  comparison: Comparison = ofDriver,
): Difference[] {
  const calls = new Map(
    then.flatMap(({ entry }) => (entry.kind === 'call' ? [[entry.call, entry.what] as const] : [])),
  );
  const words = (entry: CaptureEntry) => inWords(entry, calls);
  const found: Difference[] = [];
  const note = (old: NumberedEntry | undefined, next: CaptureEntry | undefined) => {
    const atMs = old?.entry.t ?? next?.t ?? 0;
    const facts = {
      line: old?.line ?? null,
      atMs,
      was: old === undefined ? null : words(old.entry),
      is: next === undefined ? null : words(next),
    };
    found.push({ ...facts, text: sentenceOf(facts) });
  };
  const pairs = align(
    then.filter(({ entry }) => comparison.counts(entry)),
    now.filter((entry) => comparison.counts(entry)),
    comparison,
  );
  if (!comparison.isWhole && endsInTheMiddle(then)) dropBehindEnd(pairs, then.at(-1)?.entry.t ?? 0);
  for (const { old, next } of pairs) {
    if (old === undefined || next === undefined || !comparison.isSame(old.entry, next)) note(old, next);
    else if (comparison.isTimed && Math.abs(old.entry.t - next.t) > toleranceMs) {
      const what = words(next);
      const facts = { line: old.line, atMs: old.entry.t, was: what, is: `${what} at ${seconds(next.t)}` };
      found.push({ ...facts, text: sentenceOf(facts) });
    }
  }
  return found;
}

/** The bridge went on, and nobody wrote it down. */
function endsInTheMiddle(then: readonly NumberedEntry[]): boolean {
  return then.at(-1)?.entry.kind !== 'closed';
}

/** What the bridge does now after all that it did then. */
function dropBehindEnd(pairs: Pair[], endMs: number): void {
  for (let last = pairs.at(-1); last?.old === undefined; last = pairs.at(-1)) {
    if (last?.next === undefined || last.next.t < endMs) return;
    pairs.pop();
  }
}

/** What the bridge does; all else is what it meets. What it asks its owner for is no difference. */
function isOfBridge(entry: CaptureEntry): boolean {
  if (entry.kind === 'told') return entry.what !== 'traits';
  if (entry.kind === 'answer' || entry.kind === 'dropped') return true;
  return 'from' in entry && entry.from === 'bridge';
}

interface Pair {
  old?: NumberedEntry | undefined;
  next?: CaptureEntry | undefined;
}

/** The longest common sequence; between two of its members the others stand against each other in their order. */
function align(then: readonly NumberedEntry[], now: readonly CaptureEntry[], comparison: Comparison): Pair[] {
  const areSame = (old: NumberedEntry | undefined, next: CaptureEntry | undefined) =>
    old !== undefined && next !== undefined && comparison.isSame(old.entry, next);
  let head = 0;
  while (areSame(then[head], now[head])) head += 1;
  let tail = 0;
  while (tail < Math.min(then.length, now.length) - head && areSame(then.at(-1 - tail), now.at(-1 - tail)))
    tail += 1;
  const [oldMiddle, newMiddle] = [then.slice(head, then.length - tail), now.slice(head, now.length - tail)];
  const pairsOf = (from: number, to: number, behind: number) =>
    then.slice(from, to).map((old, at) => ({ old, next: now[from + at + behind] }));
  return [
    ...pairsOf(0, head, 0),
    ...alignMiddle(oldMiddle, newMiddle, areSame),
    ...pairsOf(then.length - tail, then.length, now.length - then.length),
  ];
}

function alignMiddle(
  then: readonly NumberedEntry[],
  now: readonly CaptureEntry[],
  areSame: (old: NumberedEntry | undefined, next: CaptureEntry | undefined) => boolean,
): Pair[] {
  if (then.length * now.length > maxPairs) return sideBySide(then, now);
  const columns = now.length + 1;
  /** Of what begins at each pair of places, the length of the longest common sequence. */
  const lengths = new Uint32Array((then.length + 1) * columns);
  const lengthAt = (row: number, column: number) => lengths[row * columns + column] ?? 0;
  for (let row = then.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * columns + column] = areSame(then[row], now[column])
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  const pairs: Pair[] = [];
  let [row, column, fromRow, fromColumn] = [0, 0, 0, 0];
  const flush = () => pairs.push(...sideBySide(then.slice(fromRow, row), now.slice(fromColumn, column)));
  while (row < then.length && column < now.length) {
    if (areSame(then[row], now[column])) {
      flush();
      pairs.push({ old: then[row], next: now[column] });
      [row, column] = [row + 1, column + 1];
      [fromRow, fromColumn] = [row, column];
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  [row, column] = [then.length, now.length];
  flush();
  return pairs;
}

function sideBySide(then: readonly NumberedEntry[], now: readonly CaptureEntry[]): Pair[] {
  return Array.from({ length: Math.max(then.length, now.length) }, (_, at) => ({
    old: then[at],
    next: now[at],
  }));
}

function isSame(old: CaptureEntry, next: CaptureEntry): boolean {
  if ((old.kind === 'frame' || old.kind === 'progress') && old.kind === next.kind)
    return isSameData(old, next);
  const [one, other] = [withoutPlace(old), withoutPlace(next)];
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Without when it was, and how many requests were before it. */
function withoutPlace(entry: CaptureEntry): object {
  const { t: _t, ...rest } = entry;
  if (rest.kind !== 'request') return rest;
  const { request: _request, ...asked } = rest;
  return asked;
}

type DataEntry = EntryOf<'frame' | 'progress'>;

/** Around what is hidden in either. */
function isSameData(old: DataEntry, next: DataEntry): boolean {
  const [one, other] = [bytesIn(old), bytesIn(next)];
  return (
    one.length === other.length &&
    one.every((byte, at) => byte === other[at] || byte.startsWith('*') || other[at]?.startsWith('*') === true)
  );
}

/** With the members of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    members.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, item]) => [name, sorted(item)]),
  );
}

function inWords(entry: CaptureEntry, calls: ReadonlyMap<number, string>): string {
  switch (entry.kind) {
    case 'frame':
    case 'progress':
      return `sent "${entry.name ?? 'unknown'}" (${shownHex(entry)})`;
    case 'request':
      return `sent "${entry.name}" (${entry.method} ${entry.uri}${briefly(entry.body)})`;
    case 'ack':
      return 'acknowledged a frame';
    case 'nak':
      return 'refused a frame (NAK)';
    case 'dropped':
      return 'gave the line up';
    case 'told':
      return `${toldWords[entry.what]}${briefly(entry.with)}${entry.answered === false ? ' in vain' : ''}`;
    case 'answer': {
      const what = calls.get(entry.call) ?? 'call';
      return entry.failed === undefined
        ? `ended ${what} with${briefly(entry.gave)}`
        : `failed at ${what}: ${entry.failed}`;
    }
    case 'damaged':
    case 'discarded':
    case 'broken_off':
      return 'sent bytes that are no frame';
    case 'reply':
    case 'no_reply':
    case 'opened':
    case 'closed':
    case 'call':
      return entry.kind;
  }
}

const toldWords: Readonly<Record<EntryOf<'told'>['what'], string>> = {
  progress: 'showed',
  lateResult: 'offered a late result:',
  mayBeAnother: 'said that another terminal may be there:',
  learned: 'learned of the terminal:',
  traits: 'asked what is known of the terminal',
  persistResult: 'put a result on disk:',
  resultRefused: 'refused a result:',
  notInBatch: 'said what is not in the batch:',
  acknowledged: 'said that the result is final',
};

const maxBriefCharacters = 300;
const maxHexBytes = 64;

function shownHex(entry: DataEntry): string {
  const bytes = bytesIn(entry).map((byte) => (byte.startsWith('*') ? '**' : byte));
  return bytes.length > maxHexBytes
    ? `${bytes.slice(0, maxHexBytes).join(':')} and ${bytes.length - maxHexBytes} bytes more`
    : bytes.join(':');
}

/** What of a value tells it from others: members without a value are left out. */
export function briefly(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = JSON.stringify(value, (_name, item: unknown) => (item === null ? undefined : item));
  return ` ${text.length > maxBriefCharacters ? `${text.slice(0, maxBriefCharacters)}…` : text}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(3)} s`;
}

function sentenceOf({ line, atMs, was, is }: Omit<Difference, 'text'>): string {
  const place = `${seconds(atMs)}${line === null ? '' : ` (line ${line})`}`;
  return `${place}: then it ${was ?? 'did nothing'}; now it ${is ?? 'does nothing'}.`;
}
