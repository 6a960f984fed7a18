/** KPay for everybody outside of this folder. */
import { z } from 'zod';
import type { ProtocolDescriptor } from '../../../contract/protocol-descriptor.ts';

/** As the API has them: both are sent as they are. */
const printable = (length: number) =>
  z.string().regex(new RegExp(`^[!-~]{0,${length}}$`), `must be at most ${length} letters, digits and signs`);
const appSecret = printable(64);

export const descriptor = {
  name: 'kpay',
  title: 'KPay',
  countries: ['HK', 'SG', 'AU'],
  connections: { http: { usualPort: 18_080 } },
  currencies: ['HKD', 'SGD', 'AUD'],
  settings: {
    'kpay.appId': {
      schema: printable(32).default(''),
      flag: '--kpay-app-id',
      argument: 'ID',
      needed: true,
      meaning: 'KPay: the application’s id, as KPay gave it to the merchant.',
      console: {
        section: 'terminal',
        texts: {
          en: {
            label: 'Application ID',
            hint: 'KPay gives it to the merchant.',
            problem: 'At most 32 letters, digits and signs.',
          },
          de: {
            label: 'Anwendungs-ID',
            hint: 'Der Händler bekommt sie von KPay.',
            problem: 'Höchstens 32 Buchstaben, Ziffern und Zeichen.',
          },
        },
      },
    },
    'kpay.appSecret': {
      schema: appSecret.default(''),
      flag: '--kpay-app-secret',
      argument: 'TEXT',
      needed: true,
      meaning:
        'KPay: the secret that goes with the id. Every user can read it on a command line; see --kpay-app-secret-file.',
      secret: true,
      console: {
        section: 'terminal',
        // Null: leave it as it is.
        schema: appSecret.nullable(),
        texts: {
          en: {
            label: 'Application secret',
            hint: 'KPay gives it to the merchant together with the ID.',
            problem: 'At most 64 letters, digits and signs.',
          },
          de: {
            label: 'Geheimnis der Anwendung',
            hint: 'Der Händler bekommt es von KPay zusammen mit der ID.',
            problem: 'Höchstens 64 Buchstaben, Ziffern und Zeichen.',
          },
        },
      },
    },
  },
  decode: { framings: ['http', 'canonical', 'der'] },
  hasSimulator: true,
} as const satisfies ProtocolDescriptor;
