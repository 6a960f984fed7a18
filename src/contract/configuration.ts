/** Everything that can be set. Flags, environment and file end here; what passes is trusted inside. */
import { z } from 'zod';
import { currencySchema } from './money.ts';
import { protocolNameSchema } from './terminal.ts';

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

const milliseconds = z.number().int().min(1).max(3_600_000);

export const zvtSettingsSchema = z.object({
  password: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits, such as "000000"')
    .default('000000'),
  /** Two hex digits; null takes the usual value for `receipts` (terminal: 18, pos: BE). */
  configurationByte: z
    .string()
    .regex(/^[0-9a-fA-F]{2}$/, 'must be two hex digits, such as "18"')
    .nullable()
    .default(null),
  textEncoding: z.enum(['cp437', 'latin1', 'utf8', 'ascii']).default('cp437'),
  /** Who prints: the terminal, or the POS from the lines that QueryPayment answers. */
  receipts: z.enum(['terminal', 'pos']).default('terminal'),
  timers: z
    .object({
      /** T1: longest gap between two bytes of one frame. */
      byteGapMs: milliseconds.default(200),
      /** T2: longest wait for ACK or NAK. */
      ackTimeoutMs: milliseconds.default(5_000),
      /** T3: longest wait for the answer to a command. */
      answerTimeoutMs: milliseconds.default(5_000),
      /** T4: longest silence of the terminal while it works; 04 FF can lengthen it. */
      completionTimeoutMs: milliseconds.default(180_000),
      /** After this silence during an operation the terminal is asked for its state (05 01); 0: never. */
      silenceCheckMs: z.number().int().min(0).max(3_600_000).default(20_000),
    })
    .prefault({}),
});
export type ZvtSettings = z.infer<typeof zvtSettingsSchema>;

export const configurationSchema = z.object({
  terminal: terminalAddressSchema,
  protocol: protocolNameSchema.default('zvt'),
  port: z.number().int().min(0).max(65535).default(8080),
  /** Null: loopback only (127.0.0.1 and ::1). */
  host: z.string().min(1).nullable().default(null),
  allowedHosts: z.array(z.string().min(1)).default([]),
  allowedOrigins: z
    .array(z.string().regex(/^https?:\/\/[^/*\s]+$/, 'must be a whole origin, such as "https://pos.example"'))
    .default([]),
  dataDir: z.string().min(1),
  currency: currencySchema.default('EUR'),
  /** Makes a reference of 12 digits for POS software that sends none. */
  makeReferences: z.boolean().default(false),
  /** How much more than asked the terminal may approve, as a tip, in per cent of the amount; 0: nothing more. */
  maxTipPercent: z.number().min(0).max(100).default(0),
  /** Simulator: 1 is a payment of about a second, 0 is at once. */
  pace: z.number().min(0).max(100).default(1),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  serial: z
    .object({
      baudRate: z.number().int().min(300).max(921_600).default(9_600),
      dataBits: z.union([z.literal(7), z.literal(8)]).default(8),
      parity: z.enum(['none', 'even', 'odd']).default('none'),
      stopBits: z.union([z.literal(1), z.literal(2)]).default(2),
    })
    .prefault({}),
  /** How often the idle terminal is asked whether it is still there. */
  heartbeatMs: z.number().int().min(1_000).max(3_600_000).default(30_000),
  /** How long a stop waits for the operation in hand. */
  stopTimeoutMs: z.number().int().min(0).max(600_000).default(60_000),
  zvt: zvtSettingsSchema.prefault({}),
});
export type Configuration = z.infer<typeof configurationSchema>;
export type SerialSettings = Configuration['serial'];
