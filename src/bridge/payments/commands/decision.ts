/**
 * What a command comes to: plain functions of what is known now, `(view, request) → decision`. They look everything up
 * and change nothing; `perform.ts` carries the decision out in the same turn of the event loop, so that nothing can come
 * between the look at the journal and the operation's place in it.
 */
import { refuse, type Refused } from '../../../contract/errors.ts';
import type { OperationStarted } from '../../../contract/journal-events.ts';
import type { Currency } from '../../../contract/money.ts';
import type { LastRecord, TerminalIdentity } from '../../../contract/terminal.ts';
import type { Journal, OperationRow } from '../../journal/index.ts';
import type {
  OperationAnswer,
  OperationWatch,
  TerminalDriver,
  TerminalProtocol,
} from '../../terminals/terminal-driver.ts';

export type Decision<T> =
  | { kind: 'refuse'; refused: Refused }
  /** It was done before, or there is nothing to do. */
  | { kind: 'answer'; value: T }
  /** It is under way: its end is the answer. */
  | { kind: 'join'; operationId: string }
  /** The terminal is being polled, and will be free in a moment: decide again then. */
  | { kind: 'wait' }
  /** To be journaled, and given to the terminal. */
  | { kind: 'begin'; operation: OperationStarted; order: Order };

/** How an operation is given to the driver. */
export type Order = (driver: TerminalDriver, watch: OperationWatch) => Promise<OperationAnswer>;

export type JournalView = Omit<Journal, 'append' | 'close' | 'subscribe'>;

/** Everything that a command is decided by. */
export interface CommandView {
  journal: JournalView;
  currency: Currency;
  protocol: Pick<TerminalProtocol, 'terminalReferenceLength' | 'cannotCancel' | 'refuseSale' | 'refuseVoid'>;
  /** How much more than asked may be approved, in per cent of it. */
  maxTipPercent: number;
  /** Whether the terminal can be given an operation. */
  terminal:
    | { kind: 'free' }
    | { kind: 'free_for_batch_close'; text: string }
    | { kind: 'free_soon' }
    | { kind: 'operating' }
    | { kind: 'unavailable'; text: string };
  /** Operations in doubt, oldest first. */
  inDoubt: OperationRow[];
  /** The operation on the terminal now. */
  current: OperationStarted | null;
  stopping: boolean;
  /** Why no sale with this reference may start, seen from the other terminals of the bridge; null: nothing against it. */
  elsewhere(reference: string): Refused | null;
  /** Why the journal could not be written last; null when it could. */
  journalTrouble: string | null;
  newOperation(): {
    operationId: string;
    terminal: TerminalIdentity;
    baseline: LastRecord;
    simulated: boolean;
  };
  /** A whole number from `from` up to, not including, `below`. */
  randomInteger(from: number, below: number): number;
}

export function refused(...parts: Parameters<typeof refuse>): { kind: 'refuse'; refused: Refused } {
  return { kind: 'refuse', refused: refuse(...parts) };
}

/** What stands in the way of an operation now; null when it may begin. */
export function obstacle(
  view: CommandView,
  purpose: 'payment' | 'batch_close',
): Extract<Decision<never>, { kind: 'refuse' | 'wait' }> | null {
  const [oldest] = view.inDoubt;
  if (oldest !== undefined) return refused('payment_unresolved', inDoubtText(oldest));
  if (view.stopping) {
    return refused('terminal_unavailable', 'The bridge is stopping. Start it again and then repeat.');
  }
  const { terminal } = view;
  switch (terminal.kind) {
    case 'free':
      return null;
    case 'free_for_batch_close':
      return purpose === 'batch_close' ? null : refused('terminal_unavailable', terminal.text);
    case 'free_soon':
      return { kind: 'wait' };
    case 'operating':
      return refused('terminal_busy', busyText(view.current));
    case 'unavailable':
      return view.journalTrouble === null
        ? refused('terminal_unavailable', terminal.text)
        : { kind: 'refuse', refused: journalUnusable(view.journalTrouble) };
  }
}

export function journalUnusable(trouble: string): Refused {
  return refuse(
    'journal_unavailable',
    `The journal cannot be used, so nobody can tell about payments now: ${trouble}`,
  );
}

/** For an operation that has not ended in time, or that only a person can end. */
export function undecided(row: OperationRow, what: string): Refused {
  if (row.needsDecision) {
    return refuse(
      'payment_unresolved',
      `Nobody can tell how ${what} ended (operation ${row.operationId}). Look at the terminal, then decide it in the ` +
        `console or with "tillbridge resolve".`,
    );
  }
  return refuse('terminal_timeout', `The terminal has not decided ${what} yet; it goes on. Ask again.`);
}

function busyText(current: OperationStarted | null): string {
  if (current === null) return 'The terminal is busy. Try again in a moment.';
  if (current.kind === 'batch_close')
    return 'The terminal is closing the batch. Try again when it has finished.';
  const what = current.kind === 'sale' ? 'payment' : 'void of payment';
  return `The terminal is busy with ${what} ${current.reference}. Try again when it has finished.`;
}

function inDoubtText(row: OperationRow): string {
  const what =
    row.kind === 'batch_close'
      ? 'The batch close'
      : `${row.kind === 'sale' ? 'Payment' : 'The void of payment'} ${row.reference ?? ''}`;
  const next = row.needsDecision
    ? 'Look at the terminal, then decide it in the console or with "tillbridge resolve".'
    : 'Recovery is at work.';
  return `${what} is in doubt (operation ${row.operationId}); nothing that moves money starts until it is decided. ${next}`;
}

/** The number under which the terminal is to keep a sale or a void; empty where its protocol has none. */
export function drawTerminalReference({
  protocol,
  randomInteger,
}: Pick<CommandView, 'protocol' | 'randomInteger'>): { terminalReference?: string } {
  const length = protocol.terminalReferenceLength;
  if (length === undefined) return {};
  const draw = () => randomInteger(0, 36).toString(36).toUpperCase();
  return { terminalReference: Array.from({ length }, draw).join('') };
}
