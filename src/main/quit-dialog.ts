/** Asks what is to become of the operation on the terminal. */
import { dialog, type BrowserWindow } from 'electron';
import type { ConsoleState } from '../contract/console/index.ts';
import { currencyExponent, type Currency } from '../contract/money.ts';
import type { QuitChoice } from './quit.ts';
import type { Words } from './words.ts';

const choices: QuitChoice[] = ['wait', 'now', 'cancel'];

export async function confirmQuit(
  currentOperation: NonNullable<ConsoleState['currentOperation']>,
  context: { window: BrowserWindow; words: Words; locale: string },
): Promise<QuitChoice> {
  const { window, words, locale } = context;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: words.currentOperation[currentOperation.kind],
    detail: words.quitDetail(describe(currentOperation, locale)),
    buttons: [words.waitThenQuit, words.quitNow, words.cancel],
    defaultId: choices.indexOf('wait'),
    cancelId: choices.indexOf('cancel'),
    noLink: true,
  });
  return choices[response] ?? 'cancel';
}

/** `12.00 EUR, TABLE-7. `, or nothing where there is no amount. */
function describe(currentOperation: NonNullable<ConsoleState['currentOperation']>, locale: string): string {
  const { amountMinor, currency, reference } = currentOperation;
  const amount = amountMinor === null ? [] : [money(amountMinor, currency, locale)];
  const parts = [...amount, ...(reference === null ? [] : [reference])];
  return parts.length === 0 ? '' : `${parts.join(', ')}. `;
}

function money(amountMinor: number, currency: Currency, locale: string): string {
  const digits = currencyExponent(currency);
  const format = new Intl.NumberFormat(usableLocale(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amountMinor / 10 ** digits);
}

/** Undefined, the runtime's own, for what is no locale: the setting is free text, and a system may name none. */
function usableLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
