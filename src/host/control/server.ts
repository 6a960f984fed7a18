/** The running bridge's end of the control channel: one request, one answer, one connection. */
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { PaymentsApi } from '../../bridge/payments/index.ts';
import type { Log } from '../../bridge/log/index.ts';
import { controlRequestSchema, type ControlAnswer } from '../../contract/control.ts';
import { claimControlAddress, releaseControlAddress } from './address.ts';

const maxRequestBytes = 64 * 1024;
const maxConnections = 16;
/** A client has asked within this time, or is cut off. */
const requestTimeoutMs = 5_000;

export interface ControlServer {
  close(): Promise<void>;
}

/**
 * Listens for the command line on the data folder `folder`, whose journal the caller holds. Only the user who runs the
 * bridge can connect. Rejects when the socket cannot be made.
 */
export async function serveControl(options: {
  folder: string;
  payments: Pick<PaymentsApi, 'doubts' | 'resolve' | 'status'>;
  version: string;
  log: Log;
}): Promise<ControlServer> {
  const { folder, log } = options;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', (error) => log.debug('a control connection failed', { err: error }));
    socket.setTimeout(requestTimeoutMs, () => socket.destroy());
    readLine(socket, (line) => socket.end(`${JSON.stringify(answerTo(line, options))}\n`));
  });
  server.maxConnections = maxConnections;
  const address = claimControlAddress(folder);
  await listenPrivately(server, address);
  server.on('error', (error) => log.warn('the control channel failed', { err: error }));
  return {
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      releaseControlAddress(folder);
    },
  };
}

/** The socket is made inside `listen`, so that only a narrow umask leaves no moment in which others could connect. */
function listenPrivately(server: ReturnType<typeof createServer>, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    server.listen(address, () => {
      server.off('error', reject);
      if (process.platform !== 'win32') chmodSync(address, 0o600);
      resolve();
    });
    process.umask(before);
  });
}

function readLine(socket: Socket, onLine: (line: string) => void): void {
  let received = Buffer.alloc(0);
  const onData = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const end = received.indexOf('\n');
    if (end === -1 && received.length <= maxRequestBytes) return;
    socket.off('data', onData);
    socket.resume();
    onLine(received.subarray(0, end === -1 ? 0 : end).toString('utf8'));
  };
  socket.on('data', onData);
}

function answerTo(
  line: string,
  { payments, version, log }: Parameters<typeof serveControl>[0],
): ControlAnswer {
  const request = controlRequestSchema.safeParse(parse(line));
  if (!request.success) {
    return {
      answer: 'refused',
      code: 'invalid_request',
      message: 'The bridge did not understand this request.',
    };
  }
  try {
    switch (request.data.ask) {
      case 'status': {
        const { terminal, inDoubt } = payments.status();
        return {
          answer: 'status',
          version,
          processId: process.pid,
          simulated: terminal.simulated,
          terminal: terminal.text,
          inDoubt,
        };
      }
      case 'doubts': {
        const doubts = payments.doubts();
        const { journal } = payments.status();
        // "Nothing is in doubt" would be a lie when the journal cannot be read.
        if (doubts.length === 0 && !journal.writable) {
          return { answer: 'refused', code: 'journal_unavailable', message: journal.text };
        }
        return { answer: 'doubts', doubts };
      }
      case 'resolve': {
        const { operationId, resolution, by, reason } = request.data;
        const resolved = payments.resolve({ operationId, resolution, by, reason });
        return resolved.ok
          ? { answer: 'resolved', ...resolved.value }
          : { answer: 'refused', code: resolved.failure.code, message: resolved.failure.message };
      }
    }
  } catch (error) {
    log.error('a control request failed', { err: error });
    return { answer: 'refused', code: 'internal_error', message: 'A fault in the bridge; its log has it.' };
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
