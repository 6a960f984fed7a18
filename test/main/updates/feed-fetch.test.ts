/** The feed by Electron's network, whose answers differ from those of Node in one point. */
import { beforeEach, expect, test, vi } from 'vitest';

const seen: unknown[] = [];
let answer: () => Promise<Response> = () => Promise.resolve(new Response('list'));
vi.mock('electron', () => ({
  session: {
    fromPartition: (name: string, options: object) => ({
      fetch(url: string, init: object) {
        seen.push({ name, options, url, init });
        return answer();
      },
    }),
  },
}));
const { feedFetch } = await import('../../../src/main/updates/feed-fetch.ts');
const url = new URL('https://updates.example/latest.yml');

beforeEach(() => void seen.splice(0));

test('it is asked in a session of its own, without cookies', async () => {
  expect(await (await feedFetch(url, { redirect: 'manual' })).text()).toBe('list');
  expect(seen).toEqual([
    {
      name: 'update-feed',
      options: { cache: false },
      url: url.href,
      init: { redirect: 'manual', credentials: 'omit' },
    },
  ]);
});

test('a redirect, which Electron makes an error, is a response again; any other error stays one', async () => {
  answer = () => Promise.reject(new Error('Redirect was cancelled'));
  expect((await feedFetch(url, { redirect: 'manual' })).status).toBe(302);
  answer = () => Promise.reject(new Error('net::ERR_PROXY_CONNECTION_FAILED'));
  await expect(feedFetch(url, {})).rejects.toThrow('ERR_PROXY_CONNECTION_FAILED');
});
