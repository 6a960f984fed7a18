/**
 * What a TCP line is locked by: the addresses that its host stands for now. A name and its address, both addresses of
 * one name, and every way to say "this computer" are one terminal.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The network as the system knows it; a test brings its own. */
export interface Network {
  /** The addresses of a name. Rejects when it has none. */
  lookup(host: string): Promise<readonly string[]>;
  ownAddresses(): readonly string[];
}

export const systemNetwork: Network = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  ownAddresses: () => Object.values(networkInterfaces()).flatMap((all = []) => all.map((own) => own.address)),
};

const thisComputer = '127.0.0.1';

/** `tcp:HOST:PORT` by address, one for each. Rejects when the name cannot be looked up. */
export async function tcpLockNames(lineName: string, network: Network): Promise<string[]> {
  const { host, port } = hostAndPort(lineName);
  const addresses = isIP(host) === 0 ? await network.lookup(host) : [host];
  const own = new Set(network.ownAddresses().map(canonicalAddress));
  const names = addresses.map((address) => {
    const canonical = canonicalAddress(address);
    const known = own.has(canonical) ? thisComputer : canonical;
    return known.includes(':') ? `tcp:[${known}]:${port}` : `tcp:${known}:${port}`;
  });
  return [...new Set(names)];
}

/** The host in lower case, without the brackets of an address or the last dot of a name. */
export function hostAndPort(lineName: string): { host: string; port: string } {
  const parts = /^tcp:(?:\[([^\]]*)\]|(.*)):(\d+)$/.exec(lineName);
  const host = (parts?.[1] ?? parts?.[2] ?? '').toLowerCase();
  return { host: host.replace(/\.$/, ''), port: parts?.[3] ?? '' };
}

/** One way to write each address: short, an embedded IPv4 address as what it is, loopback as 127.0.0.1. */
function canonicalAddress(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (isIP(withoutZone) === 6) return canonicalV6(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
  return withoutZone.startsWith('127.') || withoutZone === '0.0.0.0' ? thisComputer : withoutZone;
}

function canonicalV6(short: string): string {
  if (short === '::1' || short === '::') return thisComputer;
  // URL writes ::ffff:10.0.0.5 as ::ffff:a00:5.
  const embedded = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (embedded === null) return short;
  const bytes = embedded.slice(1).flatMap((half) => {
    const number = Number.parseInt(half, 16);
    return [number >> 8, number & 0xff];
  });
  return canonicalAddress(bytes.join('.'));
}
