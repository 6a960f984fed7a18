/** Eight terminals on one bridge, so that each protocol is among them, each of its lines and each of its profiles. */
import type { Currency } from '../../src/contract/money.ts';
import { mainTerminal } from '../../src/contract/terminal-name.ts';
import type { Transport } from '../support/protocol-rows.ts';

export interface OneOfEight {
  /** As the header x-terminal has it. */
  name: string;
  protocol: string;
  transport: Transport;
  currency: Currency;
  /** Further settings, as a configuration file has them. */
  settings: Record<string, unknown>;
  /** Further flags of its simulator. */
  flags: readonly string[];
}

const ecrEdc = (profile: string, transport: Transport) =>
  ({
    protocol: 'ecr-edc',
    transport,
    currency: 'THB',
    settings: { 'ecr-edc': { profile } },
    flags: ['--profile', profile],
  }) as const;
const application = { appId: 'shop', appSecret: 'a-secret-of-this-test' };
const none = { settings: {}, flags: [] };

export const eightTerminals: readonly OneOfEight[] = [
  { name: mainTerminal, protocol: 'zvt', transport: 'tcp', currency: 'EUR', ...none },
  { name: 'zvt-serial', protocol: 'zvt', transport: 'serial', currency: 'EUR', ...none },
  { name: 'transbank', protocol: 'transbank', transport: 'serial', currency: 'CLP', ...none },
  { name: 'ecr17-tcp', protocol: 'ecr17', transport: 'tcp', currency: 'EUR', ...none },
  { name: 'ecr17-serial', protocol: 'ecr17', transport: 'serial', currency: 'EUR', ...none },
  { name: 'ecr-edc-generic', ...ecrEdc('generic', 'tcp') },
  { name: 'ecr-edc-kbtg', ...ecrEdc('kbtg', 'serial') },
  {
    name: 'kpay',
    protocol: 'kpay',
    transport: 'http',
    currency: 'HKD',
    settings: { kpay: application },
    flags: ['--app-id', application.appId, '--app-secret', application.appSecret],
  },
];
