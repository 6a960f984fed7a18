/** Who is let in: the link, what it is changed for, and what other pages on this machine or elsewhere try. */
import { describe, expect, it } from 'vitest';
import { silentLog, type Log } from '../../../src/log/index.ts';
import { linkMark } from '../../../src/contract/console/index.ts';
import { invoke, enter, enteredBy, eventsOf, open } from './console-browser.ts';
import { consoleForTests, type Serving } from './setup.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const start = consoleForTests();
const json = { 'content-type': 'application/json' };
const hourMs = 60 * 60_000;

function post(serving: Serving, headers: Record<string, string>, host?: string) {
  return invoke(serving.port, '/api/state', {
    method: 'POST',
    body: '{}',
    headers: { ...json, authorization: serving.authorization, ...headers },
    ...(host === undefined ? {} : { host }),
  });
}

/** The code with which a window is refused; null when it may ask. */
async function refusalOf({ port }: Serving, authorization?: string): Promise<string | null> {
  const headers = authorization === undefined ? json : { ...json, authorization };
  const answer = await invoke(port, '/api/state', { method: 'POST', body: '{}', headers });
  return codeIn(answer);
}

function codeIn(answer: { status: number; json(): unknown }): string | null {
  if (answer.status === 200) return null;
  expect(answer.status).toBe(401);
  return (answer.json() as { refusal: { code: string } }).refusal.code;
}

describe('the console’s link', () => {
  it('is at this port, and its token of 256 bits is in the part that no browser sends', async () => {
    const { port, makeLink } = await start();
    const { origin, pathname, search, hash } = new URL(makeLink());
    expect([origin, pathname, search]).toEqual([`http://127.0.0.1:${port}`, '/', '']);
    expect(Buffer.from(hash.slice(linkMark.length), 'base64url')).toHaveLength(32);
  });

  it('is changed once for a secret that is not in it, and leaves no cookie', async () => {
    const serving = await start();
    const link = serving.makeLink();
    const answer = await enter(link);
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    const { secret } = (answer.json() as { value: { secret: string } }).value;
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(link).not.toContain(secret);
    expect(await refusalOf(serving, `Bearer ${secret}`)).toBeNull();
  });

  it('lets nobody in a second time, and that is in the log', async () => {
    const warnings: string[] = [];
    const log: Log = { ...silentLog, with: () => log, warn: (message) => void warnings.push(message) };
    const serving = await start({ log });
    const link = serving.makeLink();
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(link)));
    const codes = answers.map(codeIn);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'link_used')).toHaveLength(7);
    expect(warnings).toHaveLength(7);
    expect(warnings[0]).toContain('second time');
  });

  it('is good for an hour', async () => {
    const clock = createVirtualClock();
    const serving = await start({ clock });
    const [early, late] = [serving.makeLink(), serving.makeLink()];
    await clock.advance(hourMs - 1);
    expect(codeIn(await enter(early))).toBeNull();
    await clock.advance(1);
    expect(codeIn(await enter(late))).toBe('link_unknown');
  });

  it('is of no use to another bridge', async () => {
    const [first, second] = [await start(), await start()];
    const link = first.makeLink().replace(`:${first.port}/`, `:${second.port}/`);
    expect(codeIn(await enter(link))).toBe('link_unknown');
    expect(await refusalOf(second, first.authorization)).toBe('session_unknown');
  });

  it('is the only way in', async () => {
    const serving = await start();
    const { port, service, authorization } = serving;
    expect(await refusalOf(serving)).toBe('no_session');
    const wrong = `${authorization.slice(0, -1)}${authorization.endsWith('A') ? 'E' : 'A'}`;
    const token = serving.makeLink().split(linkMark)[1] ?? '';
    for (const given of [wrong, `${authorization}x`, `${authorization} x`, `Bearer ${token}`, 'Bearer ']) {
      expect(await refusalOf(serving, given)).toMatch(/^(session_unknown|no_session)$/);
    }
    const secret = authorization.slice('Bearer '.length);
    for (const headers of [{ cookie: `tillbridge-${port}=${secret}` }, { 'x-token': secret }]) {
      expect((await invoke(port, '/api/changes', { headers })).status).toBe(401);
    }
    expect((await invoke(port, `/api/changes?token=${secret}`)).status).toBe(401);
    expect(service.asked).toEqual([]);
    expect(service.listeners()).toBe(0);
  });

  it('is JSON with one token', async () => {
    const { port, makeLink } = await start();
    const token = makeLink().split(linkMark)[1] ?? '';
    const send = (body: string) => invoke(port, '/api/enter', { method: 'POST', headers: json, body });
    for (const body of ['{}', '[]', '{"link":""}', '{"link":7}', `{"link":["${token}"]}`, '{']) {
      expect([body, (await send(body)).status]).toEqual([body, 400]);
    }
    expect((await send(`{"link":"${'x'.repeat(5_000)}"}`)).status).toBe(413);
    expect((await invoke(port, `/api/enter?link=${token}`)).status).toBe(405);
  });
});

