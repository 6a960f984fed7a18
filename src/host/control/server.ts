/** The running bridge's end of the control channel: one request, one answer, one connection. */
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { PaymentsApi } from '../../bridge/payments/index.ts';
import { errorText } from '../../base/error-text.ts';
import type { Log } from '../../log/index.ts';
import type { Chance } from '../../base/chance.ts';
import {
  bundleTimeoutMs,
  controlRequestSchema,
  type ControlAnswer,
  type ControlRequest,
} from '../../contract/control-channel.ts';
import type { Refused } from '../../contract/errors.ts';
import { terminalCheckWaitMs } from '../../contract/in-doubt.ts';
import { acquireControlAddress, releaseControlAddress } from './address.ts';

const maxRequestBytes = 64 * 1024;
const maxConnections = 16;
/** A client has sent its request within this time, or is cut off. */
const requestTimeoutMs = 5_000;

/** What the command line may use of `payments`. */
export type ControlPayments = Pick<
  PaymentsApi,
  'operationsInDoubt' | 'checkTerminal' | 'resolve' | 'discrepancies' | 'acknowledge' | 'status'
>;

/** Access to the console that this process serves as a page. */
export interface ConsoleLinks {
  /** A new link, for one window. */
  makeLink(): string;
  /** Ends all links and windows; returns how many there were. */
  revoke(): { windows: number; links: number };
}

export interface ControlServer {
  close(): Promise<void>;
}

/**
 * Listens for the command line on the data folder `folder`, whose journal the caller holds. Only the user who runs the
 * bridge can connect. Rejects when the socket cannot be made.
 */
export async function serveControl(options: {
  folder: string;
  payments: ControlPayments;
  /** Null where the console is no page, or not served. */
  consoleLinks: () => ConsoleLinks | null;
  /** Puts a support bundle into the data folder; gives its path. */
  saveSupportBundle: () => Promise<string>;
  version: string;
  chance: Chance;
  log: Log;
}): Promise<ControlServer> {
  const { folder, log } = options;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', (error) => log.debug('a control connection failed', { err: error }));
    socket.setTimeout(requestTimeoutMs, () => socket.destroy());
    readLine(socket, (line) => {
      // The answer may have to wait for the terminal, or for a file to be written.
      socket.setTimeout(bundleTimeoutMs);
      void answerTo(line, options).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  });
  server.maxConnections = maxConnections;
  const address = acquireControlAddress(folder, options.chance);
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

async function answerTo(line: string, options: Parameters<typeof serveControl>[0]): Promise<ControlAnswer> {
  const request = controlRequestSchema.safeParse(parse(line));
  if (!request.success) {
    return {
      answer: 'refused',
      code: 'invalid_request',
      message: 'The bridge did not understand this request.',
    };
  }
  try {
    return await answerOf(request.data, options);
  } catch (error) {
    options.log.error('a control request failed', { err: error });
    return {
      answer: 'refused',
      code: 'internal_error',
      message: 'An internal error; see the log of the bridge.',
    };
  }
}

function answerOf(
  request: ControlRequest,
  { payments, consoleLinks, saveSupportBundle, version }: Parameters<typeof serveControl>[0],
): ControlAnswer | Promise<ControlAnswer> {
  switch (request.ask) {
    case 'status': {
      const { terminal, inDoubt, discrepancies } = payments.status();
      const { simulated, text } = terminal;
      const processId = process.pid;
      return { answer: 'status', version, processId, simulated, terminal: text, inDoubt, discrepancies };
    }
    case 'doubts': {
      const doubts = payments.operationsInDoubt();
      return unreadable(payments, doubts) ?? { answer: 'doubts', doubts };
    }
    case 'check_terminal':
      return payments
        .checkTerminal(terminalCheckWaitMs)
        .then((check) => ({ answer: 'terminal_checked', check }));
    case 'support_bundle':
      return saveSupportBundle().then(
        (file) => ({ answer: 'support_bundle', file }),
        (error: unknown) => ({
          answer: 'refused',
          code: 'internal_error',
          message: `The support bundle cannot be written: ${errorText(error)}`,
        }),
      );
    case 'resolve': {
      const { ask: _ask, terminalUnreachable = false, ...decision } = request;
      const resolved = payments.resolve({ ...decision, terminalUnreachable });
      return resolved.ok ? { answer: 'resolved', ...resolved.value } : refused(resolved);
    }
    case 'discrepancies': {
      const discrepancies = payments.discrepancies(request.after);
      return unreadable(payments, discrepancies) ?? { answer: 'discrepancies', discrepancies };
    }
    case 'console_link': {
      const links = consoleLinks();
      return links === null ? noConsolePage : { answer: 'console_link', link: links.makeLink() };
    }
    case 'revoke_console': {
      const links = consoleLinks();
      return links === null ? noConsolePage : { answer: 'console_revoked', ...links.revoke() };
    }
    case 'acknowledge': {
      const { discrepancyId, by, reason } = request;
      const acknowledged = payments.acknowledge({ discrepancyId, by, reason });
      return acknowledged.ok
        ? { answer: 'acknowledged', discrepancy: acknowledged.value }
        : refused(acknowledged);
    }
  }
}

const noConsolePage: ControlAnswer = {
  answer: 'refused',
  code: 'not_found',
  message: 'It has no console page: it is the desktop app, or it was started with --no-console.',
};

function refused({ refusal }: Refused): ControlAnswer {
  return { answer: 'refused', code: refusal.code, message: refusal.message };
}

/** "There is nothing" would be a lie when the journal cannot be read. */
function unreadable(payments: ControlPayments, found: readonly unknown[]): ControlAnswer | null {
  const { journal } = payments.status();
  return found.length === 0 && !journal.writable
    ? { answer: 'refused', code: 'journal_unavailable', message: journal.text }
    : null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
