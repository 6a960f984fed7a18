/** What a message says, as name and value for people, and its bytes: the wire trace is made of it. */
import { formatAmount, type Currency } from '../../../../contract/money.ts';
import {
  boundedFields,
  dateText,
  timeText,
  latin1,
  maskedBytes,
  tracedBytes,
  type TraceField,
} from '../../framing/index.ts';
import { fieldType, kindOfField } from './fields.ts';
import { lastFourOf, type EdcField, type EdcMessage } from './messages.ts';
import type { EdcCommandName, EdcProfile } from './profiles/profile.ts';
import { codeText, noticeIn } from './responses.ts';

const commandNames: Readonly<Record<EdcCommandName, string>> = {
  sale: 'payment',
  void: 'void',
  void_by_trace: 'void by trace number',
  refund: 'refund',
  settlement: 'batch close',
  inquiry: 'inquiry',
  probe: 'connection test',
  cancel: 'abort',
};

/** The name of a message for people: what it asks for or answers, a notice, or `unknown`. */
export function messageName(message: EdcMessage, profile: EdcProfile): string {
  if (noticeIn(message, profile) !== null) return 'status message';
  for (const [name, command] of Object.entries(profile.commands))
    if (command?.txCode === message.txCode) return commandNames[name as EdcCommandName];
  return 'unknown';
}

/** All names that a message or a field can have, but for those of field types. */
export const traceNames: readonly string[] = [
  ...Object.values(commandNames),
  'status message',
  'transaction',
  'result',
];

/** Fields with an amount in minor units. */
const amounts: ReadonlySet<string> = new Set(['40', '41', '42', '43', '44', '45', 'H2']);
const txCodePlace = { from: 12, to: 14 };
const responseCodePlace = { from: 14, to: 16 };

/**
 * In the order of the wire: `["transaction", "20: payment", …]`, `["result", "ND: Declined", …]`, then each field with the
 * bytes in which it stands. Of the card only the last four digits are shown. At most 100, within the bounds of the log.
 */
export function traceFields(message: EdcMessage, profile: EdcProfile, currency: Currency): TraceField[] {
  const { txCode, responseCode, requestResponse, problems } = message;
  if (problems.length > 0 && txCode === '') return [];
  const notice = noticeIn(message, profile);
  const what = notice?.text ?? messageName(message, profile);
  const found: TraceField[] = [['transaction', `${txCode}: ${what}`, txCodePlace]];
  if (requestResponse === '1' && notice === null) {
    const code = responseCode.replaceAll('\0', '·');
    found.push(['result', `${code}: ${codeText(responseCode, profile)}`, responseCodePlace]);
  }
  for (const field of message.fields) {
    const value = shown(field, message, currency);
    if (value !== null) found.push([kindOfField(field.type).name, value, field.place]);
  }
  return boundedFields(found);
}

function shown(field: EdcField, message: EdcMessage, currency: Currency): string | null {
  const { type, value } = field;
  const { treatment } = kindOfField(type);
  if (treatment === 'erase') return null;
  if (treatment === 'card_number') {
    const lastFour = lastFourOf(message);
    return lastFour === null ? null : `•••• ${lastFour}`;
  }
  const text = latin1(value).trim();
  if (amounts.has(type) && /^\d{1,12}$/.test(text)) return formatAmount(Number(text), currency);
  if (type === fieldType.date) return dateText(text, 'YYMMDD');
  if (type === fieldType.time) return timeText(text);
  return treatment === 'unknown' ? `${type}: ${text}` : text;
}

/**
 * The bytes of the message that `bytes` is, for the wire trace: two digits each with a colon between them, `**` for what
 * was masked as it was read. By field and not by pattern: digits of header and lengths pass for a card number.
 */
export function tracedHex(bytes: Uint8Array, { maskedMessage }: EdcMessage): string {
  return tracedBytes(maskedBytes(bytes, maskedMessage));
}
