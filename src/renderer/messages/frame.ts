/**
 * Frames of the terminal's line in the window's language. The log has names and values in English; what the bridge put
 * into words is translated, and what the terminal itself said (its texts, a card's name) stays as it was.
 */
import type { TFunction } from 'i18next';
import type { FrameField } from '../../contract/frame.ts';
import { currencyExponent, currencySchema } from '../../contract/money.ts';
import type { Formats } from './formats.ts';

/** "Authorisation", "Abort by ECR". */
export function frameName(name: string, { sentence }: Formats): string {
  const own = sentence(name);
  return capitalised(own === name ? name.replaceAll('-', ' ').replace(/\becr\b/, 'ECR') : own);
}

/** "06 01" of ZVT, whose commands are two bytes; of another protocol what stands in its documents ("0210", "E", "C1"). */
export function controlText(control: string, protocol = 'zvt'): string {
  return protocol === 'zvt' ? control.replace(/(..)(?=.)/g, '$1 ') : control;
}

/** "Betrag" */
export function fieldName(name: string, { sentence }: Formats): string {
  const own = sentence(name);
  const [, scheme] = /^total (.+)$/.exec(name) ?? [];
  // "total of the terminal" is a name as a whole; a scheme is none of ours.
  return capitalised(own !== name || scheme === undefined ? own : `${sentence('total')} ${scheme}`);
}

/** Values that the bridge has put into words, "40: the terminal decides · printer ready". */
const inWords = new Set([
  'answer code',
  'kind of transaction',
  'paid with',
  'result',
  'result of the host',
  'transaction',
  'status',
  'terminal status',
  'payment type',
  'kind of payment',
  'configuration byte',
  'service byte',
  'status byte',
  'kind of receipt',
  'receipt information',
  'cardholder check',
  'card technology',
  'print attribute',
  'commands that it may send',
  'left out',
]);

/** Money, in the form of the contract ("12.00"). */
const amounts = new Set([
  'amount',
  'amount before conversion',
  'amount of an instalment',
  'amount of the bank',
  'amount of the order',
  'change',
  'discount',
  'surcharge',
  'tip',
  'total of the bank',
  'total of the terminal',
]);

const dates = new Set(['date', 'date and time', 'time of payment', 'time of the bank']);

/** What is no date in the log's form, as in lines of older versions, stays as it is. */
function dateText(value: string, formats: Formats): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formats.dateTime(value);
  const [, date, ofYear, time] =
    /^(?:(\d{4}-\d\d-\d\d)|(\d{3}))(?: (\d\d:\d\d(?::\d\d)?))?$/.exec(value) ?? [];
  if (ofYear !== undefined && time !== undefined) return formats.terminalClock(ofYear, time);
  if (date === undefined) return value;
  // At noon, so that it is this day in every time zone.
  const day = formats.day(`${date}T12:00:00`);
  return time === undefined ? day : `${day}, ${time}`;
}

/** `fields` are all of the frame: one of them may name the currency. */
export function fieldValue(
  [name, value]: FrameField,
  fields: readonly FrameField[],
  formats: Formats,
): string {
  if (amounts.has(name)) return amountText(value, fields, formats);
  if (name.startsWith('total ')) {
    const [, count = '', amount = ''] = /^(\d+) × (.+)$/.exec(value) ?? [];
    return count === '' ? value : `${count} × ${amountText(amount, fields, formats)}`;
  }
  // As many stars as digits say nothing that one sign does not say.
  if (name === 'card number') return value.replace(/\*{2,}/g, ' •••• ').trim();
  if (name === 'date, month and day') return formats.terminalClock(value.replace('-', ''), null);
  if (name === 'date, year first') return /^\d\d-/.test(value) ? dateText(`20${value}`, formats) : value;
  if (dates.has(name)) return dateText(value, formats);
  if (!inWords.has(name)) return value;
  // Of one character (ECR17) up to five digits (KPay).
  const [, code, words = value] = /^([^\s:]{1,5}): (.*)$/s.exec(value) ?? [];
  if (name === 'commands that it may send' && code !== undefined)
    return `${controlText(code)}: ${frameName(words, formats)}`;
  const own = words.split(' · ').map(formats.sentence).join(' · ');
  return code === undefined ? own : `${code}: ${own}`;
}

/** `afterMs`: by the computer's clock; below zero where that was put back meanwhile. */
export function acknowledgedText(afterMs: number, t: TFunction, formats: Formats): string {
  if (afterMs === 0) return t('timeline.acknowledgedAtOnce');
  return afterMs < 0
    ? t('timeline.acknowledged')
    : t('timeline.acknowledgedAfter', { duration: formats.duration(afterMs) });
}

function amountText(value: string, fields: readonly FrameField[], formats: Formats): string {
  const named = fields.find(([name]) => name === 'currency')?.[1];
  const currency = currencySchema.safeParse(named).data;
  if (!/^\d+(?:\.\d+)?$/.test(value)) return value;
  if (currency === undefined) return formats.decimal(Number(value), value.split('.')[1]?.length ?? 0);
  return formats.money(Math.round(Number(value) * 10 ** currencyExponent(currency)), currency);
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
