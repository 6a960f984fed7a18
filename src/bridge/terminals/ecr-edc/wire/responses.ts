/**
 * What a message of the terminal is to a request of ours, and what its response code says of the money (KBTG Link POS
 * Specification 1.5.0; codes of other dialects as their terminals were seen to send them).
 */
import type { ProgressStep } from '../../../../contract/terminal.ts';
import { fieldType } from './fields.ts';
import { fieldText, type EdcMessage } from './messages.ts';
import type { EdcCommandName, EdcProfile } from './profiles/profile.ts';

export type EdcNotice = { step: ProgressStep; text: string };

/** What the terminal tells while a payment runs, or null when the message is no such notice of this profile. */
export function noticeIn(message: EdcMessage, profile: EdcProfile): EdcNotice | null {
  if (message.requestResponse !== '1' || message.fields.length > 0) return null;
  return ownValue(profile.notices, message.txCode);
}

/** Whether the message is the terminal's response to `command`: by its indicator and its transaction code. */
export function isResponseTo(message: EdcMessage, command: EdcCommandName, profile: EdcProfile): boolean {
  return message.requestResponse === '1' && message.txCode === profile.commands[command]?.txCode;
}

export interface EdcResult {
  /**
   * `undecided`: the terminal answered, and it is still not known whether money was taken. `nothing_to_do`: a batch close
   * without payments.
   */
  verdict: 'approved' | 'declined' | 'cancelled' | 'nothing_to_do' | 'undecided';
  /** Two characters as sent. */
  code: string;
  /** A sentence without its full stop. */
  text: string;
  /** The terminal's own text for it (field 02), card numbers masked; null when it has sent none. */
  terminalText: string | null;
}

/**
 * What a response to `command` says; the caller has checked by `isResponseTo` that it is one. Approved is only the text
 * `00`, and of a payment only with an approval code in field 01: without it a person has to look. Any code that the
 * profile does not know is the host's, and no approval; beside an approval code it is no refusal either, because hosts have
 * more than one code that approves (ISO 8583: 08, 10, 11; EMV offline: Y1, Y3).
 */
export function resultOf(message: EdcMessage, command: EdcCommandName, profile: EdcProfile): EdcResult {
  const code = message.responseCode;
  const terminalText = fieldText(message, fieldType.responseText);
  const known = ownValue(profile.responses, code);
  if (known?.verdict === 'approved' && command === 'sale' && !hasApprovalCode(message))
    return {
      verdict: 'undecided',
      code,
      text: 'The terminal approved without an approval code',
      terminalText,
    };
  if (known !== null) return { ...known, code, terminalText };
  if (isReadable(code) && command === 'sale' && !isZero(fieldText(message, fieldType.approvalCode)))
    return {
      verdict: 'undecided',
      code,
      text: `The terminal sent the bank’s code ${code} and an approval code`,
      terminalText,
    };
  return {
    verdict: isReadable(code) ? 'declined' : 'undecided',
    code,
    text: codeText(code, profile),
    terminalText,
  };
}

/** What a response code stands for: a sentence without its full stop. */
export function codeText(code: string, profile: EdcProfile): string {
  return (
    ownValue(profile.responses, code)?.text ??
    (isReadable(code)
      ? `Declined by the bank: code ${code}`
      : 'The response code of the terminal cannot be read')
  );
}

/** Whole texts only: of a host, a card or a network it also says "not found". */
const notFound =
  /^(?:(?:record|transaction|trans|txn|data|reference|invoice|trace) ?)?not found$|^no (?:such )?(?:record|transaction|trans|txn)s?(?: found)?$/i;

/** The terminal refuses an inquiry because it knows no such payment, and says so in its own text. */
export function saysNotFound({ verdict, terminalText }: EdcResult): boolean {
  return verdict === 'declined' && notFound.test((terminalText ?? '').replaceAll(/[ .!]+/g, ' ').trim());
}

function isReadable(code: string): boolean {
  return /^[!-~]{2}$/.test(code);
}

function hasApprovalCode(message: EdcMessage): boolean {
  return fieldText(message, fieldType.approvalCode) !== null;
}

/** Where there is no approval code, some fill the field up. */
function isZero(approvalCode: string | null): boolean {
  return approvalCode === null || /^0+$/.test(approvalCode);
}

function ownValue<Value>(table: Readonly<Record<string, Value>>, key: string): Value | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
