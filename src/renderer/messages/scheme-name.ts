/** Card schemes as their owners write them; a terminal's totals name them in lower case and in short. */
import type { TFunction } from 'i18next';

const written: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  maestro: 'Maestro',
  amex: 'American Express',
  jcb: 'JCB',
  diners: 'Diners Club',
  unionpay: 'UnionPay',
  redcompra: 'Redcompra',
  wechat: 'WeChat Pay',
  alipay: 'Alipay',
  octopus: 'Octopus',
  paynow: 'PayNow',
  payme: 'PayMe',
  eftpos: 'EFTPOS',
};

/** Of a group of cards in a batch: `all`, `other`, or a scheme; one that is not known here stays as it was sent. */
export function schemeName(scheme: string, t: TFunction): string {
  if (scheme === 'all') return t('batches.allSchemes');
  if (scheme === 'other') return t('till.otherCards');
  return written[scheme] ?? scheme;
}
