/** The text of a stream of server-sent events, as far as the bridge uses it: one line of data for each (WHATWG HTML, 9.2). */

export interface ServerEvent {
  name: string;
  /** The place to go on from; null where it has none. */
  id: string | null;
  data: string;
}

/** Characters that may wait for the end of their line. */
const maxLine = 1024 * 1024;

/** Takes pieces of text, cut anywhere, and gives the events that they complete. Throws RangeError for a line without end. */
export function createEventLines(): (text: string) => ServerEvent[] {
  let rest = '';
  let fields: Record<string, string> = {};
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw new RangeError('a line of the event stream has no end');
    const events: ServerEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        const { event: name = 'message', id = null, data } = fields;
        if (data !== undefined) events.push({ name, id, data });
        fields = {};
        continue;
      }
      const colon = line.indexOf(':');
      // A comment keeps the connection open.
      if (colon > 0)
        fields[line.slice(0, colon)] = line
          .slice(colon + 1)
          .replace(/^ /, '')
          .replace(/\r$/, '');
    }
    return events;
  };
}
