/** Who is let in: the link, its cookie, and what other pages on this machine or elsewhere try. */
import { describe, expect, it } from 'vitest';
import { ask, cookieFrom } from './console-browser.ts';
import { consoleForTests, type Serving } from './setup.ts';

const start = consoleForTests();
const json = { 'content-type': 'application/json' };

function post(serving: Serving, headers: Record<string, string>, host?: string) {
  return ask(serving.port, '/api/state', {
    method: 'POST',
    body: '{}',
    headers: { ...json, cookie: serving.cookie, ...headers },
    ...(host === undefined ? {} : { host }),
  });
}

describe('the console’s link', () => {
  it('leaves a cookie for this page alone and takes the token out of the address', async () => {
    const { port, link } = await start();
    const { pathname, search, searchParams } = new URL(link);
    expect(link).toContain(`http://127.0.0.1:${port}/`);
    expect(Buffer.from(searchParams.get('token') ?? '', 'base64url')).toHaveLength(32);
    const answer = await ask(port, pathname + search);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/');
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair.split('=')[0]).toContain(String(port));
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict']);
    expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  });

  it('opens the page and the questions', async () => {
    const { port, cookie } = await start();
    const page = await ask(port, '/', { headers: { cookie } });
    expect(page).toMatchObject({ status: 200, text: '<!doctype html><title>page</title>' });
    const options = { method: 'POST', body: '{}', headers: { ...json, cookie } };
    expect((await ask(port, '/api/state', options)).status).toBe(200);
  });

  it('is another one at each start', async () => {
    const [first, second] = [await start(), await start()];
    expect(new URL(first.link).search).not.toBe(new URL(second.link).search);
    const { status } = await ask(second.port, '/', { headers: { cookie: first.cookie } });
    expect(status).toBe(401);
  });

  it('is the only way in', async () => {
    const { port, service, cookie } = await start();
    for (const path of ['/', '/index.html', '/assets/index.js', '/icon.svg', '/nothing']) {
      const answer = await ask(port, path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.text).toContain('Open the link that the bridge printed');
      expect(answer.headers['content-type']).toContain('text/html');
    }
    const wrong = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`;
    for (const given of ['', wrong, cookie.split('=')[0] ?? '', `${cookie}x`, cookie.replace('=', '2=')]) {
      const headers = { ...json, ...(given === '' ? {} : { cookie: given }) };
      const answer = await ask(port, '/api/state', { method: 'POST', body: '{}', headers });
      expect([given, answer.status]).toEqual([given, 401]);
      expect(answer.json()).toMatchObject({ ok: false, refusal: { code: 'unauthorized' } });
    }
    expect((await ask(port, '/api/changes')).status).toBe(401);
    expect(service.asked).toEqual([]);
  });

  it('is not opened by another token, or by two', async () => {
    const { port, link } = await start();
    const token = new URL(link).searchParams.get('token') ?? '';
    for (const query of [
      'token=',
      'token=x',
      `token=${token}x`,
      `token=x&token=${token}`,
      `token[]=${token}`,
    ]) {
      const answer = await ask(port, `/?${query}`);
      expect([query, answer.status, answer.headers['set-cookie']]).toEqual([query, 401, undefined]);
    }
  });

  it('stands beside cookies of other programs', async () => {
    const { port, cookie } = await start();
    const name = cookie.split('=')[0] ?? '';
    const headers = { cookie: `other=1; ${name}=stolen; ${cookie}; more=2` };
    expect((await ask(port, '/', { headers })).status).toBe(200);
  });
});

describe('the console’s port', () => {
  it('answers to the loopback names with its own port alone', async () => {
    const serving = await start();
    const { port } = serving;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
      expect([host, (await post(serving, {}, host)).status]).toEqual([host, 200]);
    }
    const foreign = [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${port}`,
    ];
    for (const host of [...foreign, '', `127.0.0.2:${port}`]) {
      const answer = await post(serving, {}, host);
      expect([host, answer.status]).toEqual([host, 403]);
      expect(answer.json()).toMatchObject({ refusal: { code: 'host_not_allowed' } });
    }
    expect(
      (await ask(port, new URL(serving.link).search.replace('?', '/?'), { host: 'evil.example' })).status,
    ).toBe(403);
    expect(serving.service.asked).toHaveLength(4);
  });

  it('takes no request of another origin', async () => {
    const serving = await start();
    const { port, cookie } = serving;
    expect((await post(serving, { origin: `http://127.0.0.1:${port}` })).status).toBe(200);
    const origins = [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
    ];
    for (const origin of [...origins, `http://localhost:${port}`]) {
      const answer = await post(serving, { origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
      const stream = await ask(port, '/api/changes', { headers: { cookie, origin } });
      expect(stream.json()).toMatchObject({ refusal: { code: 'origin_not_allowed' } });
    }
    expect(serving.service.asked).toHaveLength(1);
    expect(serving.service.listeners()).toBe(0);
  });

  it('takes no request that another page caused, with or without an origin', async () => {
    const serving = await start();
    const { port, cookie } = serving;
    expect((await post(serving, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const site of ['cross-site', 'same-site']) {
      expect((await post(serving, { 'sec-fetch-site': site })).status).toBe(403);
      const image = {
        cookie,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'image',
      };
      expect((await ask(port, '/api/changes', { headers: image })).status).toBe(403);
      expect((await ask(port, '/icon.svg', { headers: image })).status).toBe(403);
      const link = {
        cookie,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      };
      expect((await ask(port, '/', { headers: link })).status).toBe(200);
      expect((await ask(port, '/api/changes', { headers: link })).status).toBe(403);
      expect((await ask(port, '/', { headers: { ...link, 'sec-fetch-dest': 'iframe' } })).status).toBe(403);
    }
  });

  it('takes no form', async () => {
    const serving = await start();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/plain; application/json',
      '',
    ]) {
      const answer = await post(serving, { 'content-type': type });
      expect([type, answer.status]).toEqual([type, 415]);
    }
    expect((await post(serving, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
    expect(serving.service.asked).toHaveLength(1);
  });

  it('is on IPv6 too, where there is IPv6', async () => {
    const { port, link } = await start();
    const answer = await ask(port, '/', { address: '::1', host: `[::1]:${port}` }).catch((error: unknown) => {
      if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'].includes((error as { code: string }).code))
        return null;
      throw error;
    });
    if (answer !== null) expect(answer.status).toBe(401);
    expect(await cookieFrom(link)).toContain(String(port));
  });
});
