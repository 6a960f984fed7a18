/**
 * HTTP to a server in this process whose time is a virtual clock. The clock is held while a request or an answer is
 * under way in the machine, where the clock cannot see it, and goes on while the server works on the request.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestTime } from './virtual-clock.ts';

/** Marks a request, so that its arrival at the server is known. */
const markName = 'x-test-call';
const calls = new Map<string, { arrived(): void; answered(): void }>();
let lastCall = 0;

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const call = calls.get(String(request.headers[markName]));
  if (call === undefined) return;
  request.once('end', call.arrived);
  const end = response.end.bind(response) as (...parts: unknown[]) => ServerResponse;
  let hasEnded = false;
  response.end = (...parts: unknown[]) => {
    // Ending once more does nothing, also to the clock.
    if (!hasEnded) call.answered();
    hasEnded = true;
    return end(...parts);
  };
});

/** As `fetch`, with the whole answer read. */
export async function heldFetch(clock: TestTime, url: string, init: RequestInit = {}): Promise<Response> {
  lastCall += 1;
  const mark = String(lastCall);
  const requestArrived = clock.hold();
  let answerArrived = () => {};
  calls.set(mark, {
    arrived: requestArrived,
    answered() {
      requestArrived();
      answerArrived = clock.hold();
    },
  });
  try {
    const answer = async () => {
      const headers = { ...(init.headers as Record<string, string> | undefined), [markName]: mark };
      const response = await fetch(url, { ...init, headers });
      return new Response(await response.arrayBuffer(), response);
    };
    return await clock.run(answer(), `an answer of ${url}`);
  } finally {
    calls.delete(mark);
    requestArrived();
    answerArrived();
  }
}
