/** Where a card terminal is, in the text form in which people write it and as what it means. */
import { z } from 'zod';

/** `simulator`, `serial:/dev/ttyUSB0`, `serial:COM3`, `tcp:192.168.1.20:20007`, `tcp:[::1]:20007`. */
export const terminalAddressSchema = z.string().transform((text, context) => {
  if (text === 'simulator') return { kind: 'simulator' } as const;
  if (text.startsWith('serial:') && text.length > 'serial:'.length) {
    return { kind: 'serial', path: text.slice('serial:'.length) } as const;
  }
  const tcp = /^tcp:(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const port = Number(tcp?.[3]);
  if (tcp !== null && port >= 1 && port <= 65535) {
    return { kind: 'tcp', host: (tcp[1] ?? tcp[2]) as string, port } as const;
  }
  context.addIssue({
    code: 'custom',
    message:
      'must be "simulator", "serial:PATH" (such as serial:/dev/ttyUSB0 or serial:COM3) or "tcp:HOST:PORT"',
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
      return `tcp:${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  }
}
