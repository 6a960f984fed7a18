/**
 * A capture: what went over a terminal's line and what the bridge wanted of it, one JSON object in a line, masked. `t` is in
 * milliseconds since the header. A file may hold several, one behind the other: each start of the bridge begins one. A header
 * with `continues` goes on with the one before, whose file was full.
 *
 *     {"kind":"capture","format":1,"program":"0.9.0","protocol":"transbank","connection":"serial", …}
 *     {"t":0,"kind":"opened"}
 *     {"t":1,"kind":"call","call":1,"what":"sale","with":{"amountMinor":2500, …}}
 *     {"t":1,"kind":"frame","from":"bridge","name":"sale","hex":"30:32:30:30:7c: …"}
 *     {"t":9,"kind":"ack","from":"terminal"}
 *     {"t":812,"kind":"frame","from":"terminal","name":"sale result","hex":"30:32: …","hidden":[[61,69]]}
 *     {"t":812,"kind":"told","what":"persistResult","with":{ … },"answered":true}
 *     {"t":813,"kind":"answer","call":1,"gave":{"kind":"done", …}}
 *
 * Of a terminal that takes requests (format 2), in place of frames:
 *
 *     {"t":1,"kind":"request","from":"bridge","request":2,"name":"sale","method":"POST","uri":"/v2/pos/sales", …,"body":{ … }}
 *     {"t":9,"kind":"reply","from":"terminal","request":2,"status":200,"body":{"code":10000}}
 *     {"t":9999,"kind":"no_reply","from":"terminal","request":3,"result":"no_answer","reason":"the answer broke off"}
 */
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { configurationSchema, withoutSecrets } from '../../contract/configuration.ts';
import { currencySchema } from '../../contract/money.ts';
import { operationStartedSchema } from '../../contract/journal-events.ts';
import { protocolNameSchema } from '../../contract/protocols.ts';
import { terminalRecordSchema } from '../../contract/terminal.ts';

/** Of lines; of requests. */
const lineFormat = 1;
const requestFormat = 2;

const headerSchema = z.object({
  kind: z.literal('capture'),
  format: z.literal([lineFormat, requestFormat]),
  /** The version of Tillbridge that wrote it. */
  program: z.string(),
  protocol: protocolNameSchema,
  connection: z.enum(['serial', 'tcp', 'http']),
  /** What the driver was made with, without secrets; a replay takes the defaults for what is not here. */
  settings: z.preprocess(
    (settings) => ({ ...(settings as object), terminal: 'simulator', dataDir: '.' }),
    configurationSchema,
  ),
  /** ISO 8601, by the computer's clock. */
  started: z.string(),
  /** It was recorded between a till and its terminal: what the till wanted is known only from what it sent. */
  between: z.literal(true).optional(),
  /** It began in the file before. */
  continues: z.literal(true).optional(),
});
export type CaptureHeader = z.infer<typeof headerSchema>;

/** What may stand in a file: the currency and the protocol's own settings, without secrets. */
export function headerOf({
  settings,
  ...facts
}: Omit<CaptureHeader, 'kind' | 'format' | 'continues'>): Record<string, unknown> {
  const shown: Partial<Record<string, unknown>> = withoutSecrets(settings);
  const { currency, [facts.protocol]: own } = shown;
  const format = facts.connection === 'http' ? requestFormat : lineFormat;
  return { kind: 'capture', format, ...facts, settings: { currency, [facts.protocol]: own } };
}

const t = z.number().min(0);
const from = z.enum(['bridge', 'terminal']);
const data = {
  t,
  from,
  /** For people; null: a message that nobody knows. */
  name: z.string().nullable(),
  /**
   * The message without its frame: two digits a byte with a colon between them, and a star before a byte that is not the one
   * that was sent, because nobody is to see that.
   */
  hex: z.string().regex(/^(\*?[0-9a-f]{2}(:\*?[0-9a-f]{2})*)?$/, 'must be hex digits with colons'),
};

const request = { t, request: z.number().int() };
const body = {
  /** As JSON, masked; absent where there is none. */
  body: z.unknown().optional(),
  /** It is no JSON, so it could not be masked: how many bytes it has. */
  unreadable: z.number().int().min(0).max(1_048_576).optional(),
};

const call = { t, kind: z.literal('call'), call: z.number().int() };
const amountMinor = z.number().int();
const reference = z.string().max(40);

