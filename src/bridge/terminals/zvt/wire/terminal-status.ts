/** The status that a terminal tells in the completion of 05 01 (ZVT PA00P015, status enquiry). */
import type { ZvtMessage } from './messages.ts';
import { statusCure } from './result-codes.ts';

/** A card is inserted, or not fully removed. It goes only when somebody takes it. */
const cardStatuses: ReadonlySet<number> = new Set([0xdc, 0xe1]);

/**
 * The status of a completion of 05 01: `[version] status [06 …]` and nothing else. Null for any other completion: the
 * late end of an earlier command must not pass for "ready".
 */
export function statusOf(message: ZvtMessage): number | null {
  const status = message.positional['terminalStatus'];
  if (typeof status !== 'string' || message.problems.length > 0) return null;
  if (message.bitmaps.some(({ tag }) => tag !== '06')) return null;
  return Number.parseInt(status, 16);
}

/** It does something by itself that will end by itself. */
export function isAtWork(status: number): boolean {
  return statusCure(status) === 'wait' && !cardStatuses.has(status);
}
