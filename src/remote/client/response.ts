/** Reads a successful response, and reports what the catalogue does not know of it. Never changes or drops anything. */
import type { z } from 'zod';
import { unknownsIn, type Operation } from '../catalogue/index.ts';
import type { CallContext } from './call-context.ts';
import type { Deviation, UnknownReport } from './hooks.ts';
import { unreadable } from './errors.ts';
import type { HttpResult } from '../../base/fetch-once.ts';
import { scrubValue, type Scrub } from './secrets.ts';

/** A page of a hundred records may deviate a hundred times in the same field. */
const maxDeviations = 50;

function deviationsIn(schema: z.ZodType, body: unknown): Deviation[] {
  const unknowns = unknownsIn(schema, body).map((unknown): Deviation => ({
    ...unknown,
    message:
      unknown.kind === 'unknown-field'
        ? `${unknown.path}: the catalogue does not know this field.`
        : `${unknown.path}: the catalogue does not know this value.`,
  }));
  const parsed = schema.safeParse(body);
  const told = new Set(unknowns.map(({ path }) => path));
  const misfits = (parsed.success ? [] : parsed.error.issues).flatMap((issue): Deviation[] => {
    const path = issue.path.join('.');
    if (told.has(path)) return [];
    return [
      { kind: 'unexpected', path, value: valueAt(body, issue.path), message: `${path}: ${issue.message}` },
    ];
  });
  return [...unknowns, ...misfits].slice(0, maxDeviations);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    body,
  );
}

export function readResponse(
  context: CallContext,
  operation: Operation,
  response: Extract<HttpResult, { kind: 'response' }>,
  attempts: number,
  scrub: Scrub,
): unknown {
  let body: unknown;
  try {
    body = JSON.parse(response.body);
  } catch {
    throw unreadable(operation, attempts, 'the answer is not JSON.');
  }
  const isList = operation.kind === 'list';
  if (typeof body !== 'object' || body === null || Array.isArray(body) !== isList) {
    throw unreadable(operation, attempts, `the answer is not ${isList ? 'an array' : 'an object'}.`);
  }
  for (const deviation of deviationsIn(operation.response, body)) {
    report(context, operation, { ...deviation, where: 'answer' }, scrub);
  }
  return body;
}

export function reportUnknowns(
  context: CallContext,
  operation: Operation,
  body: unknown,
  scrub: Scrub,
): void {
  if (operation.request === null) return;
  for (const unknown of unknownsIn(operation.request, body)) {
    const message = `${unknown.path}: the catalogue does not know this ${unknown.kind === 'unknown-field' ? 'field' : 'value'}.`;
    report(context, operation, { ...unknown, message, where: 'request' }, scrub);
  }
}

function report(
  context: CallContext,
  operation: Operation,
  deviation: Deviation & { where: UnknownReport['where'] },
  scrub: Scrub,
): void {
  context.hooks.onUnknown({
    ...deviation,
    path: scrub(deviation.path),
    message: scrub(deviation.message),
    value: scrubValue(deviation.value, scrub),
    operation: operation.id,
    version: operation.version,
  });
}
