/**
 * Lines that belong together under one row each, which opens them: those of a payment, and the heartbeats between the
 * payments. Made of the lines that another view has.
 *
 *     ▸ A-1001   21:04:10 – 21:04:14   23 lines
 *     ▾ 12 heartbeats   21:04 – 21:10
 *         → status-enquiry
 */
import type { LogLine } from '../../../contract/console/index.ts';
import { logLevels } from '../../../contract/console/index.ts';
import { lineDirection, pairsOf } from '../../messages/log-line.ts';
import { createFrameUpdates, type Fold, type LogView } from './log-view.ts';

/** `heartbeats` alone, or those of a `payment`, too. */
export const groupings = ['lines', 'heartbeats', 'payments'] as const;
export type Grouping = (typeof groupings)[number];

interface Row {
  id: number;
  line: LogLine | null;
  fold: Fold | null;
  inside: boolean;
}

/** So many rows are fetched without anybody scrolling to them … */
const leastRows = 60;
/** … as long as they are of no more lines than these: a night of heartbeats is one row. */
const maxLinesUnasked = 5_000;

export function createFoldedLines(inner: LogView, grouping: Exclude<Grouping, 'lines'>): LogView {
  const updates = createFrameUpdates();
  /** Lines whose fold is open: a fold gets lines on both ends. */
  const opened = new Set<number>();
  let rows: Row[] = [];
  let places = new Map<number, number>();
  let shift = 0;
  let shown = { from: 0, to: 0 };
  let following = true;
  let goesOn = false;

  const isOpen = (lines: readonly LogLine[]) => lines.some(({ id }) => opened.has(id));

  /** `anchor`: the row that stays where it is on the screen; left out: the one in the middle. */
  function rebuild(anchor = rows[(shown.from + shown.to) >> 1]?.id) {
    const before = anchor === undefined ? undefined : places.get(anchor);
    rows = rowsOf(innerLines(), grouping, isOpen);
    places = new Map(rows.map(({ id }, place) => [id, place]));
    const after = anchor === undefined ? undefined : places.get(anchor);
    if (before !== undefined && after !== undefined) shift += after - before;
    fetchMore();
  }

  function innerLines(): LogLine[] {
    const count = inner.snapshot().rows ?? 0;
    return Array.from({ length: count }, (_, row) => inner.lineAt(row)).filter((line) => line !== null);
  }

  const isEnough = () => following && !goesOn && (inner.snapshot().rows ?? 0) >= maxLinesUnasked;

  function fetchMore() {
    if (rows.length < leastRows && inner.snapshot().older === 'more' && !isEnough()) inner.show(0, 0);
  }

  return {
    open() {
      const stop = inner.subscribe(() => {
        rebuild();
        updates.changed();
      });
      const close = inner.open();
      return () => {
        stop();
        close();
      };
    },
    snapshot() {
      const snapshot = inner.snapshot();
      const older = snapshot.older === 'more' && isEnough() ? 'stopped' : snapshot.older;
      return { ...snapshot, rows: snapshot.rows === null ? null : rows.length, shift, older };
    },
    lineAt: (row) => rows[row]?.line ?? null,
    idAt: (row) => rows[row]?.id ?? null,
    rowOf: (id) => places.get(id) ?? null,
    foldAt: (row) => rows[row]?.fold ?? null,
    isInside: (row) => rows[row]?.inside ?? false,
    toggle(id) {
      const fold = rows[places.get(id) ?? -1]?.fold;
      if (fold == null) return;
      const [first] = fold.lines;
      if (fold.open) for (const line of fold.lines) opened.delete(line.id);
      else if (first !== undefined) opened.add(first.id);
      rebuild(id);
      updates.changed();
    },
    reveal(id) {
      if (places.has(id) || inner.rowOf(id) === null) return;
      opened.add(id);
      rebuild();
    },
    show(from, to) {
      shown = { from, to };
      if (!isEnough()) inner.show(from, to);
    },
    follow(now) {
      following = now;
      inner.follow(now);
    },
    stopSearch: inner.stopSearch,
    goOnSearching() {
      goesOn = true;
      inner.goOnSearching();
    },
    retry: inner.retry,
    subscribe: updates.subscribe,
    version: updates.version,
  };
}

