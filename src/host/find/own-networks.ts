/** The addresses of the local network in which a terminal may be looked for: only those around this computer's own. */
import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

/** RFC 1918. */
const privateAddresses = new BlockList();
privateAddresses.addSubnet('10.0.0.0', 8, 'ipv4');
privateAddresses.addSubnet('172.16.0.0', 12, 'ipv4');
privateAddresses.addSubnet('192.168.0.0', 16, 'ipv4');

/** Of a larger network only the 254 addresses around this computer's are asked. */
const smallestPrefix = 24;

export interface OwnAddress {
  address: string;
  netmask: string;
  family: string;
  internal: boolean;
}

export function ownAddresses(): OwnAddress[] {
  return Object.values(networkInterfaces()).flatMap((all) => all ?? []);
}

/** All other addresses of the private IPv4 networks of `own`, each once. */
export function neighbours(own: readonly OwnAddress[]): string[] {
  const mine = own.filter(
    ({ family, internal, address }) => family === 'IPv4' && !internal && privateAddresses.check(address),
  );
  const found = new Set(mine.flatMap(({ address, netmask }) => hostsAround(address, netmask)));
  for (const { address } of mine) found.delete(address);
  return [...found];
}

function hostsAround(address: string, netmask: string): string[] {
  const prefix = Math.max(smallestPrefix, numberOf(netmask).toString(2).replaceAll('0', '').length);
  const size = 2 ** (32 - prefix);
  const first = Math.floor(numberOf(address) / size) * size;
  // Neither the network's own number nor its broadcast address.
  return Array.from({ length: Math.max(0, size - 2) }, (_, index) => textOf(first + 1 + index));
}

function numberOf(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
