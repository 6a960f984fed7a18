/** The JSON of a body as people may see it. */
import { maskCardNumbers } from '../../../../log/index.ts';
import { maskedCardNumber } from './fields.ts';

/** Fields that are digits and no card number, whatever their check digit says. */
const plainNumbers = /^(?:timestamp|commitTime|appId|kpayMerchantNo|outTradeN[oO]|refNo|transactionNo)$/;

/** What stands deeper is left out; no message has more than three levels. */
const maxDepth = 32;

/** What stands for a text or a number in the field `name`; null: what usually does. */
export type HideField = (name: string, value: string) => string | null;

const hidesNothing: HideField = () => null;

/** The same JSON in which no card number can be read. `name` is that of the field which has it. Never throws. */
export function maskedJson(value: unknown, hide = hidesNothing, name = '', depth = 0): unknown {
  if (typeof value === 'string') {
    const hidden = hide(name, value);
    if (hidden !== null) return hidden;
    if (name === 'cardNo' && !value.includes('*')) return maskedCardNumber(value) ?? maskCardNumbers(value);
    return plainNumbers.test(name) ? value : maskCardNumbers(value);
  }
  if (typeof value === 'number') {
    const text = String(value);
    const hidden = hide(name, text);
    if (hidden !== null) return hidden;
    if (plainNumbers.test(name)) return value;
    const masked = name === 'cardNo' ? maskedCardNumber(text) : maskCardNumbers(text);
    return masked === text ? value : masked;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return null;
  if (Array.isArray(value)) return value.map((each) => maskedJson(each, hide, name, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      maskCardNumbers(key),
      maskedJson(each, hide, key, depth + 1),
    ]),
  );
}
