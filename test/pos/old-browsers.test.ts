/** Browsers that are on tills lack this and that; and a `fetch` of somebody else's may do as it likes. */
import { expect, it } from 'vitest';
import { createPosClient } from '../../src/pos/index.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { scripted, standing, wish } from './scripted-bridge.ts';

type Send = (url: string, init: RequestInit) => Promise<Response>;

function clientWith(send: Send) {
  const clock = createVirtualClock();
  return { clock, client: createPosClient({ fetch: send as typeof fetch, clock, random: () => 0 }) };
}

function echo({ headers }: RequestInit): Headers {
  return new Headers({ 'x-request-id': new Headers(headers).get('x-request-id') ?? '' });
}

/** Safari, and Chrome before 124. */
function withoutLoops(response: Response): Response {
  Object.defineProperty(response.body, Symbol.asyncIterator, { value: undefined });
  return response;
}

it.each([
  ['no loop over a stream', withoutLoops],
  ['no stream', (response: Response) => Object.defineProperty(response, 'body', { value: undefined })],
])('%s', async (_, lacking) => {
  const { clock, client } = clientWith((_url, init) =>
    Promise.resolve(lacking(new Response(JSON.stringify(standing('approved')), { headers: echo(init) }))),
  );
  expect(await clock.run(client.pay(wish), 'the end')).toMatchObject({ outcome: 'approved' });
});

it('no loop over the stream of events', async () => {
  const { clock, client } = clientWith(() =>
    Promise.resolve(withoutLoops(new Response('event: payment\nid: 1\ndata: {}\n\n'))),
  );
  const events = client.events()[Symbol.asyncIterator]();
  const { value } = await clock.run(events.next(), 'an event');
  expect(value).toMatchObject({ name: 'payment', id: '1' });
});

it('neither AbortSignal.any nor URL.canParse', async () => {
  const { any } = AbortSignal;
  const { canParse } = URL;
  Object.assign(AbortSignal, { any: undefined });
  Object.assign(URL, { canParse: undefined });
  try {
    const { client, clock } = scripted([standing('approved')]);
    const paid = client.pay(wish, { signal: new AbortController().signal });
    expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'approved' });
  } finally {
    Object.assign(AbortSignal, { any });
    Object.assign(URL, { canParse });
  }
});

it('a fetch that does not heed its signal holds nobody', async () => {
  let asked = 0;
  const { clock, client } = clientWith(() => {
    asked += 1;
    return new Promise(() => {});
  });
  const paid = client.pay(wish, { withinMs: 60_000 });
  expect(await clock.run(paid, 'the end')).toMatchObject({ outcome: 'unknown' });
  expect(clock.elapsed()).toBe(60_000);
  expect(asked).toBeGreaterThan(2);
  expect(await clock.run(client.query('A-1'), 'the query')).toMatchObject({ outcome: 'unknown' });
  const end = new AbortController();
  const events = client.events({ signal: end.signal })[Symbol.asyncIterator]().next();
  await clock.advance(10);
  end.abort();
  expect(await clock.run(events, 'the end of the events')).toMatchObject({ done: true });
});
