/** Codes of the terminal as reasons for cashier and support. */
import type { TerminalRecord } from '../../../contract/terminal.ts';
import { resultText } from './wire/index.ts';

export const passwordReason =
  'The terminal refuses the password. Set the password that is set at the terminal.';

/** A text of a table as a sentence: capital letter, full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** `prefix: text of the code.`; null stands for a code that the terminal did not give. */
export function codeReason(prefix: string, code: number | null): string {
  return asSentence(`${prefix}: ${code === null ? 'it gave no reason' : resultText(code)}`);
}

/** Why a result is negative, in the text that the record has for it. */
export function recordReason(record: TerminalRecord): string {
  return asSentence(record.resultText);
}
