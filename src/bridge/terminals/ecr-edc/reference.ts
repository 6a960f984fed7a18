/**
 * Reference 1 (R1): 20 characters of ours that the terminal returns, and by which it can be asked for the payment.
 *
 *     TILLBRDG A1B2C3D4E5F6
 *     ╰──┬───╯ ╰────┬─────╯
 *     the same   drawn for each payment: too short to be taken for a card number, and masked, whatever is drawn
 */
import { fieldText, fieldType, type EdcMessage } from './wire/index.ts';

const prefix = 'TILLBRDG';
/** Of the part that is drawn, in characters. */
export const referenceLength = 12;

export function reference1Of(terminalReference: string | undefined): string {
  if (terminalReference === undefined) throw new Error('a payment without a reference of its own');
  return prefix + terminalReference;
}

/** Whether the terminal returned this reference; null: it returned none. */
export function returnsReference(message: EdcMessage, reference1: string): boolean | null {
  const told = fieldText(message, fieldType.reference1);
  return told === null ? null : told === reference1;
}
