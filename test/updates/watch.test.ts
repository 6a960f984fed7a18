/** When a feed is asked, and what the console and the log learn: on a virtual clock, with a made-up feed. */
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  createUpdateNotice,
  openSeenVersions,
  signList,
  publicKeyText,
  type UpdateNotice,
} from '../../src/updates/index.ts';
import { generateKeyPairSync } from 'node:crypto';
import { createNotingLog } from '../support/noting-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { listFile, listText } from './test-feed.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const settings = {
  feed: 'https://updates.example/tillbridge',
  key: publicKeyText(privateKey),
  channel: 'latest',
  hours: null,
  mode: 'tell',
} as const;
const hourMs = 3_600_000;

function setUp(folder = tempFolder('updates')) {
  // The reader of lists is loaded when the first one is there.
  const clock = createVirtualClock({ besideIo: true });
  const lines: string[] = [];
  const asked: string[] = [];
  let offered = '0.2.0';
  const log = createNotingLog((level, message) => void lines.push(`${level}: ${message}`));
  const notice: UpdateNotice = createUpdateNotice({
    version: '0.1.0',
    clock,
    log,
    seen: openSeenVersions(path.join(folder, 'seen.json'), log),
    fetch: (url) => {
      asked.push(url.href);
      if (offered === '') return Promise.reject(new Error('no network'));
      const list = Buffer.from(listText(offered, Buffer.from('program')));
      const isList = url.pathname.endsWith(listFile);
      return Promise.resolve(new Response(isList ? list : signList(listFile, list, privateKey)));
    },
    platform: 'linux',
    arch: 'x64',
    onChange() {},
  });
  return { clock, lines, asked, notice, offer: (version: string) => (offered = version) };
}
const answered = (till: ReturnType<typeof setUp>, kind: string) =>
  till.clock.until(() => steps(till) === kind, kind, 24 * hourMs + 60_000);
const steps = ({ notice }: ReturnType<typeof setUp>) => notice.state()?.step.kind ?? null;

test('without a feed, and when it is off, nothing is ever asked', async () => {
  const till = setUp();
  till.notice.follow({ ...settings, feed: null });
  await till.clock.advance(50 * hourMs);
  till.notice.follow({ ...settings, mode: 'off' });
  await till.clock.advance(50 * hourMs);
  expect([till.asked, steps(till), till.lines, till.clock.waiting]).toEqual([[], null, [], 0]);
});

test('a feed is asked after the start and once a day; a line says what there is', async () => {
  const till = setUp();
  till.notice.follow(settings);
  expect(steps(till)).toBe('waiting');
  await till.clock.advance(9_000);
  expect(till.asked).toEqual([]);
  await answered(till, 'available');
  expect(till.asked).toHaveLength(2);
  await till.clock.advance(23 * hourMs);
  expect(till.asked).toHaveLength(2);
  await till.clock.until(() => till.lines.length === 2, 'the next day', 2 * hourMs);
  expect(till.asked).toHaveLength(4);
  expect(till.lines).toEqual(Array(2).fill('info: a newer version is available'));
});

test('one that cannot be reached is asked again after an hour', async () => {
  const till = setUp();
  till.offer('');
  till.notice.follow(settings);
  await answered(till, 'refused');
  expect(till.notice.state()?.step).toMatchObject({ reason: 'unreachable' });
  const before = till.clock.elapsed();
  till.offer('0.1.0');
  await answered(till, 'current');
  expect(till.clock.elapsed() - before).toBe(hourMs);
});

test('other settings count at once, and switching it off is the end of it', async () => {
  const till = setUp();
  till.notice.follow(settings);
  await answered(till, 'available');
  till.notice.follow({ ...settings, feed: 'https://other.example/' });
  await answered(till, 'available');
  expect(till.asked.at(-1)).toBe(`https://other.example/${listFile}.sig`);
  till.notice.follow({ ...settings, mode: 'off' });
  expect([steps(till), till.clock.waiting]).toEqual([null, 0]);
});

test('an older list is refused, also after a restart; that of another channel is not measured by it', async () => {
  const folder = tempFolder('updates');
  const before = setUp(folder);
  before.offer('0.3.0');
  before.notice.follow(settings);
  await answered(before, 'available');
  before.notice.stop();
  const after = setUp(folder);
  after.notice.follow(settings);
  await answered(after, 'refused');
  expect(after.notice.state()?.step).toMatchObject({ reason: 'replayed' });
  after.notice.follow({ ...settings, feed: 'https://other.example/' });
  await answered(after, 'available');
});