/** Something is asked of the driver, with the order as it takes it. */
const callSchema = z.discriminatedUnion('what', [
  z.object({ ...call, what: z.enum(['prepare', 'probe', 'signOff', 'cancel']) }),
  z.object({
    ...call,
    what: z.literal('sale'),
    with: z.object({
      amountMinor,
      maxAmountMinor: amountMinor,
      currency: currencySchema,
      terminalReference: reference.optional(),
    }),
  }),
  z.object({
    ...call,
    what: z.literal('void'),
    with: z.object({
      amountMinor,
      currency: currencySchema,
      receiptNumber: z.string(),
      traceNumber: z.string().nullable(),
      // Absent in older recordings.
      terminalId: z.string().nullable().default(null),
      terminalReference: reference.optional(),
      originalTerminalReference: reference.optional(),
      originalApprovalCode: reference.optional(),
    }),
  }),
  z.object({
    ...call,
    what: z.literal('closeBatch'),
    // The id is absent in older recordings.
    with: z.object({
      currency: currencySchema,
      terminalId: z.string().nullable().default(null),
      newest: reference.optional(),
      unsettled: z.array(reference).optional(),
      amounts: z
        .record(
          reference,
          z.object({ askedMinor: amountMinor, takenMinor: amountMinor, currency: currencySchema }),
        )
        .optional(),
    }),
  }),
  z.object({
    ...call,
    what: z.literal('lookUp'),
    with: z.object({
      operation: operationStartedSchema,
      result: terminalRecordSchema.nullable(),
      acknowledged: z.boolean(),
      showsRecords: z.boolean(),
      unsettled: z.array(reference).optional(),
      anchor: reference.optional(),
    }),
  }),
]);

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ t, kind: z.literal('opened') }),
  /** The bridge's driver gave the line up. */
  z.object({ t, kind: z.literal('dropped') }),
  z.object({ t, kind: z.literal('closed'), reason: z.string() }),
  z.object({ ...data, kind: z.literal('frame'), check: z.string().optional() }),
  z.object({ ...data, kind: z.literal('progress') }),
  z.object({ t, kind: z.literal('ack'), from }),
  z.object({ t, kind: z.literal('nak'), from }),
  z.object({ t, kind: z.literal('damaged'), from, reason: z.string() }),
  z.object({ t, kind: z.literal('discarded'), from, count: z.number().int().min(1).max(65_536) }),
  /** A frame had begun, and `t` is when it was given up. */
  z.object({ t, kind: z.literal('broken_off'), from }),
  z.object({
    ...request,
    kind: z.literal('request'),
    from: z.literal('bridge'),
    /** For people. */
    name: z.string(),
    method: z.enum(['GET', 'POST']),
    /** Path with the query. */
    uri: z.string(),
    /** Their names alone. */
    headers: z.array(z.string()),
    ...body,
  }),
  z.object({
    ...request,
    kind: z.literal('reply'),
    from: z.literal('terminal'),
    status: z.number().int(),
    ...body,
  }),
  z.object({
    ...request,
    kind: z.literal('no_reply'),
    from: z.literal('terminal'),
    /** Not a byte of the request has gone out, or what came of it is not known. */
    result: z.enum(['not_sent', 'no_answer']),
    reason: z.string(),
  }),
  callSchema,
  z.object({
    t,
    kind: z.literal('answer'),
    call: z.number().int(),
    gave: z.unknown().optional(),
    /** It failed with this fault. */
    failed: z.string().optional(),
  }),
  /** The driver told its owner something. */
  z.object({
    t,
    kind: z.literal('told'),
    what: z.enum([
      'progress',
      'lateResult',
      'mayBeAnother',
      'learned',
      'traits',
      'persistResult',
      'resultRefused',
      'notInBatch',
      'acknowledged',
    ]),
    with: z.unknown().optional(),
    answered: z.unknown().optional(),
  }),
]);
export type CaptureEntry = z.infer<typeof entrySchema>;
export type EntryOf<K extends CaptureEntry['kind']> = Extract<CaptureEntry, { kind: K }>;

export interface NumberedEntry {
  /** In the file, from 1; where it goes on with an older one, in both behind each other. */
  line: number;
  entry: CaptureEntry;
}

export interface Capture {
  header: CaptureHeader;
  entries: NumberedEntry[];
}

export type CaptureReading = { ok: true; captures: Capture[] } | { ok: false; error: string };

/** `error` is a sentence for people. A last line that was not written to its end is left out. */
export function readCaptures(text: string): CaptureReading {
  const captures: Capture[] = [];
  const lines = text.split('\n');
  for (const [at, json] of lines.entries()) {
    if (json.trim() === '') continue;
    const parsed = parseJson(json);
    if (!parsed.ok) {
      if (captures.length > 0 && endsThere(lines, at)) continue;
      return refuse(at, 'is not JSON');
    }
    const isHeader = typeof parsed.value === 'object' && parsed.value !== null && 'format' in parsed.value;
    const current = captures.at(-1);
    if (isHeader) {
      const header = headerSchema.safeParse(parsed.value);
      if (!header.success) return refuse(at, whatIsWrong(header.error));
      const { continues, started } = header.data;
      if (continues === true && current?.header.started === started) continue;
      captures.push({ header: header.data, entries: [] });
    } else if (current === undefined) {
      return { ok: false, error: 'This is no capture: it does not begin with the header of one.' };
    } else {
      const entry = entrySchema.safeParse(parsed.value);
      if (!entry.success) return refuse(at, whatIsWrong(entry.error));
      current.entries.push({ line: at + 1, entry: entry.data });
    }
  }
  if (captures.length === 0) return { ok: false, error: 'This is no capture: there is nothing in it.' };
  return { ok: true, captures };
}

/** Its first capture began in the file before. */
export function continuesOlderFile(text: string): boolean {
  const header = parseJson(text.slice(0, Math.max(0, text.indexOf('\n'))));
  return header.ok && headerSchema.safeParse(header.value).data?.continues === true;
}

/** Nothing comes behind this line, or another capture: it was being written when the bridge ended. */
function endsThere(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at + 1).find((line) => line.trim() !== '');
  return next === undefined || next.startsWith('{"kind":"capture"');
}

function whatIsWrong(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'cannot be read' : `cannot be read: ${issue.path.join('.')}: ${issue.message}`;
}

function refuse(at: number, what: string): CaptureReading {
  return { ok: false, error: `Line ${at + 1} of the capture ${what}.` };
}

/** Of a field `hex`: each byte in two digits, with a star before one that is hidden. */
export function bytesIn({ hex }: { hex: string }): string[] {
  return hex === '' ? [] : hex.split(':');
}
