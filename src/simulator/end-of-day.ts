/** 06 50 (transfers the turnover and empties the store) and 06 10 (only reports); ZVT PA00P015, chapter 2. */
import type { Exchange } from './exchange.ts';
import { draftSettlement } from './drafts.ts';
import { makeNoise, takeStep } from './steps.ts';
import { checkPassword } from './orders.ts';
import { receiptMessages } from './receipts.ts';
import { sendsAdministrationReceipts, type Terminal } from './simulated-terminal.ts';
import { abortion, completion, recordStatus, totalsStatus } from './replies.ts';

/** Result code of ZVT PA00P015. */
const endOfDayNotPossible = '77';

/**
 * The day is closed when the host has taken it, before the till hears of it: no missing answer opens it again (only
 * payments and reversals are undone: ZVT PA00P015, chapter 4).
 */
export async function serveEndOfDay(terminal: Terminal, exchange: Exchange): Promise<void> {
  const refusal = checkPassword(terminal, exchange.command, 'required');
  if (refusal !== null) return exchange.endWithAnswer(refusal);
  const scenario = terminal.takeScenario('approved');
  if (scenario === 'silence') return terminal.hang();
  if (scenario === 'noise') makeNoise(exchange);
  if (!(await exchange.accept())) return;

  const takesMs = terminal.timings.hostMs * terminal.timeScale;
  const end = await takeStep(terminal, exchange, { status: '0e', text: 'Sending the turnover', takesMs });
  if (scenario === 'power_loss' && end === 'on') terminal.losePower();
  if (end === 'broken_off' || exchange.ended) return;
  if (scenario === 'declined') return exchange.finish(abortion(endOfDayNotPossible));

  const batch = draftSettlement(terminal);
  const record = { kind: 'batch', batch, totals: terminal.memory.totals() } as const;
  terminal.record([batch]);
  const cutWhenDelivered = scenario === 'cut_before_acknowledgement' ? () => terminal.cutLine() : undefined;
  const receipts = sendsAdministrationReceipts(terminal.registration)
    ? receiptMessages(terminal, record)
    : [];
  for (const message of [recordStatus(terminal, record), ...receipts]) {
    const answer = await exchange.sendAndWait(message, { cutWhenDelivered });
    if (answer.kind === 'undelivered') return;
    if (answer.kind === 'cut') await terminal.lineBack();
  }
  if (scenario === 'cut_after_acknowledgement') terminal.cutLine();
  await exchange.finish(completion);
}

export async function serveTotals(terminal: Terminal, exchange: Exchange): Promise<void> {
  const refusal = checkPassword(terminal, exchange.command, 'required');
  if (refusal !== null) return exchange.endWithAnswer(refusal);
  if (!(await exchange.accept())) return;
  const answer = await exchange.sendAndWait(totalsStatus(terminal, terminal.memory.totals(), null));
  if (answer.kind !== 'undelivered') await exchange.finish(completion);
}
