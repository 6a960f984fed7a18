/** Codes of the terminal as sentences for cashier and support. */
import type { TerminalRecord } from '../../../contract/terminal.ts';
import { resultText } from './wire/index.ts';

/** Abort by timeout or key, also after our 06 B0. */
export const abortedCode = 0x6c;
export const alreadyReversedCode = 0xb4;
export const wrongPasswordCode = 0x37;
/** "Function off, PT not registered." */
export const notRegisteredCode = 0x6b;
export const wrongCurrencyCode = 0x6f;
/** As an answer: unknown, or not possible now. */
export const notPossibleCode = 0x83;
export const pleaseWaitCode = 0x9c;
/** "ZVT protocol error": a command that the terminal does not understand in this form. */
export const protocolErrorCode = 0x9a;

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
