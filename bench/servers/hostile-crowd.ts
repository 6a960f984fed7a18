/**
 * A local process that wants every connection of a bridge: `node hostile-crowd.ts '{"port":…,"size":…,"bytes":"…"}'`.
 * Prints a line when it has opened as many as it wants for the first time.
 */
import { gather } from '../../test/security/crowd.ts';

const { port, size, bytes } = JSON.parse(process.argv[2] ?? '') as {
  port: number;
  /** For each address. */
  size: number;
  bytes: string;
};
const addresses = ['127.0.0.1', '::1'];
const crowd = gather({ port, addresses, size, bytes });
const look = setInterval(() => {
  if (crowd.opened < size * addresses.length) return;
  clearInterval(look);
  console.log('Gathered');
}, 10);
process.on('SIGTERM', () => process.exit(0));
