/** 06 01: card, PIN, host, result, acknowledgement, end (ZVT PA00P015, 06 01 and chapter 4). */
import { askForAcknowledgement } from './acknowledgement.ts';
import { cardFor } from './cards.ts';
import type { Exchange } from './exchange.ts';
import { capacityProblem, sendsPaymentReceipts, type Terminal } from './simulated-terminal.ts';
import { draftAutoReversal, draftPayment, draftRefusal, draftSettlement } from './drafts.ts';
import type { ChargedEntry } from './ledger.ts';
import { readOrder, type Order } from './orders.ts';
import { takeStep, type Step, makeNoise } from './steps.ts';
import { receiptMessages } from './receipts.ts';
import { abortion, bareStatus, completion, refusalStatus, resultStatus } from './replies.ts';
import { formatAmount } from '../contract/money.ts';
import { scenarioOf, type Scenario } from './scenarios.ts';

type Decision =
  | { kind: 'approved' }
  | { kind: 'refused'; code: string; text: string; byHost: boolean }
  /** The till's 06 B0 came in time, on a terminal that then says its ends and no result. */
  | { kind: 'stopped' }
  /** The till cannot be reached any more, or the power is gone: nothing happened. */
  | { kind: 'broken_off' };

/** Result code 6C of ZVT PA00P015: stopped by a key, by time, or by the till. */
const cancelCode = '6c';
const cancelledByTill: Decision = {
  kind: 'refused',
  code: cancelCode,
  text: 'Cancelled by the till',
  byHost: false,
};
const stopped: Decision = { kind: 'stopped' };
const cancelledByCustomer: Decision = {
  kind: 'refused',
  code: cancelCode,
  text: 'Cancelled by the customer',
  byHost: false,
};
const declinedByIssuer: Decision = {
  kind: 'refused',
  code: '05',
  text: 'Declined by the issuer',
  byHost: true,
};

export async function servePayment(terminal: Terminal, exchange: Exchange): Promise<void> {
  const order = readOrder(terminal, exchange.command);
  if (!order.ok) return exchange.endWithAnswer(order.answer);
  const scenario = terminal.takeScenario(scenarioOf(order.amountMinor));
  if (scenario === 'silence') return terminal.hang();
  if (scenario === 'noise') makeNoise(exchange);
  const aborted = new AbortController();
  exchange.onAbort = () => aborted.abort();
  if (!(await exchange.accept())) return;

  const decision = await decide(terminal, exchange, order, scenario, aborted.signal);
  exchange.onAbort = null;
  switch (decision.kind) {
    case 'approved':
      return bringToEnd(terminal, exchange, order, scenario);
    case 'refused':
      return refuse(terminal, exchange, order, decision);
    case 'stopped':
      exchange.sendOnly(completion);
      return exchange.finish(abortion('6c'));
    case 'broken_off':
      terminal.log.warn('a payment broke off before it was decided; nothing was charged', {
        amount: formatAmount(order.amountMinor, terminal.currency),
      });
      return;
  }
}

async function decide(
  terminal: Terminal,
  exchange: Exchange,
  order: Order,
  scenario: Scenario,
  aborted: AbortSignal,
): Promise<Decision> {
  const cancelled = terminal.dialect.abortEndsWith === 'result' ? cancelledByTill : stopped;
  for (const step of stepsOf(terminal, scenario)) {
    if (aborted.aborted) return cancelled;
    if ((await takeStep(terminal, exchange, step, aborted)) === 'broken_off') return { kind: 'broken_off' };
  }
  // From here on the host has answered, and 06 B0 comes too late.
  if (aborted.aborted) return cancelled;
  const problem = capacityProblem(terminal, chargedMinor(terminal, order));
  if (problem !== null) return { kind: 'refused', code: problem, text: 'Turnover file full', byHost: false };
  if (scenario === 'declined') return declinedByIssuer;
  if (scenario === 'cancelled_by_customer') return cancelledByCustomer;
  if (scenario !== 'power_loss') return { kind: 'approved' };
  terminal.losePower();
  return { kind: 'broken_off' };
}