describe('a window', () => {
  it('is let in for as long as it is used, and twelve hours more', async () => {
    const clock = createVirtualClock();
    const serving = await start({ clock, limits: { eventKeepAliveMs: hourMs } });
    const { authorization } = serving;
    await clock.advance(12 * hourMs - 1);
    expect(await refusalOf(serving, authorization)).toBeNull();
    const stream = await open(serving.port, '/api/changes', { headers: { authorization } });
    await serving.service.whenListeners(1);
    // What waits here has it open, although it asks nothing.
    await clock.advance(30 * hourMs);
    expect(await refusalOf(serving, authorization)).toBeNull();
    stream.destroy();
    await serving.service.whenListeners(0);
    await clock.advance(12 * hourMs);
    expect(await refusalOf(serving, authorization)).toBe('session_unknown');
  });

  it('is ended by a revocation, with its stream, and so is every link', async () => {
    const serving = await start();
    const { authorization } = serving;
    const stream = eventsOf(await open(serving.port, '/api/changes', { headers: { authorization } }));
    await serving.service.whenListeners(1);
    const link = serving.makeLink();
    expect(serving.revoke()).toEqual({ windows: 1, links: 1 });
    expect(await stream.next()).toBeNull();
    expect(await refusalOf(serving, authorization)).toBe('access_revoked');
    expect((await invoke(serving.port, '/api/changes', { headers: { authorization } })).status).toBe(401);
    expect(codeIn(await enter(link))).toBe('access_revoked');
    expect(await refusalOf(serving, await enteredBy(serving.makeLink()))).toBeNull();
    expect(serving.revoke()).toEqual({ windows: 1, links: 0 });
  });

  it('that is open stays, however many are let in; the one that was not used for longest goes', async () => {
    const serving = await start({ limits: { maxWindows: 3, maxLinks: 2 } });
    const stream = await open(serving.port, '/api/changes', {
      headers: { authorization: serving.authorization },
    });
    await serving.service.whenListeners(1);
    const [first, second] = [await enteredBy(serving.makeLink()), await enteredBy(serving.makeLink())];
    expect(await refusalOf(serving, first)).toBeNull();
    await enteredBy(serving.makeLink());
    const left = [serving.authorization, first, second].map((each) => refusalOf(serving, each));
    expect(await Promise.all(left)).toEqual([null, null, 'session_unknown']);
    const links = [serving.makeLink(), serving.makeLink(), serving.makeLink()];
    expect(codeIn(await enter(links[0] ?? ''))).toBe('link_unknown');
    expect(codeIn(await enter(links[1] ?? ''))).toBeNull();
    stream.destroy();
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
    expect((await invoke(port, '/', { host: 'evil.example' })).status).toBe(403);
    expect((await enter(serving.makeLink(), { host: `evil.example:${port}` })).status).toBe(403);
    expect(serving.service.asked).toHaveLength(4);
  });

  it('takes no request of another origin', async () => {
    const serving = await start();
    const { port, authorization } = serving;
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
      const stream = await invoke(port, '/api/changes', { headers: { authorization, origin } });
      expect(stream.json()).toMatchObject({ refusal: { code: 'origin_not_allowed' } });
    }
    expect(serving.service.asked).toHaveLength(1);
    expect(serving.service.listeners()).toBe(0);
  });

  it('takes no request that another page caused, with or without an origin', async () => {
    const serving = await start();
    const { port, authorization } = serving;
    expect((await post(serving, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const site of ['cross-site', 'same-site']) {
      expect((await post(serving, { 'sec-fetch-site': site })).status).toBe(403);
      const image = {
        authorization,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'image',
      };
      expect((await invoke(port, '/api/changes', { headers: image })).status).toBe(403);
      expect((await invoke(port, '/icon.svg', { headers: image })).status).toBe(403);
      const link = {
        authorization,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      };
      expect((await invoke(port, '/', { headers: link })).status).toBe(200);
      expect((await invoke(port, '/api/changes', { headers: link })).status).toBe(403);
      expect((await invoke(port, '/', { headers: { ...link, 'sec-fetch-dest': 'iframe' } })).status).toBe(
        403,
      );
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
    const { port } = await start();
    const answer = await invoke(port, '/api/changes', { address: '::1', host: `[::1]:${port}` }).catch(
      (error: unknown) => {
        if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'].includes((error as { code: string }).code))
          return null;
        throw error;
      },
    );
    expect(answer === null ? 'no IPv6' : answer.status).toBeOneOf([401, 'no IPv6']);
  });
});
