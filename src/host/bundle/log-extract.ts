/** The newest lines of the log store as JSON lines, masked once more: unlike the log's files it has every frame. */
import { type LogStore, maskLine } from '../../log/index.ts';
import { type LogLine, type LogRequest, maxLogPage } from '../../contract/console/index.ts';

/** About what a day of 500 payments writes. */
export const maxExtractLines = 20_000;

const everything: LogRequest['filter'] = { minLevel: 'debug', sources: null, text: null };

/** Oldest first, a piece for each page, so that it holds up a payment no longer than a page takes. */
export function* logExtract(store: LogStore): Generator<string> {
  const { first, last } = store.page({ filter: everything, before: null, limit: 1 });
  // Numbers have no gaps, so pages can be asked for in the order of time.
  for (let from = Math.max(first, last - maxExtractLines + 1); from <= last; from += maxLogPage) {
    const { lines } = store.page({
      filter: everything,
      before: Math.min(from + maxLogPage, last + 1),
      limit: Math.min(maxLogPage, last + 1 - from),
    });
    yield lines
      .toReversed()
      .map((line) => `${maskLine(JSON.stringify(withColons(line)))}\n`)
      .join('');
  }
}

/**
 * A frame's bytes with colons between them, as the log's files have them: the mask takes blanks for what people write
 * between the digits of a card number, and would eat bytes that have been masked field by field already.
 */
function withColons(line: LogLine): LogLine {
  const { hex } = line.fields;
  return typeof hex === 'string'
    ? { ...line, fields: { ...line.fields, hex: hex.replaceAll(' ', ':') } }
    : line;
}
