/** A feed over HTTP with real signatures: what is believed, and each way in which somebody may cheat. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { readFeed, type FeedOptions } from '../../src/updates/feed.ts';
import { signatureFileOf } from '../../src/updates/index.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { listFile, startFeed, type TestFeed } from './test-feed.ts';

let feed: TestFeed;
beforeEach(async () => {
  feed = await startFeed();
});
afterEach(() => feed.close());

const optionsOf = (): FeedOptions => ({
  feed: feed.feed,
  key: feed.key,
  channel: 'latest',
  version: '0.1.0',
  seen: null,
  platform: 'linux',
  arch: 'x64',
  fetch,
  clock: systemClock,
});
const read = (changes: Partial<FeedOptions> = {}) => readFeed({ ...optionsOf(), ...changes });
const refused = (reason: string) => ({ kind: 'refused', reason });

test('a newer version of a signed list is found, with what is new', async () => {
  feed.publish('0.2.0');
  expect(await read()).toMatchObject({
    kind: 'newer',
    release: { version: '0.2.0', notes: 'What is new in 0.2.0' },
  });
  expect(feed.asked).toEqual([listFile, signatureFileOf(listFile)]);
  expect(await read({ version: '0.2.0' })).toEqual({ kind: 'current' });
});

test.each([
  ['win32', 'x64', 'beta', 'beta.yml'],
  ['darwin', 'arm64', 'latest', 'latest-mac.yml'],
  ['linux', 'arm64', 'latest', 'latest-linux-arm64.yml'],
])('%s %s reads its own list of %s: %s', async (platform, arch, channel, name) => {
  feed.publish('0.2.0', { listFile: name });
  expect(await read({ platform, arch, channel })).toMatchObject({ kind: 'newer' });
});

describe('nothing is believed', () => {
  beforeEach(() => feed.publish('0.2.0'));
  const signature = signatureFileOf(listFile);
  const bytesOf = (name: string) => Buffer.from(feed.files.get(name) as Uint8Array);

  test('of a list that was changed after it was signed', async () => {
    feed.files.set(listFile, Buffer.from(bytesOf(listFile).toString().replace('0.2.0', '0.9.0')));
    expect(await read()).toEqual(refused('wrong_signature'));
  });

  test('of a list without a signature', async () => {
    feed.files.delete(signature);
    expect(await read()).toEqual(refused('unsigned'));
  });

  test.each(['', 'no signature', Buffer.alloc(64).toString('base64')])(
    'with the signature "%s"',
    async (text) => {
      feed.files.set(signature, Buffer.from(text));
      expect(await read()).toEqual(refused('wrong_signature'));
    },
  );

  test('that another key has signed', async () => {
    const other = await startFeed();
    await other.close();
    expect(await read({ key: other.key })).toEqual(refused('wrong_signature'));
  });

  test('with a key that is none', async () => {
    expect(await read({ key: Buffer.alloc(32, 0xff).toString('base64') })).toEqual(
      refused('wrong_signature'),
    );
    expect(await read({ key: null })).toEqual(refused('no_key'));
  });

  test('of a list of another channel, rightly signed, in the place of this one', async () => {
    feed.publish('0.3.0', { listFile: 'beta-linux.yml' });
    feed.files.set(listFile, bytesOf('beta-linux.yml'));
    feed.files.set(signature, bytesOf(signatureFileOf('beta-linux.yml')));
    expect(await read()).toEqual(refused('wrong_signature'));
  });

  test('of an older list, rightly signed, played back', async () => {
    expect(await read({ version: '0.3.0' })).toEqual(refused('older'));
    expect(await read({ seen: '0.2.1' })).toEqual(refused('replayed'));
    expect(await read({ seen: '0.2.0' })).toMatchObject({ kind: 'newer' });
  });

  test('behind a redirect, wherever it leads, and nobody goes there', async () => {
    const other = await startFeed();
    other.publish('0.2.0');
    for (const name of [listFile, signature]) {
      feed.files.set(name, (response) => {
        response.writeHead(302, { location: `${other.feed}/${name}` }).end();
      });
      expect(await read()).toEqual(refused('redirected'));
      feed.publish('0.2.0');
    }
    expect(other.asked).toEqual([]);
    await other.close();
  });

  test('of an answer without an end, which is not read to its end', async () => {
    for (const name of [signature, listFile]) {
      let closed = false;
      feed.files.set(name, (response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384, 0x61)));
        };
        response.on('drain', more);
        response.on('close', () => (closed = true));
        more();
      });
      expect(await read()).toEqual(refused('too_large'));
      await expect.poll(() => closed).toBe(true);
    }
  });

  test('of a feed that takes the question and says nothing', async () => {
    const clock = createVirtualClock();
    const silent: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    expect(await clock.run(readFeed({ ...optionsOf(), fetch: silent, clock }), 'the feed')).toEqual(
      refused('too_slow'),
    );
  });

  test('of a feed that is gone, or has no list', async () => {
    feed.files.clear();
    expect(await read()).toEqual(refused('not_found'));
    await feed.close();
    expect(await read()).toEqual(refused('unreachable'));
  });

  test.each([
    ['a file at another address', 'https://elsewhere.example/Tillbridge.AppImage'],
    ['a file in another folder', '../Tillbridge.AppImage'],
  ])('of a signed list that names %s', async (_what, url) => {
    const text = bytesOf(listFile).toString().replace('url: Tillbridge-0.2.0.AppImage', `url: ${url}`);
    feed.sign(listFile, Buffer.from(text));
    expect(await read()).toEqual(refused('unreadable'));
  });

  test.each(['', '[1, 2]', 'version: newest', 'a: &a [*a, *a]', '\u0000'])(
    'of a signed list "%s"',
    async (text) => {
      feed.sign(listFile, Buffer.from(text));
      expect(await read()).toEqual(refused('unreadable'));
    },
  );
});
