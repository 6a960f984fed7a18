/** The setting `terminals`: further terminals beside the main one, each by its name. */
import { z } from 'zod';

const form = 'must be NAME=TERMINAL, such as "bar=tcp:192.168.1.21:20007"';

/**
 * A list of `NAME=TERMINAL`, as flags and variables give it, or an object by name with the settings of each. What they
 * are is checked one by one (`named-terminals.ts` in the host).
 */
export const terminalsSchema = z.union(
  [z.array(z.string().regex(/^[^=]+=.+$/, form)), z.record(z.string(), z.record(z.string(), z.unknown()))],
  { error: form },
);

/** Each name with its settings, as they stand in a configuration file. */
export function terminalEntries(
  terminals: z.infer<typeof terminalsSchema>,
): [name: string, content: Record<string, unknown>][] {
  if (!Array.isArray(terminals)) return Object.entries(terminals);
  return terminals.map((entry) => {
    const end = entry.indexOf('=');
    return [entry.slice(0, end), { terminal: entry.slice(end + 1) }];
  });
}
