/** Where a terminal is looked for, and with which protocols. */
import type { Currency } from '../../contract/money.ts';
import type { SerialPortView } from '../../contract/console/index.ts';
import { protocolNameSchema, protocolOf, type ProtocolName } from '../../contract/protocols.ts';
import type { LeftOut, Place } from './find-terminals.ts';

/** What nobody could choose is not looked for. */
const protocols = protocolNameSchema.options;

/** Each serial port that nobody uses. What the device and the currency speak for is tried first. */
export function serialPlaces(ports: readonly SerialPortView[], currency: Currency): Place[] {
  return ports
    .filter(({ inUse, holder, denied }) => !inUse && holder === null && !denied)
    .map(({ path, name, guess }) => ({
      terminal: `serial:${path}`,
      protocols: ordered(
        protocols.filter((protocol) => protocolOf(protocol).connections.serial !== undefined),
        guess?.protocols ?? [],
        currency,
      ),
      device: name,
    }));
}

/** Those that are not asked: a bridge or another program has them, or this user may not open them. */
export function portsLeftOut(ports: readonly SerialPortView[]): LeftOut {
  const lineOf = ({ path }: SerialPortView) => `serial:${path}`;
  const isTaken = ({ inUse, holder }: SerialPortView) => inUse || holder !== null;
  return {
    taken: ports.filter(isTaken).map(lineOf),
    denied: ports.filter((port) => port.denied && !isTaken(port)).map(lineOf),
  };
}

/** Each of `hosts` with each port that terminals listen on unless they are set otherwise. */
export function networkPlaces(hosts: readonly string[], currency: Currency): Place[] {
  const ports = new Map<string, ProtocolName[]>();
  for (const protocol of protocols) {
    const { tcp, http } = protocolOf(protocol).connections;
    for (const [kind, port] of [
      ['tcp', tcp?.usualPort ?? null],
      ['http', http?.usualPort ?? null],
    ] as const) {
      if (port === null) continue;
      const key = `${kind}:${port}`;
      ports.set(key, [...(ports.get(key) ?? []), protocol]);
    }
  }
  return hosts.flatMap((host) =>
    [...ports].map(([key, protocols]) => {
      const [kind = '', port = ''] = key.split(':');
      return {
        terminal: `${kind}:${host}:${port}`,
        protocols: ordered(protocols, [], currency),
        device: null,
      };
    }),
  );
}

function ordered(
  protocols: readonly ProtocolName[],
  guessed: readonly ProtocolName[],
  currency: Currency,
): ProtocolName[] {
  const rank = (protocol: ProtocolName) =>
    (guessed.includes(protocol) ? 0 : 2) +
    (protocolOf(protocol).currencies?.includes(currency) === false ? 1 : 0);
  return protocols.toSorted((one, other) => rank(one) - rank(other));
}