function stepsOf(terminal: Terminal, scenario: Scenario): Step[] {
  const { timeScale, timings } = terminal;
  const insertCard: Step = { status: '0a', text: 'Insert card', takesMs: timings.cardMs * timeScale };
  const enterPin: Step = { status: '01', text: 'Enter PIN', takesMs: timings.pinMs * timeScale };
  const waitForHost: Step = {
    status: '04',
    text: 'Waiting for the bank',
    takesMs: timings.hostMs * timeScale,
  };
  const unreadable: Step = { status: '0c', text: 'Card unreadable', takesMs: timings.cardMs * timeScale };
  if (scenario === 'cancelled_by_customer') return [insertCard];
  if (scenario === 'card_unreadable') return [insertCard, unreadable, insertCard, enterPin, waitForHost];
  if (scenario !== 'slow_host') return [insertCard, enterPin, waitForHost];
  const waits = Math.max(1, Math.ceil(timings.slowHostMs / timings.progressEveryMs));
  const wait: Step = { ...waitForHost, takesMs: timings.progressEveryMs };
  return [insertCard, enterPin, ...Array.from({ length: waits }, () => wait)];
}

async function refuse(
  terminal: Terminal,
  exchange: Exchange,
  { amountMinor }: Order,
  { code, text, byHost }: Extract<Decision, { kind: 'refused' }>,
): Promise<void> {
  const { dialect } = terminal;
  const card = byHost ? cardFor(amountMinor) : null;
  const kept = draftRefusal(terminal, { amountMinor, code, text });
  // It is no matter of the till's answer: nothing was taken that could be undone.
  if (kept !== null) terminal.record([kept]);
  const traceNumber = kept?.trace_number ?? null;
  const answer = await exchange.sendAndWait(
    refusalStatus(terminal, { code, text, amountMinor, card, traceNumber }),
  );
  if (answer.kind === 'undelivered' || dialect.refusalEndsWith === 'nothing') return;
  const completes = code === cancelCode && dialect.cancelEndsWith === '060f';
  await exchange.finish(completes ? completion : abortion(code));
}

/** The host has approved. Now either the till acknowledges, or it never was. */
async function bringToEnd(
  terminal: Terminal,
  exchange: Exchange,
  order: Order,
  scenario: Scenario,
): Promise<void> {
  const payment = draftPayment(terminal, chargedMinor(terminal, order));
  const record = { kind: 'payment', payment } as const;
  const acknowledgement = await askForAcknowledgement(terminal, exchange, {
    statusInformation: resultStatus(terminal, payment),
    receipts: sendsPaymentReceipts(terminal.registration) ? receiptMessages(terminal, record) : [],
    scenario,
    maxNotYet: order.maxNotYet,
    answerTimeoutMs: order.answerTimeoutMs,
    partialUpToMinor: payment.amount_minor,
  });
  switch (acknowledgement.kind) {
    case 'final':
      terminal.record([payment]);
      break;
    case 'partial': {
      const amountMinor = acknowledgement.amountMinor;
      const amount = formatAmount(amountMinor, terminal.currency);
      terminal.record([{ ...payment, amount_minor: amountMinor, amount }]);
      break;
    }
    case 'refused':
      return autoReverse(terminal, exchange, payment, acknowledgement);
  }
  if (scenario === 'cut_after_acknowledgement') terminal.cutLine();
  await exchange.finish(completion);
  const { closesDayAfter } = terminal.dialect;
  if (closesDayAfter !== null && terminal.memory.totals().count >= closesDayAfter) {
    terminal.record([draftSettlement(terminal)]);
  }
}

function chargedMinor(terminal: Terminal, { amountMinor }: Order): number {
  return Math.max(1, Math.trunc((amountMinor * terminal.dialect.chargedPercent) / 100));
}

async function autoReverse(
  terminal: Terminal,
  exchange: Exchange,
  payment: ChargedEntry,
  refusal: { reason: string; tillListens: boolean },
): Promise<void> {
  terminal.log.warn('nobody acknowledged the payment; the terminal reverses it', {
    receipt_number: payment.receipt_number,
    reason: refusal.reason,
  });
  terminal.record([payment, draftAutoReversal(terminal, payment, refusal.reason)]);
  await terminal.lineBack();
  if (!refusal.tillListens || exchange.ended) return;
  const step: Step = {
    status: '05',
    text: 'Sending auto-reversal',
    takesMs: terminal.timings.hostMs * terminal.timeScale,
  };
  if ((await takeStep(terminal, exchange, step)) === 'broken_off') return;
  const answer = await exchange.sendAndWait(bareStatus('6c'));
  if (answer.kind !== 'undelivered') await exchange.finish(abortion('6c'));
}
