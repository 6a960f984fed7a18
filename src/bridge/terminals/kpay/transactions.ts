/** A sale or a void from its one request to its end: taken at once, and asked for until the terminal says how it ended. */
import { pause, type Clock } from '../../../base/clock.ts';
import { formatAmount } from '../../../contract/money.ts';
import type { TerminalRecord } from '../../../contract/terminal.ts';
import type { OperationAnswer, OperationWatch } from '../terminal-driver.ts';
import type { KpayClient } from './client.ts';
import { alreadyRefundedRecord } from './record.ts';
import type { Stop } from './stop.ts';
import type { Found, Ordered, Track } from './track.ts';
import { answerCode, codeText, startProvedBy, type KpayCommand, type PayState } from './wire/index.ts';

/** How often a running transaction is asked for, in milliseconds. */
export const askMs = 2_000;
/** What has no end after so long is in doubt, in milliseconds. */
export const promptMs = 180_000;
/** So many questions in a row without an answer, and it is in doubt. */
const maxUnanswered = 3;

export interface TransactionParts {
  ask: KpayClient['send'];
  /** Asks what the terminal holds of it. */
  askFor(track: Track): Promise<Found>;
  /** The terminal still takes the keys under which the transaction was sent. */
  hasKeysOfSending(): boolean;
  clock: Clock;
  /** Aborts when the conversation is given up. */
  ended: AbortSignal;
}

/** Sends it once. `stop` is that of a sale. */
export async function carryOut(
  parts: TransactionParts,
  {
    command,
    track,
    stop,
  }: {
    command: Extract<KpayCommand, { call: 'sale' | 'void' }>;
    track: Track;
    stop: Stop | null;
  },
  operation: OperationWatch,
): Promise<OperationAnswer> {
  const outcome = await parts.ask(command);
  operation.timed({ answerMs: Math.round(parts.clock.elapsed() - track.sinceMs) });
  if (outcome.kind === 'not_sent')
    return { kind: 'not_started', refusedByTerminal: false, reason: outcome.reason };
  if (outcome.kind === 'answered') {
    const { code } = outcome.answer;
    const proved = startProvedBy(code, command.call);
    if (proved === 'started') track.noteTaken();
    // The money is back, but not by this void.
    if (code === answerCode.alreadyRefunded) {
      track.noteUnclear(voidedElsewhere);
      // Outlives this process (`reconcile` in index.ts). Unwritten, it is as if it had not been told.
      operation.persistResult(alreadyRefundedRecord(codeText(code)));
      return unknown(voidedElsewhere);
    }
    if (proved === 'not_started' && !outcome.repeated)
      return { kind: 'not_started', refusedByTerminal: true, reason: codeText(code) };
  }
  return answerOf(await followed(parts, track, stop), track.ordered, stop, operation);
}

export const voidedElsewhere =
  'The terminal says that the payment was already voided, and the bridge did not do it.';

const otherKeys =
  'The terminal has forgotten the keys of the bridge, so it may be another one, which never got this.';

/** What it came to in the end, or why nobody can tell yet. */
async function followed(
  { askFor, hasKeysOfSending, clock, ended }: TransactionParts,
  track: Track,
  stop: Stop | null,
): Promise<Exclude<Found, { kind: 'pending' }>> {
  const inDoubt = (reason: string) => ({ kind: 'unclear', reason }) as const;
  for (;;) {
    stop?.tell();
    const found = await askFor(track);
    // A terminal that has forgotten our keys meanwhile may be another one, which never got it.
    if (found.kind === 'absent' && !hasKeysOfSending()) return inDoubt(otherKeys);
    if (found.kind !== 'pending') return found;
    if (ended.aborted) return inDoubt('The bridge gave up the connection to the terminal.');
    if (track.unanswered >= maxUnanswered) return inDoubt('The terminal does not answer.');
    if (clock.elapsed() - track.sinceMs >= promptMs)
      return inDoubt('The terminal has not said within three minutes how it ended.');
    await pause(clock, askMs, ended, stop?.answered());
  }
}

function answerOf(
  found: Exclude<Found, { kind: 'pending' }>,
  ordered: Ordered,
  stop: Stop | null,
  operation: OperationWatch,
): OperationAnswer {
  switch (found.kind) {
    case 'absent':
      return { kind: 'not_started', refusedByTerminal: false, reason: 'It never reached the terminal.' };
    case 'unclear':
      return unknown(found.reason);
    case 'record': {
      const { record, state } = found;
      if (!operation.persistResult(record)) return unknown('The result could not be written to the journal.');
      if (!record.approved) return refusal(record, state, stop);
      const wrong = wrongAmount(ordered, record);
      return wrong === null ? { kind: 'done', record, receiptLines: [] } : unknown(wrong);
    }
  }
}

/** Whatever was given back or cancelled, there is no money; who stopped it is known only where it was the cashier. */
function refusal(record: TerminalRecord, state: PayState, stop: Stop | null): OperationAnswer {
  const told = { reason: record.hostResponseText ?? record.resultText, record, receiptLines: [] };
  if (state === 'failed') return { kind: 'declined', ...told };
  return { kind: 'cancelled', by: stop?.isAsked === true ? 'cashier' : 'customer', ...told };
}

/** Why a success is not what was ordered; null when it is. */
function wrongAmount(
  { kind, amountMinor, maxAmountMinor, currency }: Ordered,
  record: TerminalRecord,
): string | null {
  const taken = record.amountMinor ?? -1;
  if (taken >= amountMinor && taken <= maxAmountMinor) return null;
  const shown = `${formatAmount(Math.max(taken, 0), currency)} ${currency}`;
  return kind === 'sale'
    ? `The terminal took another amount than was asked for: ${shown}.`
    : `The terminal gave back another amount than was asked for: ${shown}.`;
}

function unknown(reason: string): OperationAnswer {
  return { kind: 'unknown', reason };
}
