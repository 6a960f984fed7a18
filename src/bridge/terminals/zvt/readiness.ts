/**
 * Is the terminal there, ready and idle, and what is its last record: registration (06 00), status enquiry (05 01) and
 * repeat receipt without printing (06 20 … 03 03), in this order. Nothing here moves money or carries an amount.
 *
 * The order is the proof. Answers come in the order of the enquiries, so a 05 01 that was taken (80 00) and completed
 * with a status, without any other message of the terminal between, shows that nothing older is still under way; the
 * result (04 0F) that 06 20 then brings is the last record and no late result.
 *
 * A terminal that lacks one of them becomes ready as far as it goes. What it lacks is told apart from being at work,
 * which refuses with the same code, by asking again once it has shown that it is not; see `docs/adr/0013`.
 */
import type { LastRecord } from '../../../contract/terminal.ts';
import type { Readiness } from '../terminal-driver.ts';
import { statusEnquiry, statusEnquiryCtrl } from './command-apdus.ts';
import { busyReason, type ExchangeContext } from './exchange-context.ts';
import { readLastRecord, type Shown } from './last-record.ts';
import { needsAttention, identityOf, notReadyAfterRefusal, type NotReady, asSentence } from './reasons.ts';
import { enquire } from './enquiry.ts';
import { registerAtTerminal } from './registration.ts';
import {
  requiredActionOf,
  statusText,
  isAtWork,
  terminalStatusOf,
  notPossibleCode,
  protocolErrorCode,
} from './wire/index.ts';

const noStatusText =
  'The terminal does not answer the status enquiry as the standard asks; it is asked again.';
const strangerText = 'The last record is of another terminal id; the terminal is asked who it is.';
const neitherText =
  'The terminal answers neither the status enquiry nor the question for its last record, ' +
  'so it cannot be told whether it is idle. Switch one of them on at the terminal.';
/** How often the status is asked before an answer without one counts as the terminal's way. */
const statusAttempts = 3;
/** Polls in a row in which all but the registration was refused, after which being busy is no explanation any more. */
const maxRefusedPolls = 3;

/** The whole of it; with `register` false only status and last record, for the heartbeat. */
export async function pollStatus(context: ExchangeContext, register: boolean): Promise<Readiness> {
  let registrationRefused = false;
  if (register) {
    const registered = await registerAtTerminal(context);
    if (registered.kind === 'not_ready') return registered.notReady;
    registrationRefused = registered.kind === 'refused';
  }
  const status = await enquireStatus(context);
  if (status.kind === 'not_ready') return status.notReady;
  const record = await readLastRecord(context);
  if (record.kind === 'not_ready') return record.notReady;
  const notReady =
    (status.kind === 'refused' ? await checkRefusedStatus(context, record, registrationRefused) : null) ??
    (registrationRefused ? await checkRefusedRegistration(context) : null);
  if (notReady !== null) return notReady;
  const saidWhoItIs = register && !registrationRefused;
  const strange = !saidWhoItIs && isStrange(context, record.lastRecord);
  if (strange && !register) {
    context.inStep = false;
    return { kind: 'busy', text: strangerText };
  }
  context.inStep = true;

  const lastRecord = strange ? record.lastRecord : ownRecord(context, record.lastRecord);
  const terminal = identityOf(context);
  context.traits.report();
  const code = status.kind === 'status' ? status.code : 0;
  if (code === 0) return { kind: 'ready', terminal, lastRecord };
  const requiredAction = requiredActionOf(code);
  const text = asSentence(`The terminal is not ready: ${statusText(code)}`);
  return {
    kind: 'attention',
    text,
    requiredAction: requiredAction === 'batch_close' ? requiredAction : 'service',
    terminal,
    lastRecord,
  };
}

function isStrange({ ids }: ExchangeContext, lastRecord: LastRecord): boolean {
  return lastRecord.kind === 'record' && ids.isStrange(lastRecord.record);
}

function ownRecord({ ids }: ExchangeContext, lastRecord: LastRecord): LastRecord {
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
  | { kind: 'not_ready'; notReady: NotReady };

async function enquireStatus(context: ExchangeContext): Promise<Status> {
  const { traits } = context;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await enquire(context, {
      ctrl: statusEnquiryCtrl,
      apdu: statusEnquiry(context.settings.password),
      takes: [],
      isCompletion: (message) => terminalStatusOf(message) !== null || message.dataLength === 0,
      lateResults: 'adopt',
    });
    switch (outcome.kind) {
      case 'completed': {
        const code = terminalStatusOf(outcome.completion);
        if (code === null) {
          // It could be the late end of something else; but not time and again.
          if (attempt < statusAttempts && !traits.has('no_status_enquiry')) continue;
          traits.learn('no_status_enquiry', 'The terminal completes the status enquiry without a status.');
          return { kind: 'none' };
        }
        if (!isAtWork(code)) return { kind: 'status', code };
        const text = asSentence(`The terminal is not ready: ${statusText(code)}`);
        return { kind: 'not_ready', notReady: { kind: 'busy', text } };
      }
      case 'refused':
        if (outcome.code === notPossibleCode || outcome.code === protocolErrorCode)
          return { kind: 'refused' };
        return {
          kind: 'not_ready',
          notReady: notReadyAfterRefusal(context, outcome.code, 'The terminal does not report its status'),
        };
      case 'busy':
        return { kind: 'not_ready', notReady: outcome };
      case 'silent':
        return {
          kind: 'not_ready',
          notReady: attempt === 1 ? outcome : { kind: 'busy', text: noStatusText },
        };
    }
  }
}

/**
 * A terminal at work refuses everything; so one that refused the status enquiry, but has shown its last record, and
 * refuses the enquiry again, does not know it.
 */
async function checkRefusedStatus(
  context: ExchangeContext,
  record: Extract<Shown, { kind: 'shown' }>,
  registrationRefused: boolean,
): Promise<NotReady | null> {
  const { traits } = context;
  if (record.notPossible) {
    context.refusedPolls = registrationRefused ? 0 : context.refusedPolls + 1;
    if (context.refusedPolls < maxRefusedPolls) return { kind: 'busy', text: busyReason };
    return needsAttention(context, neitherText, 'service');
  }
  context.refusedPolls = 0;
  if (traits.has('no_status_enquiry')) return null;
  const again = await enquireStatus(context);
  switch (again.kind) {
    case 'not_ready':
      return again.notReady;
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
      return { kind: 'busy', text: busyReason };
  }
}

/** It refused the registration and is idle: what was in the way may be over, or it knows no registration. */
async function checkRefusedRegistration(context: ExchangeContext): Promise<NotReady | null> {
  const { traits } = context;
  if (traits.has('no_registration')) return null;
  const again = await registerAtTerminal(context);
  if (again.kind === 'not_ready') return again.notReady;
  if (again.kind === 'refused')
    traits.learn('no_registration', 'The terminal refuses the registration although it is not at work.');
  return null;
}
