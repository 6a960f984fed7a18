import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { post, raw, send } from './http.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const origin = 'https://pos.example';
const allowed = { allowedOrigins: [origin] };

describe('Host', () => {
  it('is a loopback name with the port of the listener', async () => {
    const { port } = await startListener();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect((await post(port, '/CreatePayment', sale, { headers: { host } })).status).toBe(200);
    }
  });

  it.each([
    ['another name', 'evil.example'],
    ['another name with the port', 'evil.example:PORT'],
    ['a loopback name without the port', '127.0.0.1'],
    ['a loopback name with another port', '127.0.0.1:1'],
    ['a longer name', 'localhost.evil.example:PORT'],
    ['a name that ends so', 'evil-localhost:PORT'],
    ['a trailing dot', 'localhost.:PORT'],
    ['another loopback address', '127.0.0.2:PORT'],
    ['a number', '2130706433:PORT'],
    ['a user', 'localhost@evil.example:PORT'],
    ['two names', '127.0.0.1:PORT, evil.example'],
  ])('is not %s', async (_name, template) => {
    const { port, payments } = await startListener();
    const host = template.replace('PORT', `${port}`);
    for (const path of ['/CreatePayment', '/health', '/nowhere']) {
      const answer = await post(port, path, sale, { headers: { host } });
      expect([answer.status, answer.json.code]).toEqual([403, 'host_not_allowed']);
      expect(answer.json.message).toContain('allowedHosts');
    }
    expect(payments.asked).toEqual([]);
  });

  it('is not missing, and not there twice', async () => {
    const { port } = await startListener();
    const own = `127.0.0.1:${port}`;
    const close = 'Connection: close\r\n\r\n';
    expect(await raw(port, `GET /health HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(port, `GET /health HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(port, `GET /health HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\n${close}`)).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(await raw(port, `GET /health HTTP/1.1\r\nHost: ${own}\r\n${close}`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may be one that the configuration adds', async () => {
    const { port } = await startListener({ allowedHosts: ['till.example', 'Other.example:99'] });
    const statusOf = async (host: string) =>
      (await post(port, '/CreatePayment', sale, { headers: { host } })).status;
    expect(await statusOf('till.example')).toBe(200);
    expect(await statusOf(`TILL.example:${port}`)).toBe(200);
    expect(await statusOf('other.example:99')).toBe(200);
    expect(await statusOf('other.example')).toBe(403);
    expect(await statusOf(`other.example:${port}`)).toBe(403);
    expect(await statusOf('till.example:1')).toBe(403);
  });

  it('that is refused is told, but not by the thousand', async () => {
    const { port, lines } = await startListener();
    for (let index = 0; index < 5; index += 1)
      await send(port, '/health', { headers: { host: 'evil.example' } });
    expect(lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['host'])).toEqual([
      'evil.example',
    ]);
    expect(lines.filter(({ level }) => level === 'info')).toHaveLength(1);
  });

  it.each([
    ['http://evil.example/health', 403],
    ['http://127.0.0.1/health', 403],
    ['http://127.0.0.1:PORT/health', 200],
    ['HTTP://LOCALHOST:PORT/health', 200],
  ])('counts in a whole URL as it does in its header: %s', async (target, status) => {
    const { port, payments } = await startListener();
    payments.setStatus({ terminalChange: { connection: 'ready' } });
    const answer = await raw(
      port,
      `GET ${target.replace('PORT', `${port}`)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe('Origin', () => {
  it.each([
    'https://evil.example',
    'https://pos.example.evil.example',
    'https://evil.example/https://pos.example',
    'https://pos.example:444',
    'http://pos.example',
    'https://POS.example',
    'https://pos.exampl',
    'https://sub.pos.example',
    'null',
    '*',
    '',
    'https://pos.example, https://pos.example',
  ])('%j is refused', async (hostile) => {
    const blocked: string[] = [];
    const { port, payments } = await startListener({
      ...allowed,
      onBlockedOrigin: (text) => blocked.push(text),
    });
    const answer = await post(port, '/CreatePayment', sale, { headers: { origin: hostile } });
    expect([answer.status, answer.json.code]).toEqual([403, 'origin_not_allowed']);
    expect(answer.json.message).toContain('allowedOrigins');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['vary']).toBe('Origin');
    const preflight = await send(port, '/CreatePayment', { method: 'OPTIONS', headers: { origin: hostile } });
    expect(preflight.status).toBe(403);
    expect(payments.asked).toEqual([]);
    // What could be allowed is shown once; "null" and the like never.
    expect(blocked).toEqual(/^https?:\/\/[^,/]+$/.test(hostile) ? [hostile] : []);
  });

  it('on the list may call, and read the headers', async () => {
    const { port } = await startListener(allowed);
    const answer = await post(port, '/CreatePayment', sale, { headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-expose-headers']).toBe(
      'X-Request-Id, X-Simulated, Preference-Applied, Allow',
    );
    expect(answer.headers['vary']).toBe('Origin');
    const failed = await post(port, '/CreatePayment', '', { headers: { origin } });
    expect(failed.headers['access-control-allow-origin']).toBe(origin);
  });

  it('may be added and taken away while the listener runs', async () => {
    const { listener, port } = await startListener();
    const call = () => post(port, '/CreatePayment', sale, { headers: { origin } });
    expect((await call()).status).toBe(403);
    listener.setAllowedOrigins([origin]);
    expect((await call()).status).toBe(200);
    listener.setAllowedOrigins([]);
    expect((await call()).status).toBe(403);
  });

  it('is shown once in ten seconds, and so many of them, however many there are', async () => {
    const clock = createVirtualClock();
    const blocked: string[] = [];
    const { port } = await startListener({ clock, onBlockedOrigin: (text) => blocked.push(text) });
    const call = (text: string) => send(port, '/health', { headers: { origin: text } });
    await call('https://a.example');
    await call('https://a.example');
    expect(blocked).toEqual(['https://a.example']);
    await clock.advance(10_000);
    await call('https://a.example');
    expect(blocked).toHaveLength(2);
    for (let index = 0; index < 60; index += 1) await call(`https://${index}.example`);
    expect(blocked).toHaveLength(21);
    await clock.advance(10_000);
    await call('https://b.example');
    expect(blocked.at(-1)).toBe('https://b.example');
  });

  it('is missed where a page of another site makes a request without it', async () => {
    const { port } = await startListener(allowed);
    const call = (headers: Record<string, string>) => send(port, '/health', { headers });
    expect((await call({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).json.code).toBe(
      'origin_not_allowed',
    );
    expect((await call({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    expect((await call({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).status).toBe(200);
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect((await call(link)).status).toBe(200);
  });
});

describe('OPTIONS', () => {
  it('answers a preflight for an allowed origin', async () => {
    const { port, payments } = await startListener(allowed);
    const answer = await send(port, '/CreatePayment', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-version,prefer',
      },
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-max-age': '600',
      allow: 'POST, OPTIONS',
      vary: 'Origin',
    });
    const names = answer.headers['access-control-allow-headers']?.toLowerCase().split(', ');
    expect(names).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-api-version', 'prefer']),
    );
    expect(answer.headers['access-control-allow-private-network']).toBeUndefined();
    expect(payments.asked).toEqual([]);
  });

  it('allows a page to reach this machine where the browser asks for that', async () => {
    const { port } = await startListener(allowed);
    const headers = { origin, 'access-control-request-private-network': 'true' };
    const answer = await send(port, '/events', { method: 'OPTIONS', headers });
    expect(answer.headers['access-control-allow-private-network']).toBe('true');
    expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
  });

  it('needs no token, because browsers send none', async () => {
    const { port } = await startListener({ ...allowed, tokensFile: import.meta.filename });
    expect((await send(port, '/CreatePayment', { method: 'OPTIONS', headers: { origin } })).status).toBe(204);
  });

  it('without an origin says which methods there are', async () => {
    const { port } = await startListener();
    const answer = await send(port, '/SubmitBatch', { method: 'OPTIONS' });
    expect([answer.status, answer.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
    expect(answer.headers['access-control-allow-methods']).toBeUndefined();
  });
});
