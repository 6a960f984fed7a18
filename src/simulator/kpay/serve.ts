/** The simulated KPay terminal as an HTTP server. */
import type { IncomingMessage } from 'node:http';
import type { ServedSimulator } from '../reachable-simulator.ts';
import type { KpaySimulator } from './kpay-simulator.ts';

const { createServer } = process.getBuiltinModule('node:http');

/** Longer than any request; the rest of a longer one is not read. */
const maxRequestBytes = 65_536;

/** Listens; rejects when the port cannot be had. Port 0 takes a free one. */
export async function serveKpaySimulator(
  simulator: KpaySimulator,
  { host, port }: { host: string; port: number },
): Promise<ServedSimulator> {
  const server = createServer((request, response) => {
    const cut = () => void request.socket.resetAndDestroy();
    bodyOf(request)
      .then(async (body) => {
        const { method = '', url: uri = '', headers } = request;
        const flat = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
        );
        const reply = await simulator.handle({ method, uri, headers: flat, body });
        if (reply === null) return cut();
        response.writeHead(reply.status, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': reply.body.length,
        });
        response.end(reply.body);
      }, cut)
      .catch(cut);
  });
  server.on('connection', (socket) => {
    // As near as a listening socket can come to a terminal without power.
    if (!simulator.accepting) socket.resetAndDestroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      simulator.close();
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await stopped;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > maxRequestBytes) throw new Error('the request is too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
