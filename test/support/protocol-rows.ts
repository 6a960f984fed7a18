/** Each protocol on each of its transports, as the command line starts it: what matrix and crash test run over. */
import type { Currency } from '../../src/contract/money.ts';
import { protocolCases, type ProtocolCase } from './protocol-cases.ts';

export type Transport = 'tcp' | 'serial' | 'http';

export interface Row {
  /** Such as "zvt over tcp". */
  name: string;
  transport: Transport;
  currency: Currency;
  /** What is known of it beside how it is reached. */
  protocol: ProtocolCase;
  bridge: readonly string[];
  simulator: readonly string[];
  /** In `npm test`, too: one of each protocol. */
  short: boolean;
}

const rowOf = (
  name: string,
  transport: Transport,
  { bridge = [], simulator = [], short = false }: Partial<Pick<Row, 'bridge' | 'simulator' | 'short'>> = {},
): Row => {
  const protocol = protocolCases.find((known) => known.name === name);
  if (protocol === undefined) throw new Error(`no protocol is called ${name}`);
  const { currency } = protocol;
  // A profile stands behind the name, and has a flag of its own.
  const chosen = ['--protocol', name.split(' ')[0] ?? name];
  return {
    name: `${name} over ${transport}`,
    transport,
    currency,
    protocol,
    bridge: [...chosen, '--currency', currency, ...bridge],
    simulator: [...chosen, '--currency', currency, ...simulator],
    short,
  };
};
const ecrEdc = (profile: string) => ({
  bridge: ['--ecr-edc-profile', profile],
  simulator: ['--profile', profile],
});
/** Each program calls the two flags by a prefix of its own. */
const kpayApplication = (flag: string) => [`${flag}id`, 'shop', `${flag}secret`, 'a-secret-of-this-test'];

export const rows: readonly Row[] = [
  rowOf('zvt', 'tcp', { short: true }),
  rowOf('zvt', 'serial'),
  rowOf('transbank', 'serial', { short: true }),
  rowOf('transbank', 'tcp'),
  rowOf('ecr17', 'tcp', { short: true }),
  rowOf('ecr17', 'serial'),
  rowOf('ecr-edc generic', 'serial', ecrEdc('generic')),
  rowOf('ecr-edc kbtg', 'serial', { ...ecrEdc('kbtg'), short: true }),
  rowOf('ecr-edc generic', 'tcp', ecrEdc('generic')),
  rowOf('ecr-edc kbtg', 'tcp', ecrEdc('kbtg')),
  rowOf('kpay', 'http', {
    bridge: kpayApplication('--kpay-app-'),
    simulator: kpayApplication('--app-'),
    short: true,
  }),
];

/** Those of a protocol and a transport, by the beginning of its name; "all": each. */
export function chooseRows(protocol: string, transport: string): readonly Row[] {
  return rows.filter(
    (row) =>
      (protocol === 'all' || row.name.startsWith(protocol)) &&
      (transport === 'all' || row.transport === transport),
  );
}

export const rowNames = rows.map(({ name }) => name).join(', ');
