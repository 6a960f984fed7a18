/** Intermediate status (04 FF): what the terminal shows now, and how long it may then stay silent. */
import { printableLine } from '../../../../base/printable-text.ts';
import type { ZvtMessage } from './messages.ts';
import { characterSetOf } from './messages.ts';
import type { ProgressStep } from '../../../../contract/terminal.ts';
import { maskCardNumbers } from '../../../../log/index.ts';
import { intermediateStatusText, progressStepOf } from './intermediate-status.ts';
import { decodeText, type TextEncoding } from './text.ts';
import { findTlv } from './tlv.ts';

/** More than any display shows. */
const maxProgressCharacters = 200;

/** The terminal's own lines (tag 24), or the words for its status code. At most 200 characters. */
export function progressText(message: ZvtMessage, encoding: TextEncoding): string {
  const characterSet = characterSetOf(message, encoding);
  const lines = findTlv(message.tlv, '24', '07')
    .map((line) => decodeText(line.value, characterSet).trim())
    .filter((line) => line !== '');
  // A card number can begin in one line and end in the next.
  const own = printableLine(maskCardNumbers(lines.join(' ')), maxProgressCharacters);
  if (own !== '') return own;
  return intermediateStatusText(statusOf(message));
}

/** The same in a word of ours. */
export function progressStep(message: ZvtMessage): ProgressStep {
  return progressStepOf(statusOf(message));
}

/** FF: only the terminal's own text tells. */
function statusOf(message: ZvtMessage): number {
  const status = message.positional['status'];
  return typeof status === 'string' ? Number.parseInt(status, 16) : 0xff;
}

/** A new T4 in milliseconds (minutes in BCD on the wire), or null when the message sets none. */
export function newSilenceLimitMs(message: ZvtMessage): number | null {
  const minutes = message.positional['timeoutMin'];
  if (typeof minutes !== 'string' || !/^\d\d$/.test(minutes) || minutes === '00') return null;
  return Number(minutes) * 60_000;
}
