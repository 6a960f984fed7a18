/** The log as the console reads it: every line has a number, and numbers have no gaps. */
import { z } from 'zod';

export const logLevelSchema = z.enum(['debug', 'info', 'warn', 'error']);
export type LogLevel = z.infer<typeof logLevelSchema>;
/** From the least to the most important. */
export const logLevels: readonly LogLevel[] = logLevelSchema.options;

export const logLineSchema = z.object({
  id: z.number().int(),
  /** ISO 8601, UTC. */
  time: z.string(),
  level: logLevelSchema,
  /** The module that spoke: listener, payments, journal, zvt, line, simulator, terminal, bridge, log, console, app. */
  source: z.string(),
  message: z.string(),
  /** The rest of the line, masked like all of it. */
  fields: z.record(z.string(), z.unknown()),
  /** Of the payment or batch that it belongs to, if that is known. */
  operationId: z.string().nullable(),
  /** Of that payment: the line's own, or the one that the operation's first lines name. */
  reference: z.string().nullable(),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** How many sentences a search in another language can stand for. */
export const maxOtherTexts = 40;

export const logFilterSchema = z.object({
  /** This level and the more important ones. */
  minLevel: logLevelSchema,
  /** Null: all sources. */
  sources: z.array(z.string().max(40)).max(40).nullable(),
  /** Anywhere in the line, without regard to case. Null or empty: everything. */
  text: z.string().max(200).nullable(),
  /** English texts, each of which does as well as `text`: what stands there in the window's language. */
  others: z.array(z.string().max(200)).max(maxOtherTexts).optional(),
  /** Instants, ISO 8601 in UTC: lines from this one on, and before that one. Null or left out: no limit. */
  from: z.iso.datetime().nullish(),
  until: z.iso.datetime().nullish(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

export const maxLogPage = 500;
export const logRequestSchema = z.object({
  filter: logFilterSchema,
  /** Lines with a smaller number than this; null: from the newest. */
  before: z.number().int().nullable(),
  limit: z.number().int().min(1).max(maxLogPage),
});
export type LogRequest = z.infer<typeof logRequestSchema>;
export const logResponseSchema = z.object({
  /** Newest first. May be fewer than `limit` although there is more (a search looks at so many lines at a time). */
  lines: z.array(logLineSchema),
  /** For the next page; null: that was all. */
  next: z.number().int().nullable(),
  /** Numbers of the oldest and the newest line that there is; both 0 when there is none. */
  first: z.number().int(),
  last: z.number().int(),
  /** All sources that occur. */
  sources: z.array(z.string()),
});
export type LogResponse = z.infer<typeof logResponseSchema>;

const maxHistogramBars = 120;
/** In one bar, warnings and errors are counted up to this; lines are always counted. */
export const maxCountedInBar = 5_000;
/** How many lines there were over time, whatever they say. */
export const logHistogramRequestSchema = z.object({
  /** Null: from the oldest line on, and to the newest. */
  from: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  bars: z.number().int().min(1).max(maxHistogramBars),
});
export type LogHistogramRequest = z.infer<typeof logHistogramRequestSchema>;
export const logHistogramSchema = z.object({
  /** What the bars stand for: stretches of the same length. `until` is not in the last one. Null: there are no lines. */
  span: z.object({ from: z.string(), until: z.string() }).nullable(),
  bars: z
    .array(z.object({ lines: z.number().int(), warnings: z.number().int(), errors: z.number().int() }))
    .max(maxHistogramBars),
});
export type LogHistogram = z.infer<typeof logHistogramSchema>;
