import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';

export interface LingerLimits {
  /** How much more is read, and how long, so that the sender sees the answer. */
  lingerBytes: number;
  lingerMs: number;
}

/**
 * Ends an answer that was written with `Connection: close` while its request has not been read to its end. The rest is
 * read and thrown away for a while: closing with unread bytes would reset the connection, and the sender would lose the
 * answer.
 */
export function endAfterLinger(
  request: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
  { lingerMs, lingerBytes }: LingerLimits,
): void {
  let readBytes = 0;
  const end = () => {
    cancel();
    response.end();
  };
  const cancel = clock.after(lingerMs, end);
  request.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    if (readBytes > lingerBytes) end();
  });
  request.on('end', end);
  request.on('close', end);
  request.resume();
}

/** Whether a request has, by its head, a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
