/** The events of a bridge, over as many connections as it takes: each once, and in order. */
import { expect, it } from 'vitest';
import { createPosClient, PosInputError, type EventsOptions, type PosEvent } from '../../src/pos/index.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { startListener } from '../bridge/listener/set-up.ts';

/** One connection: what is sent on it, and then it is dropped, or stays silent. */
type Connection = { pieces: string[]; end: 'dropped' | 'silent' } | { status: number; body: object };

function listening(connections: readonly Connection[], options: EventsOptions = {}) {
  const clock = createVirtualClock();
  const left = [...connections];
  const places: (string | null)[] = [];
  const send = (_url: string, init: RequestInit): Promise<Response> => {
    places.push(new Headers(init.headers).get('last-event-id'));
    const next = left.shift();
    if (next === undefined) return Promise.reject(new TypeError('fetch failed'));
    if ('status' in next) return Promise.resolve(new Response(JSON.stringify(next.body), next));
    const bytes = next.pieces.map((piece) => new TextEncoder().encode(piece));
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => init.signal?.addEventListener('abort', () => stream.error(new Error('aborted'))),
      pull(stream) {
        const piece = bytes.shift();
        if (piece !== undefined) stream.enqueue(piece);
        else if (next.end === 'dropped') stream.error(new Error('the connection is gone'));
      },
    });
    return Promise.resolve(new Response(body, { status: 200 }));
  };
  const client = createPosClient({ fetch: send as typeof fetch, clock, random: () => 0 });
  return { clock, places, events: client.events(options) };
}

async function take(events: AsyncIterable<PosEvent>, count: number): Promise<PosEvent[]> {
  const taken: PosEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

const payment = (id: number, status: string) =>
  `event: payment\nid: ${id}\ndata: {"transaction_status":"${status}"}\n\n`;
const idsOf = (events: PosEvent[]) => events.map(({ id }) => id);

it('goes on where a dropped connection ended, wherever it was cut', async () => {
  const second = payment(2, 'approved');
  const { clock, events, places } = listening([
    { pieces: ['retry: 2000\n', payment(1, 'in_progress'), second.slice(0, 30)], end: 'dropped' },
    { pieces: [': keep-alive\n\n', ...second.split(''), payment(3, 'settled')], end: 'silent' },
  ]);
  expect(idsOf(await clock.run(take(events, 3), 'three events'))).toEqual(['1', '2', '3']);
  expect(places).toEqual([null, '1']);
});

it('takes a connection that has been silent for too long for lost', async () => {
  const { clock, events, places } = listening(
    [
      { pieces: [payment(5, 'in_progress')], end: 'silent' },
      { pieces: [payment(6, 'approved')], end: 'silent' },
    ],
    { after: '4' },
  );
  expect(idsOf(await clock.run(take(events, 2), 'two events'))).toEqual(['5', '6']);
  expect(places).toEqual(['4', '5']);
  expect(clock.elapsed()).toBeGreaterThan(30_000);
});

it('comes again after a bridge that is not there, or has too many readers', async () => {
  const full = { success: false, code: 'too_many_streams', message: 'Too many.' };
  const { clock, events } = listening([
    { status: 503, body: full },
    { pieces: [payment(1, 'approved')], end: 'silent' },
  ]);
  expect(await clock.run(take(events, 1), 'an event')).toHaveLength(1);
});

it('ends with a bridge that lets nobody listen', async () => {
  const refusal = { success: false, code: 'unauthorized', message: 'A token is needed.' };
  const { clock, events } = listening([{ status: 401, body: refusal }]);
  await expect(clock.run(take(events, 1), 'the end')).rejects.toMatchObject({
    name: 'PosRefusedError',
    code: 'unauthorized',
    message: 'A token is needed.',
  });
});

it('ends with its signal', async () => {
  const end = new AbortController();
  const { clock, events } = listening([{ pieces: [], end: 'silent' }], { signal: end.signal });
  const taken = take(events, 1);
  await clock.advance(1_000);
  end.abort();
  expect(await clock.run(taken, 'the end')).toEqual([]);
});

it('refuses a place that no header can carry', () => {
  expect(() => listening([], { after: '4\n5' })).toThrow(PosInputError);
});

it('tells what a real bridge tells', async () => {
  const { clock, port, payments } = await startListener();
  const client = createPosClient({ url: `http://127.0.0.1:${port}`, clock });
  const paid = client.pay({ reference: 'A-1', amount: '12.00' });
  const events = client.events({ after: '0' });
  const heard: PosEvent[] = [];
  for await (const event of events) {
    heard.push(event);
    if (event.name !== 'payment') continue;
    if (event.data.transaction_status === 'approved') break;
    payments.decide('A-1', 'approved');
  }
  expect(heard.map(({ name }) => name)).toEqual(['terminal', 'payment', 'payment']);
  expect(heard.at(-1)).toMatchObject({
    id: expect.stringMatching(/^2-/) as string,
    data: { retrieval_reference_number: 'A-1', amount: '12.00', transaction_status: 'approved' },
  });
  expect(await paid).toMatchObject({ outcome: 'approved', approvedAmount: '12.00' });
});
