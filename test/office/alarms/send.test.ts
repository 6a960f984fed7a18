import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testMessage } from '../../../src/office/alarms/message.ts';
import { send, sendTimeoutMs, type SendMail } from '../../../src/office/alarms/send.ts';
import type { Receiver } from '../../../src/office/alarms/settings.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const secret = 'a-secret-that-is-long-enough';
const webhook: Receiver = { kind: 'webhook', name: 'support', url: 'https://support.example/tills', secret };
const password = 'p4ssw0rd';
const email: Receiver = {
  kind: 'email',
  name: 'owner',
  from: 'alarms@chain.example',
  to: ['support@chain.example', 'owner@chain.example'],
  server: { host: 'mail.example', port: 587, tls: 'starttls', login: { user: 'alarms', password } },
};
const message = testMessage('019af2c4-6c2e-7b1a-9a53-2f0c8f0b7d11', '2026-11-03T12:00:00.000Z');

const never = () => new Promise<never>(() => {});
const nothing: SendMail = () => Promise.reject(new Error('not asked for'));

function surroundings(parts: { fetch?: typeof fetch; sendMail?: SendMail }) {
  // Signing takes its time in a thread that the clock does not see.
  const clock = createVirtualClock({ besideIo: true });
  const closing = new AbortController();
  const all = { clock, fetch: never, sendMail: nothing, signal: closing.signal, ...parts };
  return { clock, closing, send: (receiver: Receiver) => send(receiver, message, all) };
}

describe('a webhook', () => {
  test('is signed over the time and the body, and has the message with its id', async () => {
    const requests: { url: string; init: RequestInit }[] = [];
    const { clock, send: sendTo } = surroundings({
      fetch: (url, init = {}) => {
        requests.push({ url: url instanceof Request ? url.url : url.toString(), init });
        return Promise.resolve(new Response('thank you'));
      },
    });
    expect(await sendTo(webhook)).toEqual({ ok: true, answer: 'It answered 200: thank you' });
    const [{ url, init } = { url: '', init: {} }] = requests;
    expect(url).toBe(webhook.url);
    expect(init.method).toBe('POST');
    const headers = new Headers(init.headers);
    const timestamp = headers.get('x-tillbridge-timestamp') ?? '';
    expect(timestamp).toBe(String(Math.floor(clock.now() / 1_000)));
    const body = init.body as string;
    const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    expect(headers.get('x-tillbridge-signature')).toBe(`v1=${mac}`);
    expect(JSON.parse(body)).toMatchObject({ id: message.id, kind: 'test' });
  });

  test.each([
    [204, true, 'It answered 204.'],
    [302, false, 'It answered 302.'],
    [500, false, 'It answered 500.'],
  ])('that answers %i: %s', async (status, ok, answer) => {
    const { send: sendTo } = surroundings({ fetch: () => Promise.resolve(new Response(null, { status })) });
    expect(await sendTo(webhook)).toEqual({ ok, answer });
  });

  test('that never answers has failed after its time, and at once when the office closes', async () => {
    const { clock, send: sendTo } = surroundings({});
    const sending = sendTo(webhook);
    expect(await clock.run(sending, 'the end of the attempt')).toMatchObject({ ok: false });
    const closed = surroundings({});
    const cut = closed.send(webhook);
    closed.closing.abort();
    expect(await cut).toMatchObject({ ok: false });
  });

  test('whose answer is long or strange becomes one short line', async () => {
    const said = `a\r\nb\u001b[2J${'x'.repeat(10_000)}`;
    const { send: sendTo } = surroundings({ fetch: () => Promise.resolve(new Response(said)) });
    const { answer } = await sendTo(webhook);
    expect(answer.length).toBeLessThanOrEqual(200);
    expect(answer).not.toMatch(/\p{C}/u);
  });
});

describe('an e-mail', () => {
  test('goes to all addresses, with the id of the message', async () => {
    const mails: unknown[] = [];
    const { send: sendTo } = surroundings({
      sendMail: (server, mail) => {
        mails.push({ server, mail });
        return Promise.resolve({ answer: '250 queued', refused: ['owner@chain.example'] });
      },
    });
    expect(await sendTo(email)).toEqual({
      ok: true,
      answer: 'It answered 250 queued, but not for owner@chain.example',
    });
    const { from, to, server } = email;
    const { id, subject, text } = message;
    expect(mails).toEqual([{ server, mail: { from, to, subject, text, id, at: new Date(message.at) } }]);
  });

  test('that fails says why, without the password', async () => {
    const { send: sendTo } = surroundings({
      sendMail: () => Promise.reject(new Error(`535 wrong: ${password}`)),
    });
    expect(await sendTo(email)).toEqual({ ok: false, answer: '535 wrong: …' });
  });

  test('whose server never answers has failed after its time', async () => {
    const { clock, send: sendTo } = surroundings({ sendMail: never });
    const before = clock.elapsed();
    expect(await clock.run(sendTo(email), 'the end of the attempt')).toMatchObject({ ok: false });
    expect(clock.elapsed() - before).toBe(sendTimeoutMs);
  });
});
