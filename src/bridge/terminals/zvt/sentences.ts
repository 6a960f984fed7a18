/** Codes of the terminal as sentences for cashier and support. */
import type { TerminalRecord } from '../../../contract/terminal.ts';
import { resultText } from './wire/index.ts';

export const passwordAdvice =
  'The terminal refuses the password. Set the password that is set at the terminal.';

/** Words of a table as a sentence: capital letter, full stop. */
export function sentence(words: string): string {
  const trimmed = words.trim();
  if (trimmed === '') return '';
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** `prefix: words of the code.`; null stands for a code that the terminal did not give. */
export function codeSentence(prefix: string, code: number | null): string {
  return sentence(`${prefix}: ${code === null ? 'it gave no reason' : resultText(code)}`);
}

/** Why a result is negative, in the words that the record has for it. */
export function recordSentence(record: TerminalRecord): string {
  return sentence(record.resultText);
}
