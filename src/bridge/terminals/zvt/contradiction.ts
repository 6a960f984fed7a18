/** A message that says one thing twice, and not the same both times: then it has said nothing. */
import { sameBytes, type ZvtMessage } from './wire/index.ts';

/** BMPs that decide what a result means and which one it is, by number. */
const plurals: Readonly<Record<string, string>> = {
  '27': 'result codes',
  '04': 'amounts',
  '49': 'currencies',
  '60': 'totals',
  '0b': 'trace numbers',
  '37': 'trace numbers of the original payment',
  '87': 'receipt numbers',
  '29': 'terminal ids',
};

/** A sentence that names what it contradicts itself in, or null. */
export function contradictionIn(message: ZvtMessage): string | null {
  const first = new Map<string, Uint8Array>();
  for (const { tag, value } of message.bitmaps) {
    const name = plurals[tag];
    if (name === undefined) continue;
    const before = first.get(tag);
    if (before === undefined) first.set(tag, value);
    else if (!sameBytes(before, value))
      return `The terminal contradicts itself: it told two different ${name}.`;
  }
  return null;
}
