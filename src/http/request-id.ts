/** The name of one request in responses and in the log. */
import type { Chance } from '../base/chance.ts';
import { holdsCardNumber } from '../log/index.ts';

/** Longest id that is taken over from a caller, in characters; longer ones are replaced. */
const maxRequestIdLength = 128;
/** Visible ASCII without blanks: harmless in a header, a log line and a terminal. */
const requestIdPattern = new RegExp(`^[\\x21-\\x7e]{1,${maxRequestIdLength}}$`);

/** The caller's own id, from `X-Request-Id`, if it is sane and no card number; otherwise a new one. */
export function requestIdOf(given: string | string[] | undefined, chance: Chance): string {
  const isTaken = typeof given === 'string' && requestIdPattern.test(given) && !holdsCardNumber(given);
  return isTaken ? given : chance.uuid();
}