function rowsOf(
  lines: readonly LogLine[],
  grouping: Exclude<Grouping, 'lines'>,
  isOpen: (lines: readonly LogLine[]) => boolean,
): Row[] {
  const rows: Row[] = [];
  const put = (kind: Fold['kind'], members: readonly LogLine[]) => {
    const [first] = members;
    if (first === undefined) return;
    const open = isOpen(members);
    rows.push({ id: -first.id, line: null, inside: false, fold: foldOf(kind, members, open) });
    if (open) rows.push(...members.map((line) => ({ id: line.id, line, fold: null, inside: true })));
  };
  for (const piece of piecesOf(lines, grouping)) {
    const [first] = piece.lines;
    if (piece.kind !== 'line') put(piece.kind, piece.lines);
    else if (first !== undefined) rows.push({ id: first.id, line: first, fold: null, inside: false });
  }
  return rows;
}

interface Piece {
  kind: Fold['kind'] | 'line';
  lines: LogLine[];
}

/** In the order of their newest lines: what goes on stands at the end. */
function piecesOf(lines: readonly LogLine[], grouping: Exclude<Grouping, 'lines'>): Piece[] {
  const payments = grouping === 'payments' ? linesByPayment(lines) : new Map<string, LogLine[]>();
  const pieces: Piece[] = [];
  let run: LogLine[] = [];
  const endRun = () => {
    if (run.some(isHeartbeat)) pieces.push({ kind: 'heartbeats', lines: run });
    else pieces.push(...run.map((line): Piece => ({ kind: 'line', lines: [line] })));
    run = [];
  };
  for (const line of lines) {
    const members = payments.get(paymentOf(line) ?? '');
    if (members === undefined && goesOnWith(run, line)) {
      run.push(line);
      continue;
    }
    // A payment that goes on does not end the heartbeats around it.
    if (members !== undefined && members.length > 1 && members.at(-1) !== line) continue;
    endRun();
    pieces.push(
      members === undefined || members.length === 1
        ? { kind: 'line', lines: [line] }
        : { kind: 'payment', lines: members },
    );
  }
  endRun();
  return pieces;
}

function linesByPayment(lines: readonly LogLine[]): Map<string, LogLine[]> {
  const payments = new Map<string, LogLine[]>();
  for (const line of lines) {
    const payment = paymentOf(line);
    if (payment === null) continue;
    const members = payments.get(payment);
    if (members === undefined) payments.set(payment, [line]);
    else members.push(line);
  }
  return payments;
}

/** A void has an operation of its own, but the reference of its payment. */
function paymentOf({ reference, operationId }: LogLine): string | null {
  if (reference !== null) return `reference ${reference}`;
  return operationId === null ? null : `operation ${operationId}`;
}

/** What the terminal is asked between the payments: how it is, and what its last record is. */
const askedBetween = ['status-enquiry', 'repeat-receipt'];

function isHeartbeat(line: LogLine): boolean {
  return line.fields['frame'] === askedBetween[0] && lineDirection(line) === 'to_terminal';
}

/** A frame of no operation that begins such an enquiry, or belongs to the one that the run has begun. */
function goesOnWith(run: readonly LogLine[], line: LogLine): boolean {
  if (line.operationId !== null) return false;
  const direction = lineDirection(line);
  const { frame } = line.fields;
  if (direction === 'to_terminal' && askedBetween.some((name) => name === frame)) return true;
  return (
    run.length > 0 && (direction === 'from_terminal' || (direction !== null && frame === 'positive-ack'))
  );
}

function foldOf(kind: Fold['kind'], lines: readonly LogLine[], open: boolean): Fold {
  const rank = Math.max(...lines.map(({ level }) => logLevels.indexOf(level)));
  return {
    id: -(lines[0]?.id ?? 0),
    kind,
    open,
    lines,
    heartbeats: lines.filter(isHeartbeat).length,
    level: logLevels[rank] ?? 'info',
    amountLine:
      lines.find(
        (line) =>
          lineDirection(line) === 'to_terminal' &&
          pairsOf(line.fields['fields']).some(([name]) => name === 'amount'),
      ) ?? null,
  };
}
