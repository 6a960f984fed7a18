/**
 * Is the terminal there, ready and idle, and what is its last record: registration (06 00), status enquiry (05 01) and
 * repeat receipt without printing (06 20 … 03 03), in this order. Nothing here moves money or carries an amount.
 *
 * The order is the proof. Answers come in the order of the questions, so a 05 01 that was taken (80 00) and completed
 * with a status, without any other message of the terminal between, shows that nothing older is still under way; the
 * result (04 0F) that 06 20 then brings is the last record and no late result.
 */
import type { LastRecord, TerminalIdentity } from '../../../contract/terminal.ts';
import type { Readiness } from '../terminal-driver.ts';
import { bitmap } from './messages.ts';
import { hex } from './bytes.ts';
import {
  registration,
  registrationCtrl,
  repeatReceipt,
  repeatReceiptCtrl,
  statusEnquiry,
  statusEnquiryCtrl,
} from './commands.ts';
import type { Conversation } from './conversation.ts';
import { ask, type Asked } from './question.ts';
import { toTerminalRecord } from './record.ts';
import { statusCure, statusText } from './result-codes.ts';
import {
  abortedCode,
  codeSentence,
  notPossibleCode,
  passwordAdvice,
  pleaseWaitCode,
  sentence,
  wrongCurrencyCode,
  wrongPasswordCode,
} from './sentences.ts';
import { isAtWork, statusOf } from './terminal-status.ts';

const busyText = 'The terminal is busy with something of its own.';

/** A way in which looking at the terminal ended early; passed on as it is. */
type Obstacle = Exclude<Readiness, { kind: 'ready' }>;

/** The whole of it; with `register` false only status and last record, for the heartbeat. */
export async function lookAtTerminal(conversation: Conversation, register: boolean): Promise<Readiness> {
  if (register) {
    const obstacle = await registerAtTerminal(conversation);
    if (obstacle !== null) return obstacle;
  }
  const status = await askStatus(conversation);
  if (typeof status !== 'number') return status;
  const lastRecord = await readLastRecord(conversation);
  if ('obstacle' in lastRecord) return lastRecord.obstacle;
  conversation.inStep = true;

  const terminal = identityOf(conversation, lastRecord);
  const cure = statusCure(status);
  if (status === 0) return { kind: 'ready', terminal, lastRecord };
  const text = sentence(`The terminal is not ready: ${statusText(status)}`);
  return { kind: 'attention', text, cure: cure === 'batch_close' ? cure : 'service', terminal, lastRecord };
}

async function registerAtTerminal(conversation: Conversation): Promise<Obstacle | null> {
  let asked = await askRegistration(conversation, 'full');
  if (asked.kind === 'refused' && asked.code === notPossibleCode) {
    // Either the terminal does not know TLV containers, or it is busy; the plain form tells which.
    asked = await askRegistration(conversation, 'plain');
  }
  switch (asked.kind) {
    case 'completed': {
      const terminalId = bitmap(asked.completion, '29');
      if (terminalId !== null) conversation.terminalId = hex(terminalId);
      return null;
    }
    case 'refused':
      return refusal(conversation, asked.code, 'The terminal refuses to register this till');
    case 'busy':
    case 'silent':
      return asked;
  }
}

function askRegistration(conversation: Conversation, form: 'full' | 'plain'): Promise<Asked> {
  const { settings, currency } = conversation;
  return ask(conversation, {
    ctrl: registrationCtrl,
    apdu: registration(settings, currency, form),
    takes: [],
    isCompletion: () => true,
    lateResults: 'adopt',
  });
}

/** The status code of an idle terminal, or what stands in the way. */
async function askStatus(conversation: Conversation): Promise<number | Obstacle> {
  const asked = await ask(conversation, {
    ctrl: statusEnquiryCtrl,
    apdu: statusEnquiry(conversation.settings.password),
    takes: [],
    isCompletion: (message) => statusOf(message) !== null,
    lateResults: 'adopt',
  });
  switch (asked.kind) {
    case 'completed': {
      const status = statusOf(asked.completion) ?? 0;
      if (!isAtWork(status)) return status;
      return { kind: 'busy', text: sentence(`The terminal is not ready: ${statusText(status)}`) };
    }
    case 'refused':
      return refusal(conversation, asked.code, 'The terminal does not tell its status');
    case 'busy':
    case 'silent':
      return asked;
  }
}

/**
 * What the terminal shows as its last record. A completion without any result means that it has none; every refusal
 * means that it could not be read, because terminals do not agree on what they refuse it with.
 */
export async function readLastRecord(
  conversation: Conversation,
): Promise<LastRecord | { obstacle: Obstacle }> {
  const { password, textEncoding } = conversation.settings;
  const asked = await ask(conversation, {
    ctrl: repeatReceiptCtrl,
    apdu: repeatReceipt(password),
    takes: ['040f', '06d1', '06d3'],
    isCompletion: () => true,
    lateResults: 'refuse',
  });
  switch (asked.kind) {
    case 'completed': {
      const result = asked.messages.find((message) => message.ctrl === '040f');
      if (result === undefined) return { kind: 'empty' };
      const record = toTerminalRecord(result, textEncoding);
      if (record.resultCode === null) return unavailable('The terminal sent a last record without a result.');
      if (!record.approved && record.traceNumber === null && record.receiptNumber === null) {
        return unavailable(sentence(`The terminal does not show its last record: ${record.resultText}`));
      }
      return { kind: 'record', record };
    }
    case 'refused': {
      const setting = settingProblem(conversation, asked.code);
      if (setting !== null) return { obstacle: setting };
      if (asked.code === pleaseWaitCode) return { obstacle: { kind: 'busy', text: busyText } };
      return unavailable(codeSentence('The terminal does not show its last record', asked.code));
    }
    case 'busy':
    case 'silent':
      return { obstacle: asked };
  }
}

function refusal(conversation: Conversation, code: number | null, what: string): Obstacle {
  const setting = settingProblem(conversation, code);
  if (setting !== null) return setting;
  // A terminal at work answers every other command like this; 6C is the late end of something that was broken off.
  if (code === notPossibleCode || code === pleaseWaitCode || code === abortedCode) {
    return { kind: 'busy', text: busyText };
  }
  return attention(conversation, codeSentence(what, code), 'service');
}

function settingProblem(conversation: Conversation, code: number | null): Obstacle | null {
  if (code === wrongPasswordCode) return attention(conversation, passwordAdvice, 'setting');
  if (code !== wrongCurrencyCode) return null;
  const text = `The terminal does not accept the currency ${conversation.currency}. Set the currency that it works in.`;
  return attention(conversation, text, 'setting');
}

function attention(conversation: Conversation, text: string, cure: 'service' | 'setting'): Obstacle {
  const lastRecord = unavailable('It was not read, because the terminal needs attention first.');
  return { kind: 'attention', text, cure, terminal: identityOf(conversation, lastRecord), lastRecord };
}

function unavailable(reason: string): LastRecord {
  return { kind: 'unavailable', reason };
}

/** The id from registration; a terminal that does not tell it there tells it in each record. */
function identityOf(conversation: Conversation, lastRecord: LastRecord): TerminalIdentity {
  if (lastRecord.kind === 'record') conversation.terminalId ??= lastRecord.record.terminalId;
  return { protocol: 'zvt', terminalId: conversation.terminalId };
}
