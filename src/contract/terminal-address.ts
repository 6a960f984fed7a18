/** Where a card terminal is, in the text form in which people write it and as what it means. */
import { z } from 'zod';

/**
 * `simulator`, `serial:/dev/ttyUSB0`, `serial:COM3`, `tcp:192.168.1.20:20007`, `tcp:[::1]:20007`; `http:…` likewise, for
 * terminals that take requests and no stream of bytes.
 */
export const terminalAddressSchema = z.string().transform((text, context) => {
  if (text === 'simulator') return { kind: 'simulator' } as const;
  if (text.startsWith('serial:') && text.length > 'serial:'.length) {
    return { kind: 'serial', path: text.slice('serial:'.length) } as const;
  }
  const network = /^(tcp|http):(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(text);
  const port = Number(network?.[4]);
  if (network !== null && port >= 1 && port <= 65535) {
    const kind = network[1] as 'tcp' | 'http';
    return { kind, host: (network[2] ?? network[3]) as string, port };
  }
  context.addIssue({
    code: 'custom',
    message:
      'must be "simulator", "serial:PATH" (such as serial:/dev/ttyUSB0 or serial:COM3), "tcp:HOST:PORT" or "http:HOST:PORT"',
  });
  return z.NEVER;
});
export type TerminalAddress = z.infer<typeof terminalAddressSchema>;

/** The address as text only, for forms; null: not chosen yet. */
export const terminalAddressTextSchema = z
  .string()
  .max(300)
  .nullable()
  .superRefine((text, context) => {
    if (text === null) return;
    const parsed = terminalAddressSchema.safeParse(text);
    if (!parsed.success)
      context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'is not right' });
  });

/** The text that `terminalAddressSchema` turns into `address`. */
export function formatTerminalAddress(address: TerminalAddress): string {
  switch (address.kind) {
    case 'simulator':
      return 'simulator';
    case 'serial':
      return `serial:${address.path}`;
    case 'tcp':
    case 'http':
      return `${address.kind}:${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  }
}
