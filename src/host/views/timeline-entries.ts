/** What a line of the log is in the timeline of a payment. */
import { z } from 'zod';
import type { LogLine, TimelineEntry } from '../../contract/console/index.ts';
import { loggedFrameSchema } from '../../contract/frame.ts';
import { isProtocolName } from '../../contract/protocols.ts';

/** As the listener logs each command that it has answered. */
const answeredFields = z.object({
  command: z.string(),
  status: z.number().int(),
  duration_ms: z.number(),
  request_id: z.string(),
  asked: z.string().optional(),
  answered: z.string().optional(),
});

/** One entry, or two: the log has one line for a request and its answer. */
export function timelineEntriesOf(line: LogLine): TimelineEntry[] {
  return posEntries(line) ?? [frameEntry(line) ?? { kind: 'log', at: line.time, line }];
}

function posEntries({ source, fields, time, id }: LogLine): TimelineEntry[] | null {
  if (source !== 'listener') return null;
  const answered = answeredFields.safeParse(fields);
  if (!answered.success) return null;
  const { command, status, duration_ms: durationMs, request_id: requestId } = answered.data;
  const asked = bodyOf(answered.data.asked);
  const told = bodyOf(answered.data.answered);
  const askedAt = new Date(Date.parse(time) - durationMs).toISOString();
  return [
    { kind: 'pos_request', at: askedAt, command, requestId, ...asked, logLineId: id },
    { kind: 'pos', at: time, command, httpStatus: status, durationMs, requestId, ...told, logLineId: id },
  ];
}

const maxBodyCharacters = 4_000;

function bodyOf(text: string | undefined): { body?: string } {
  return text === undefined ? {} : { body: text.slice(0, maxBodyCharacters) };
}

function frameEntry(line: LogLine): TimelineEntry | null {
  if (!isProtocolName(line.source)) return null;
  const parsed = loggedFrameSchema.safeParse(line.fields);
  if (!parsed.success) return null;
  const { direction, frame, ctrl, length, hex, fields } = parsed.data;
  return {
    kind: 'frame',
    at: line.time,
    direction,
    name: frame ?? line.message,
    protocol: line.source,
    control: ctrl,
    lengthBytes: length,
    hex: hex?.replaceAll(':', ' ') ?? null,
    fields,
    logLineId: line.id,
  };
}
