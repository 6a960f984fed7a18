import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { isSigned, signatureHeader, timestampHeader } from '../../../src/remote/index.ts';
import { settlementMs } from '../../../src/remote/sandbox/rules/exchange.ts';
import { eventSchema } from '../../../src/remote/sandbox/webhooks/subscriptions.ts';
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

/** Answers with the status that `statusFor` gives for the n-th delivery, counting from 1. */
async function startReceiver(statusFor: (count: number) => number = () => 200) {
  const got: Delivered[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statusFor(got.length)).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
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
  const event = eventSchema.parse(JSON.parse(body));
  expect(event).toMatchObject({
    kind: 'account-holder-creation-intent.created',
    resource: 'account-holder-creation-intent',
    record_id: intent.id,
    etag: intent.etag,
  });
  const signed = {
    timestamp: String(headers[timestampHeader]),
    signature: String(headers[signatureHeader]),
  };
  const now = stoppedClock.now() / 1_000;
  expect(isSigned(secret, signed, body, now)).toBe(true);
  expect(isSigned(secret, signed, `${body} `, now)).toBe(false);
  expect(isSigned('other', signed, body, now)).toBe(false);
  expect(isSigned(secret, { ...signed, timestamp: `${Number(signed.timestamp) + 1}` }, body, now)).toBe(
    false,
  );
  expect(isSigned(secret, signed, body, now + 3_600)).toBe(false);
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
  expect(receiver.got.map((delivered) => eventSchema.parse(JSON.parse(delivered.body)).kind)).toEqual([
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
  expect(eventSchema.parse(JSON.parse(receiver.got[0]?.body ?? '')).resource).toBe('trade');
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
  expect(eventSchema.parse(JSON.parse(refusing.got[1]?.body ?? '')).record_id).toBe(intent.id);
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
