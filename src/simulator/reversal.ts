/** 06 30: undoes a payment of the open batch by its receipt number (ZVT PA00P015, 06 30). */
import { hex, bitmap } from '../bridge/terminals/zvt/wire/index.ts';
import { askForAcknowledgement } from './acknowledgement.ts';
import type { Exchange } from './exchange.ts';
import { draftReversal } from './drafts.ts';
import { makeNoise, takeStep } from './steps.ts';
import { checkCurrency, checkPassword, readAmount } from './orders.ts';
import { receiptMessages } from './receipts.ts';
import { sendsPaymentReceipts, type Terminal } from './simulated-terminal.ts';
import { abortion, bareStatus, completion, recordStatus, reversalStatus } from './replies.ts';
import type { StoredPayment } from './terminal-memory.ts';

/** Result codes of ZVT PA00P015. */
const alreadyReversed = 'b4';
const reversalNotPossible = 'b5';

export async function serveReversal(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { command } = exchange;
  const refusal = checkPassword(terminal, command, 'required') ?? checkCurrency(terminal, command);
  if (refusal !== null) return exchange.endWithAnswer(refusal);
  const receiptNumber = bitmap(command, '87');
  if (receiptNumber === null) return exchange.endWithAnswer('8483');
  // A void goes wrong only when somebody asks for it: its amount was chosen for the payment.
  const scenario = terminal.takeScenario('approved');
  if (scenario === 'silence') return terminal.hang();
  if (scenario === 'noise') makeNoise(exchange);
  if (!(await exchange.accept())) return;

  const { dialect, memory } = terminal;
  const entry = dialect.reverses === 'named' ? memory.find(hex(receiptNumber)) : memory.newest();
  const wantedMinor = dialect.reverses === 'named' ? readAmount(command) : null;
  const problem = scenario === 'declined' ? '05' : problemOf(entry, wantedMinor);
  if (entry === null || problem !== null) return refuse(exchange, problem ?? reversalNotPossible);
  const takesMs = terminal.timings.hostMs * terminal.timeScale;
  const end = await takeStep(terminal, exchange, { status: '04', text: 'Waiting for the bank', takesMs });
  if (scenario === 'power_loss' && end === 'on') terminal.losePower();
  if (end === 'broken_off' || exchange.ended) return;

  const reversal = draftReversal(terminal, entry.payment);
  const record = { kind: 'reversal', payment: entry.payment, reversal } as const;
  const acknowledgement = await askForAcknowledgement(terminal, exchange, {
    statusInformation:
      dialect.numberedVoids === 'answer_and_record'
        ? recordStatus(terminal, record)
        : reversalStatus(terminal, reversal, entry.payment, 'bare'),
    receipts: sendsPaymentReceipts(terminal.registration) ? receiptMessages(terminal, record) : [],
    scenario,
    maxNotYet: 0,
    answerTimeoutMs: null,
    partialUpToMinor: null,
  });
  if (acknowledgement.kind === 'refused') {
    // Undone like a payment: the reversal was never stored, and the payment stands.
    terminal.log.warn('nobody acknowledged the reversal; the payment stands', {
      reason: acknowledgement.reason,
    });
    await terminal.lineBack();
    if (acknowledgement.tillListens) await refuse(exchange, '6c');
    return;
  }
  terminal.record([reversal]);
  if (scenario === 'cut_after_acknowledgement') terminal.cutLine();
  await exchange.finish(completion);
}

/** The code that says why this payment cannot be reversed, or null when it can. */
function problemOf(entry: StoredPayment | null, amountMinor: number | null): string | null {
  if (entry === null) return reversalNotPossible;
  if (entry.reversed) return alreadyReversed;
  return amountMinor === null || amountMinor === entry.payment.amount_minor ? null : reversalNotPossible;
}

async function refuse(exchange: Exchange, code: string): Promise<void> {
  if (exchange.ended) return;
  const answer = await exchange.sendAndWait(bareStatus(code));
  if (answer.kind !== 'undelivered') await exchange.finish(abortion(code));
}
