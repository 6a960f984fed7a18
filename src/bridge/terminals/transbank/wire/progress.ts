/** Progress messages (0900): what the terminal shows now. Sent only where the sale asked for them. */
import type { ProgressStep } from '../../../../contract/terminal.ts';

const progress: Readonly<Record<string, { text: string; step: ProgressStep }>> = {
  '78': { text: 'Read card', step: 'insert_card' },
  '79': { text: 'Confirm amount', step: 'confirm_amount' },
  '80': { text: 'Choose instalments', step: 'other' },
  '81': { text: 'Enter PIN', step: 'enter_pin' },
  '82': { text: 'Waiting for the bank', step: 'waiting_for_host' },
  '83': { text: 'Select debit or credit', step: 'other' },
  '84': { text: 'Read card', step: 'insert_card' },
  '85': { text: 'Choose instalments', step: 'other' },
  '86': { text: 'Enter instalments', step: 'other' },
  '87': { text: 'Confirm instalments', step: 'other' },
  '88': { text: 'Enter instalments', step: 'other' },
  '89': { text: 'Choose the month of grace', step: 'other' },
};

/** All codes that have a text of their own. */
export const progressCodes: readonly string[] = Object.keys(progress);

/** What a code says to customer and cashier; an unknown one is "Please wait". */
export function progressText(code: string): string {
  return Object.hasOwn(progress, code) ? (progress[code]?.text ?? '') : 'Please wait';
}

export function progressStep(code: string): ProgressStep {
  return (Object.hasOwn(progress, code) ? progress[code]?.step : undefined) ?? 'please_wait';
}
