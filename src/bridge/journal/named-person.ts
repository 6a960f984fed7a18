/** Who decides something by hand, and why: nothing of the kind is done without both. */
import { refuseField, type Result } from '../../contract/errors.ts';
import { maskCardNumbers } from '../../log/index.ts';

/** A letter or a digit of any script: blanks, and characters that nobody sees, name nobody. */
const saysSomething = /[\p{L}\p{N}]/u;

/** As the journal keeps them. `missing`: what is said where there is no name. */
export function namedPerson(
  by: string,
  reason: string,
  missing: string,
): Result<{ by: string; reason: string }> {
  if (!saysSomething.test(by)) return refuseField('by', missing);
  if (!saysSomething.test(reason))
    return refuseField('reason', 'a reason is needed; it is kept in the journal');
  return { ok: true, value: { by: maskCardNumbers(by.trim()), reason: maskCardNumbers(reason.trim()) } };
}
