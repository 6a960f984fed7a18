import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, webhookEventSchema } from '../../../src/remote/library/webhooks.ts';
import { settlementMs } from '../../../src/remote/sandbox/rules/exchange.ts';
import {
  deliveryTimeoutMs,
  firstPauseMs,
  maxAttempts,
} from '../../../src/remote/sandbox/webhooks/deliveries.ts';
import { until } from '../../support/until.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { createSkippingClock } from '../skipping-clock.ts';
import { atEnd, startSandbox, stoppedClock, temporaryFolder, type SandboxRig } from './rig.ts';

interface Delivered {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers with the status that `statusFor` gives for the n-th delivery, counting from 1; 0: never. */
async function startReceiver(statusFor: (count: number) => number = () => 200) {
  const got: Delivered[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = statusFor(got.length);
      if (status !== 0) response.writeHead(status).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    until: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (got.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Pauses between attempts pass at once, and are remembered; no answer is late. */
const skippingClock = () => createSkippingClock((delayMs) => delayMs === deliveryTimeoutMs, { moves: true });

const subscribe = (rig: SandboxRig, body: unknown) =>
  rig.request('/webhook-subscriptions', { method: 'POST', body });
const makeHolder = (rig: SandboxRig) =>
  rig.client.accountHolderCreationIntents.create({
    know_your_customer: { type: 'cms', detail: { cms_id: 'x' } },
  });

it('each change is delivered, signed over time and body', async () => {
  const rig = await startSandbox();
  const receiver = await startReceiver();
  const subscribed = await subscribe(rig, { url: receiver.url });
  const secret = String(subscribed.body['secret']);
  const intent = await makeHolder(rig);
  await receiver.until(1);
  const [{ headers, body }] = receiver.got as [Delivered];
  const event = webhookEventSchema.parse(JSON.parse(body));
  expect(event).toMatchObject({
    kind: 'account-holder-creation-intent.created',
    resource: 'account-holder-creation-intent',
    record_id: intent.id,
    etag: intent.etag,
  });
  const verify = (secrets: string | string[], changed = body, more: object = {}) =>
    verifyWebhook({ ...headers, ...more }, changed, secrets, { clock: stoppedClock });
  expect(await verify(secret)).toEqual(event);
  expect(await verify(['other', secret])).toEqual(event);
  await expect(verify('other')).rejects.toMatchObject({ kind: 'signature-wrong' });
  await expect(verify(secret, `${body} `)).rejects.toMatchObject({ kind: 'signature-wrong' });
  // The secret is answered once.
  const list = await rig.request('/webhook-subscriptions');
  expect(list.text).toContain(receiver.url);
  expect(list.text).not.toContain(secret);
});

it('only the kinds that were asked for come, and none after the end', async () => {
  const rig = await startSandbox();
  const receiver = await startReceiver();
  const { body } = await subscribe(rig, { url: receiver.url, kinds: ['account.created'] });
  const intent = await makeHolder(rig);
  await rig.client.accountHolderCreationIntents.confirm(intent);
  await receiver.until(2);
  expect(receiver.got.map((delivered) => webhookEventSchema.parse(JSON.parse(delivered.body)).kind)).toEqual([
    'account.created',
    'account.created',
  ]);
  const ended = await rig.request(`/webhook-subscriptions/${String(body['id'])}`, { method: 'DELETE' });
  expect(ended.status).toBe(200);
  expect(JSON.parse((await rig.request('/webhook-subscriptions')).text)).toEqual([]);
});

it('what time does is told too, without anybody asking', async () => {
  const clock = createVirtualClock();
  const rig = await startSandbox({ clock, seed: true });
  const receiver = await startReceiver();
  await subscribe(rig, { url: receiver.url, kinds: ['trade.updated'] });
  await makeHolder(rig);
  await clock.advance(settlementMs + 1);
  await receiver.until(1);
  expect(webhookEventSchema.parse(JSON.parse(receiver.got[0]?.body ?? '')).resource).toBe('trade');
});

it('a delivery that fails comes again, after pauses that grow, and is given up in the end', async () => {
  const clock = skippingClock();
  const rig = await startSandbox({ clock });
  const receiver = await startReceiver((count) => (count <= 3 ? 500 : 200));
  await subscribe(rig, { url: receiver.url, kinds: ['account-holder-creation-intent.created'] });
  await makeHolder(rig);
  await receiver.until(4);
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
  const grown = clock.pauses.filter((pauseMs) => pauseMs > firstPauseMs / 2);
  expect(grown.length).toBeGreaterThanOrEqual(3);
  expect(grown[1]).toBeGreaterThan(firstPauseMs);
  expect(grown[2]).toBeGreaterThan(2 * firstPauseMs);

  const never = await startReceiver(() => 500);
  await subscribe(rig, { url: never.url, kinds: ['account-holder-creation-intent.created'] });
  await makeHolder(rig);
  await never.until(maxAttempts);
  await until(() => rig.lines.some((line) => line.includes('attempts are exhausted')));
  expect(never.got).toHaveLength(maxAttempts);
});

it('what waits at the end of the sandbox is delivered by the next one', async () => {
  const dataDir = temporaryFolder();
  const refusing = await startReceiver((count) => (count === 1 ? 503 : 200));
  const first = await startSandbox({ dataDir, keep: true });
  await subscribe(first, { url: refusing.url, kinds: ['account-holder-creation-intent.created'] });
  const intent = await makeHolder(first);
  await refusing.until(1);
  await first.sandbox.close();
  await startSandbox({ dataDir, clock: skippingClock() });
  await refusing.until(2);
  expect(webhookEventSchema.parse(JSON.parse(refusing.got[1]?.body ?? '')).record_id).toBe(intent.id);
});

it.each([
  'https://127.0.0.1/hook',
  'http://192.168.1.1/hook',
  'http://localhost.example.com/hook',
  'http://user:secret@127.0.0.1/hook',
  'http://127.0.0.1.example.com/hook',
])('%s is refused: deliveries go to loopback only', async (url) => {
  const rig = await startSandbox();
  expect((await subscribe(rig, { url })).body).toMatchObject({
    code: 'invalid_request',
    issues: [{ path: 'url' }],
  });
});

describe('a subscription', () => {
  const kinds = ['account-holder-creation-intent.created'];
  const listOf = async (rig: SandboxRig, id: unknown, query = '') => {
    const { text } = await rig.request(`/webhook-subscriptions/${String(id)}/deliveries${query}`);
    return JSON.parse(text) as {
      event: { id: string };
      state: string;
      attempts: number;
      failure: string | null;
      token: string;
    }[];
  };

  /** Waits until there is one. */
  async function listed(rig: SandboxRig, id: unknown, query: string): Promise<void> {
    for (let turn = 0; (await listOf(rig, id, query)).length === 0; turn += 1) {
      if (turn > 10_000) throw new Error(`there came none: ${query}`);
    }
  }

  it('waits for no other: one whose receiver does not answer costs nobody an event', async () => {
    const rig = await startSandbox({ clock: createVirtualClock() });
    const silent = await startReceiver(() => 0);
    const quick = await startReceiver();
    await subscribe(rig, { url: silent.url, kinds });
    await subscribe(rig, { url: quick.url, kinds });
    const { executor } = rig.sandbox;
    const made = executor.transaction(({ records }) =>
      Array.from({ length: 1_350 }, () => records.insert('account-holder-creation-intent', {}).id),
    );
    made.push((await makeHolder(rig)).id);
    // No time passes: whoever had to wait for the silent one would wait for ever.
    await quick.until(made.length);
    expect(silent.got).toHaveLength(1);
    expect(quick.got.map(({ body }) => webhookEventSchema.parse(JSON.parse(body)).record_id)).toEqual(made);
  });

  /** One delivery that was given up: its receiver takes what comes later. */
  async function givenUp() {
    const clock = createVirtualClock();
    const rig = await startSandbox({ clock });
    const receiver = await startReceiver((count) => (count <= maxAttempts ? 500 : 200));
    const { body } = await subscribe(rig, { url: receiver.url, kinds });
    await makeHolder(rig);
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      await receiver.until(attempt);
      await until(() => rig.lines.filter((line) => line.startsWith('a webhook delivery')).length === attempt);
      await clock.advance(firstPauseMs * 2 ** (attempt - 1) + 1);
    }
    return { rig, receiver, id: String(body['id']) };
  }

  it('lists its deliveries with what became of them, page by page', async () => {
    const { rig, receiver, id } = await givenUp();
    await makeHolder(rig);
    await receiver.until(maxAttempts + 1);
    await listed(rig, id, '?state=delivered');
    const [first, second, ...more] = await listOf(rig, id);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      state: 'given-up',
      attempts: maxAttempts,
      failure: 'status 500',
      next_time: null,
    });
    expect(second).toMatchObject({ state: 'delivered', attempts: 1, failure: null });
    expect(await listOf(rig, id, `?count=1&token=${first?.token}`)).toEqual([second]);
    expect((await rig.request(`/webhook-subscriptions/${id}/deliveries?state=lost`)).status).toBe(400);
  });

  it('gets again what was given up, with the same id', async () => {
    const { rig, receiver, id } = await givenUp();
    const path = `/webhook-subscriptions/${id}/replay`;
    const replayed = await rig.request(path, { method: 'POST', body: { state: 'given-up' } });
    expect(replayed.body).toEqual({ replayed: 1 });
    await receiver.until(maxAttempts + 1);
    expect(receiver.got.at(-1)?.body).toBe(receiver.got[0]?.body);
    await listed(rig, id, '?state=delivered');
    const later = { since_time: '2100-01-01T00:00:00.000Z' };
    expect((await rig.request(path, { method: 'POST', body: later })).body).toEqual({ replayed: 0 });
  });

  it('is sent a trial, whatever it asked for', async () => {
    const rig = await startSandbox();
    const receiver = await startReceiver();
    const { body } = await subscribe(rig, { url: receiver.url, kinds });
    const ping = await rig.request(`/webhook-subscriptions/${String(body['id'])}/ping`, { method: 'POST' });
    await receiver.until(1);
    const [{ headers, body: text }] = receiver.got as [Delivered];
    const event = await verifyWebhook(headers, text, String(body['secret']), { clock: stoppedClock });
    expect(event).toEqual(ping.body);
    expect(event).toMatchObject({ kind: 'webhook-subscription.ping', record_id: body['id'] });
  });

  it('asks for kinds that there are', async () => {
    const rig = await startSandbox();
    const { body } = await subscribe(rig, {
      url: 'http://127.0.0.1:1/',
      kinds: [...kinds, 'nonsense.created'],
    });
    expect(body).toMatchObject({ code: 'invalid_request', issues: [{ path: 'kinds.1' }] });
  });

  it('that has ended has no deliveries, and cannot be tried', async () => {
    const rig = await startSandbox();
    const path = '/webhook-subscriptions/5a2d0c1e-0000-4000-8000-00000000ffff';
    for (const [end, method] of [
      ['deliveries', 'GET'],
      ['ping', 'POST'],
    ] as const) {
      expect((await rig.request(`${path}/${end}`, { method })).body).toMatchObject({
        code: 'record_not_found',
      });
    }
  });
});
