/** What the terminal answers, in the form of its dialect. */
import { encodeMessage, type MessageParts } from '../../bridge/terminals/ecr17/wire/index.ts';
import type { Scenario } from '../scenarios.ts';
import { cardByKey } from './cards.ts';
import type { Told } from './ledger.ts';
import type { Exchange, Terminal } from './terminal.ts';
import type { Result } from './terminal-memory.ts';
import { ticketParts } from './tickets.ts';

type Values = NonNullable<MessageParts['values']>;

/** Of each form of a result: its length, and where the zeros at its end begin. */
const lengths: Readonly<Record<Told, { whole: number; used: number }>> = {
  plain: { whole: 71, used: 71 },
  reversal: { whole: 84, used: 74 },
  extended: { whole: 92, used: 85 },
  conversion: { whole: 117, used: 107 },
};
const doneAction = '000';
const refusedAction = '100';

/** The very message that told a result, in the form in which it was asked for. */
export function resultMessage(terminal: Terminal, result: Result, form: Told): Uint8Array {
  const { whole, used } = lengths[form];
  const message = encode(terminal, {
    code: form === 'conversion' ? 'V' : 'E',
    length: whole,
    values: { ...resultValues(terminal, result), ...tailValues(result, form) },
  });
  return terminal.dialect.reservedTail ? message : message.subarray(0, used);
}

function resultValues({ dialect }: Terminal, result: Result): Values {
  if (result.event === 'refused')
    return { result: result.code, description: result.text, stan: result.stan ?? '' };
  const card = cardByKey(result.card);
  const isPayment = result.event === 'charged';
  return {
    result: '00',
    panLast4: { last4: card.last4, zeros: '', stars: card.last4.padStart(19, '*') }[dialect.cardNumber],
    entry: card.entry,
    // The documentation reserves it in a reversal.
    authorizationCode: isPayment ? result.authorisation : '',
    hostDateTime: result.host_date_time,
    cardType: card.type,
    acquirerId: card.acquirerId,
    stan: isPayment ? result.receipt_number : result.stan,
    onlineId: result.online_number,
  };
}

function tailValues(result: Result, form: Told): Values {
  if (form === 'plain') return {};
  const isRefused = result.event === 'refused';
  const actionCode = isRefused ? refusedAction : doneAction;
  if (form === 'reversal' || isRefused) return { actionCode };
  const cents = String(result.amount_minor);
  if (form === 'extended') return { actionCode, hostAmount: cents };
  const { currency, rate } = cardByKey(result.card).foreign ?? { currency: 'EUR', rate: 10_000 };
  return {
    actionCode,
    originalAmount: cents,
    dccApplied: '1',
    dccRate: String(rate),
    dccCurrency: currency,
    dccAmount: String(Math.round((result.amount_minor * rate) / 10_000)),
    dccPrecision: '2',
  };
}

/** T. The sum of payments and reversals of the open batch, in cents. */
export function totalsMessage(terminal: Terminal, totalMinor: number): Uint8Array {
  const { hostTotal, reservedTail } = terminal.dialect;
  const total = String(totalMinor);
  if (hostTotal)
    return encode(terminal, {
      code: 'T',
      length: 44,
      values: { result: '00', posTotal: total, hostTotal: total },
    });
  const message = encode(terminal, { code: 'T', values: { result: '00', posTotal: total } });
  return reservedTail ? message : message.subarray(0, 28);
}

/** C, of a close that was done. */
export function closeMessage(terminal: Terminal, totalMinor: number): Uint8Array {
  const total = String(totalMinor);
  return encode(terminal, { code: 'C', values: { result: '00', posTotal: total, hostTotal: total } });
}

/** C, of one that was not. */
export function closeRefusalMessage(terminal: Terminal, text: string): Uint8Array {
  const message = encode(terminal, {
    code: 'C',
    values: { result: '01', description: text, actionCode: refusedAction },
  });
  return terminal.dialect.reservedTail ? message : message.subarray(0, 34);
}

export function statusMessage(terminal: Terminal, dateTime: string): Uint8Array {
  return encode(terminal, {
    code: 's',
    values: { dateTime, status: terminal.status, software: 'TILLSIM 100' },
  });
}

/** Whole messages from the terminal; what a caller gives always fits. */
function encode({ terminalId }: Terminal, parts: Omit<MessageParts, 'direction' | 'terminalId'>): Uint8Array {
  const encoding = encodeMessage({ direction: 'from_terminal', terminalId, ...parts });
  if (!encoding.ok) throw new Error(encoding.error);
  return encoding.data;
}

export interface Ending {
  scenario?: Scenario | undefined;
  /** Those that go to the till. */
  tickets?: readonly string[];
}

/** The answer that ends a request, with what a scenario or a test has happen to it. */
export async function endWithAnswer(
  terminal: Terminal,
  exchange: Exchange,
  message: Uint8Array,
  { scenario = 'approved', tickets = [] }: Ending = {},
): Promise<void> {
  const { faults, dialect } = terminal;
  const isBefore = dialect.tickets === 'before_result';
  if (isBefore) await sendTickets(terminal, exchange, tickets);
  if (faults.lostAnswers > 0) {
    faults.lostAnswers -= 1;
    return;
  }
  const isLast = faults.repeatedAnswers === 0 && (tickets.length === 0 || isBefore);
  const delivery = await exchange.send(message, {
    half: scenario === 'cut_before_acknowledgement' ? () => terminal.cutLine() : undefined,
    delivered() {
      if (scenario === 'cut_after_acknowledgement') terminal.cutLine();
      if (isLast) endAtOnce(terminal, exchange);
    },
  });
  if (delivery !== 'delivered') {
    terminal.log.warn('nobody acknowledged the answer; what was done stands');
    return;
  }
  if (faults.repeatedAnswers > 0) {
    faults.repeatedAnswers -= 1;
    await exchange.send(message);
  }
  if (!isBefore) await sendTickets(terminal, exchange, tickets, () => endAtOnce(terminal, exchange));
}

/** The next request may stand right behind the ACK, and behind a command that is over some terminals hang up. */
export function endAtOnce({ dialect, hangUp }: Terminal, exchange: Exchange): void {
  if (dialect.hangsUp) hangUp();
  else exchange.release();
}

/** Part by part; a till that does not acknowledge one gets no more. `delivered`: called at the ACK of the last. */
export async function sendTickets(
  terminal: Terminal,
  exchange: Exchange,
  tickets: readonly string[],
  delivered?: () => void,
): Promise<void> {
  const parts = tickets.flatMap(ticketParts);
  for (const [index, text] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const part = encode(terminal, { code: 'S', values: { text } });
    const delivery = await exchange.send(part, { delivered: isLast ? delivered : undefined });
    if (delivery !== 'delivered') return;
  }
}
