/** A fixed number of requests over some connections, as fast as they are answered. */
import autocannon from 'autocannon';
import { commandHeaders } from './caller.ts';

export interface Load {
  port: number;
  path: string;
  /** Sent in turn on each connection. */
  bodies: readonly string[];
  connections: number;
  count: number;
}

/** How often autocannon looks whether it is done; it takes no part in the figures. */
const lookMs = 20;

/** Requests per second, from before the first was sent to the last answer. Throws if one of them failed. */
export async function requestsPerSecond({ port, path, bodies, connections, count }: Load): Promise<number> {
  const startedMs = performance.now();
  let lastMs = startedMs;
  const run = autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    method: 'POST',
    headers: commandHeaders,
    requests: bodies.map((body) => ({ body })),
    connections,
    amount: count,
    sampleInt: lookMs,
  });
  void run.on('response', () => {
    lastMs = performance.now();
  });
  const { errors, timeouts, non2xx } = await run;
  if (errors + timeouts + non2xx > 0) throw new Error(`${path}: ${errors} errors, ${non2xx} refused`);
  return (count / (lastMs - startedMs)) * 1_000;
}
