/** A line of the log as the log store keeps it and the console reads it. */
import { logLevels, type LogLine } from '../contract/log.ts';
import { isProtocolName } from '../contract/protocols.ts';
import type { LogFields } from './log.ts';

/** What is asked of the console's filter, which names 40 characters at most. */
const maxSourceCharacters = 40;

export interface LogRecord {
  id: number;
  rank: number;
  source: string;
  operationId: string | null;
  reference: string | null;
  /** A frame on the line to the terminal. */
  frame: boolean;
  /** The whole line, JSON. */
  text: string;
}

/** Knows which operation is on the terminal, as the lines tell it one after the other. */
export interface RecordMaker {
  /** `text` is a masked line of the log; `known` what is in it, or null where it has to be read. */
  make(id: number, text: string, known: LogFields | null): LogRecord;
}

/**
 * A line belongs to the operation that it names (`operation_id`). A frame names none: it belongs to the operation whose
 * line with `operation: "started"` came before and whose line with `operation: "ended"` has not come yet.
 */
export function createRecordMaker(): RecordMaker {
  let open: string | null = null;
  return {
    make(id, text, known) {
      const line = known ?? parseLine(text);
      const source = textOr(line['source'], 'bridge').slice(0, maxSourceCharacters);
      const named = textOr(line['operation_id'], null);
      const frame = isProtocolName(source) && typeof line['direction'] === 'string';
      const row: LogRecord = {
        id,
        rank: rankOf(line['level']),
        source,
        operationId: named ?? (frame ? open : null),
        reference: textOr(line['reference'], null),
        frame,
        text: frame ? withReadableHex(line, text) : text,
      };
      if (named !== null && line['operation'] === 'started') open = named;
      if (named !== null && line['operation'] === 'ended' && open === named) open = null;
      return row;
    },
  };
}

/**
 * The line as the console reads it. One that cannot be read is shown as it is. `referenceOf` knows the reference of an
 * operation, or null: frames name none themselves.
 */
export function logLineOf(
  row: Pick<LogRecord, 'id' | 'operationId' | 'text'>,
  referenceOf: (operationId: string) => string | null,
): LogLine {
  const { level, time, source, msg, ...fields } = parseLine(row.text);
  const { operationId } = row;
  return {
    id: row.id,
    time: textOr(time, new Date(0).toISOString()),
    level: logLevels[rankOf(level)] ?? 'error',
    source: textOr(source, 'bridge').slice(0, maxSourceCharacters),
    message: textOr(msg, ''),
    fields,
    operationId,
    reference: textOr(fields['reference'], null) ?? (operationId === null ? null : referenceOf(operationId)),
  };
}

const maxReferences = 500;

/** Which reference an operation has, of the operations that were spoken of last. */
export interface OperationReferences {
  learn(operationId: string, reference: string): void;
  /** Null: not among them. */
  get(operationId: string): string | null;
}

export function createOperationReferences(): OperationReferences {
  const known = new Map<string, string>();
  return {
    learn(operationId, reference) {
      if (known.has(operationId)) return;
      known.set(operationId, reference);
      if (known.size <= maxReferences) return;
      for (const oldest of known.keys()) {
        known.delete(oldest);
        return;
      }
    },
    get: (operationId) => known.get(operationId) ?? null,
  };
}

function parseLine(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Below.
  }
  return { level: 'error', msg: text };
}

/** The wire trace puts colons between the bytes to keep them from the mask; masked they are, so blanks will do. */
function withReadableHex({ hex }: Record<string, unknown>, text: string): string {
  if (typeof hex !== 'string') return text;
  return text.replace(JSON.stringify(hex), (quoted) => quoted.replaceAll(':', ' '));
}

function rankOf(level: unknown): number {
  const rank = logLevels.findIndex((name) => name === level);
  return rank < 0 ? logLevels.length - 1 : rank;
}

function textOr<T extends string | null>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
