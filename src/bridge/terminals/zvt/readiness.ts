/**
 * Is the terminal there, ready and idle, and what is its last record: registration (06 00), status enquiry (05 01) and
 * repeat receipt without printing (06 20 … 03 03), in this order. Nothing here moves money or carries an amount.
 *
 * The order is the proof. Answers come in the order of the questions, so a 05 01 that was taken (80 00) and completed
 * with a status, without any other message of the terminal between, shows that nothing older is still under way; the
 * result (04 0F) that 06 20 then brings is the last record and no late result.
 *
 * A terminal that lacks one of them becomes ready as far as it goes. What it lacks is told apart from being at work,
 * which refuses with the same code, by asking again once it has shown that it is not; see `docs/adr/0013`.
 */
import type { LastRecord } from '../../../contract/terminal.ts';
import type { Readiness } from '../terminal-driver.ts';
import { statusEnquiry, statusEnquiryCtrl } from './commands.ts';
import type { Conversation } from './conversation.ts';
import { readLastRecord, type Shown } from './last-record.ts';
import { attention, busyText, identityOf, refusal, type Obstacle } from './obstacles.ts';
import { ask } from './question.ts';
import { registerAtTerminal } from './registration.ts';
import {
  statusCure,
  statusText,
  isAtWork,
  terminalStatusOf,
  notPossibleCode,
  protocolErrorCode,
} from './wire/index.ts';
import { sentence } from './sentences.ts';

const noStatusText =
  'The terminal does not answer the status enquiry as the standard asks; it is asked again.';
const strangerText = 'The last record is of another terminal id; the terminal is asked who it is.';
const neitherText =
  'The terminal answers neither the status enquiry nor the question for its last record, ' +
  'so it cannot be told whether it is idle. Switch one of them on at the terminal.';
/** How often the status is asked before an answer without one counts as the terminal's way. */
const statusAttempts = 3;
/** Looks in a row in which all but the registration was refused, after which being busy is no explanation any more. */
const maxRefusedLooks = 3;

/** The whole of it; with `register` false only status and last record, for the heartbeat. */
export async function lookAtTerminal(conversation: Conversation, register: boolean): Promise<Readiness> {
  let registrationRefused = false;
  if (register) {
    const registered = await registerAtTerminal(conversation);
    if (registered.kind === 'obstacle') return registered.obstacle;
    registrationRefused = registered.kind === 'refused';
  }
  const status = await askStatus(conversation);
  if (status.kind === 'obstacle') return status.obstacle;
  const record = await readLastRecord(conversation);
  if (record.kind === 'obstacle') return record.obstacle;
  const obstacle =
    (status.kind === 'refused'
      ? await judgeRefusedStatus(conversation, record, registrationRefused)
      : null) ?? (registrationRefused ? await judgeRefusedRegistration(conversation) : null);
  if (obstacle !== null) return obstacle;
  const saidWhoItIs = register && !registrationRefused;
  const strange = !saidWhoItIs && isStrange(conversation, record.lastRecord);
  if (strange && !register) {
    conversation.inStep = false;
    return { kind: 'busy', text: strangerText };
  }
  conversation.inStep = true;

  const lastRecord = strange ? record.lastRecord : ownRecord(conversation, record.lastRecord);
  const terminal = identityOf(conversation);
  conversation.traits.tell();
  const code = status.kind === 'status' ? status.code : 0;
  if (code === 0) return { kind: 'ready', terminal, lastRecord };
  const cure = statusCure(code);
  const text = sentence(`The terminal is not ready: ${statusText(code)}`);
  return { kind: 'attention', text, cure: cure === 'batch_close' ? cure : 'service', terminal, lastRecord };
}

function isStrange({ ids }: Conversation, lastRecord: LastRecord): boolean {
  return lastRecord.kind === 'record' && ids.isStrange(lastRecord.record);
}

function ownRecord({ ids }: Conversation, lastRecord: LastRecord): LastRecord {
  if (lastRecord.kind !== 'record') return lastRecord;
  return { kind: 'record', record: ids.claim(lastRecord.record) };
}

type Status =
  /** Of an idle terminal. */
  | { kind: 'status'; code: number }
  /** It completes the enquiry without a status, as it always does. */
  | { kind: 'none' }
  /** It refuses the enquiry: it does not know it, or is at work. */
  | { kind: 'refused' }
  | { kind: 'obstacle'; obstacle: Obstacle };

async function askStatus(conversation: Conversation): Promise<Status> {
  const { traits } = conversation;
  for (let attempt = 1; ; attempt += 1) {
    const asked = await ask(conversation, {
      ctrl: statusEnquiryCtrl,
      apdu: statusEnquiry(conversation.settings.password),
      takes: [],
      isCompletion: (message) => terminalStatusOf(message) !== null || message.dataLength === 0,
      lateResults: 'adopt',
    });
    switch (asked.kind) {
      case 'completed': {
        const code = terminalStatusOf(asked.completion);
        if (code === null) {
          // It could be the late end of something else; but not time and again.
          if (attempt < statusAttempts && !traits.has('no_status_enquiry')) continue;
          traits.learn('no_status_enquiry', 'The terminal completes the status enquiry without a status.');
          return { kind: 'none' };
        }
        if (!isAtWork(code)) return { kind: 'status', code };
        const text = sentence(`The terminal is not ready: ${statusText(code)}`);
        return { kind: 'obstacle', obstacle: { kind: 'busy', text } };
      }
      case 'refused':
        if (asked.code === notPossibleCode || asked.code === protocolErrorCode) return { kind: 'refused' };
        return {
          kind: 'obstacle',
          obstacle: refusal(conversation, asked.code, 'The terminal does not tell its status'),
        };
      case 'busy':
        return { kind: 'obstacle', obstacle: asked };
      case 'silent':
        return { kind: 'obstacle', obstacle: attempt === 1 ? asked : { kind: 'busy', text: noStatusText } };
    }
  }
}

/**
 * A terminal at work refuses everything; so one that refused the status enquiry, but has shown its last record, and
 * refuses the enquiry again, does not know it.
 */
async function judgeRefusedStatus(
  conversation: Conversation,
  record: Extract<Shown, { kind: 'shown' }>,
  registrationRefused: boolean,
): Promise<Obstacle | null> {
  const { traits } = conversation;
  if (record.notPossible) {
    conversation.refusedLooks = registrationRefused ? 0 : conversation.refusedLooks + 1;
    if (conversation.refusedLooks < maxRefusedLooks) return { kind: 'busy', text: busyText };
    return attention(conversation, neitherText, 'service');
  }
  conversation.refusedLooks = 0;
  if (traits.has('no_status_enquiry')) return null;
  const again = await askStatus(conversation);
  switch (again.kind) {
    case 'obstacle':
      return again.obstacle;
    case 'refused':
      traits.learn(
        'no_status_enquiry',
        'The terminal refuses the status enquiry although it is not at work.',
      );
      return null;
    case 'none':
      return null;
    case 'status':
      // It was at work a moment ago, so its record has to be read again.
      return { kind: 'busy', text: busyText };
  }
}

/** It refused the registration and is idle: what was in the way may be over, or it knows no registration. */
async function judgeRefusedRegistration(conversation: Conversation): Promise<Obstacle | null> {
  const { traits } = conversation;
  if (traits.has('no_registration')) return null;
  const again = await registerAtTerminal(conversation);
  if (again.kind === 'obstacle') return again.obstacle;
  if (again.kind === 'refused')
    traits.learn('no_registration', 'The terminal refuses the registration although it is not at work.');
  return null;
}
