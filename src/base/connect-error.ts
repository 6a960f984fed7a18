/** Why a TCP connection could not be made, in words. */
import { BlockList, isIP } from 'node:net';

export interface ConnectAttempt {
  /** As the settings have it: a name or an address. */
  host: string;
  /** With the port. */
  address: string;
  platform: NodeJS.Platform;
}

export function connectErrorMessage(error: Error, { host, address, platform }: ConnectAttempt): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `${address} refuses the connection: is the terminal on, and is the port right?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} is not known on this network`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      // What macOS answers, since version 15, where the user has not allowed the local network.
      return platform === 'darwin' && isLocal(host, error)
        ? `macOS does not let Tillbridge into the local network, or there is no way to ${host} on it`
        : `there is no way to ${host} on this network`;
    case 'ETIMEDOUT':
      return `${address} does not answer`;
    default:
      return `${address} cannot be reached: ${error.message}`;
  }
}

export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Addresses that macOS counts as local, as far as that can be told from the address alone. */
const localAddresses = new BlockList();
localAddresses.addSubnet('10.0.0.0', 8, 'ipv4');
localAddresses.addSubnet('172.16.0.0', 12, 'ipv4');
localAddresses.addSubnet('192.168.0.0', 16, 'ipv4');
localAddresses.addSubnet('169.254.0.0', 16, 'ipv4');
localAddresses.addSubnet('fc00::', 7, 'ipv6');
localAddresses.addSubnet('fe80::', 10, 'ipv6');

function isLocal(host: string, error: Error): boolean {
  // A name of Bonjour's, or one that only a router of the shop knows.
  if (isIP(host) === 0 && (/\.local\.?$/i.test(host) || !host.includes('.'))) return true;
  const tried = 'address' in error && typeof error.address === 'string' ? error.address : host;
  const [plain = ''] = tried.split('%');
  const version = isIP(plain);
  return version !== 0 && localAddresses.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}
