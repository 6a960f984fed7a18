/** What the console of a headless bridge says of a newer version; the desktop app's host asks nothing, its main process does. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { listFileOf, publicKeyText, signList, type FeedFetch } from '../../src/updates/index.ts';
import { listText } from '../updates/test-feed.ts';
import { newHost } from './host-kit.ts';
// A start loads them, which takes time of the machine's, in which the clock would go on to the next look for an update.
import '../../src/bridge/terminals/zvt/index.ts';
import '../../src/simulator/index.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const flags = {
  terminal: 'simulator',
  'updates.feed': 'https://updates.example/',
  'updates.key': publicKeyText(privateKey),
};

test.each(['headless', 'desktop'] as const)('a %s host', async (kind) => {
  let asked = 0;
  const listFile = listFileOf({ channel: 'latest', platform: process.platform, arch: process.arch });
  const list = Buffer.from(listText('10.0.0', Buffer.from('program'), 'Better.'));
  const fetch: FeedFetch = (url) => {
    asked += 1;
    return Promise.resolve(
      new Response(url.href.endsWith('.sig') ? signList(listFile, list, privateKey) : list),
    );
  };
  const kit = newHost({ flags, host: { kind, fetch } });
  await kit.host.start();
  if (kind === 'desktop') {
    await kit.clock.advance(60_000);
    expect([asked, kit.host.state().update]).toEqual([0, undefined]);
    return;
  }
  const { update } = await kit.state((state) => state.update?.step.kind === 'available', 'the newer version');
  expect(update?.step).toEqual({
    kind: 'available',
    release: { version: '10.0.0', notes: 'Better.' },
    byHand: true,
  });
  expect((await kit.invoke('settings', {})).fixed).toContainEqual({
    key: 'updates.feed',
    by: '--updates-feed',
  });
  await kit.save((settings) => (settings.bridge.updates.mode = 'off'));
  expect(kit.host.state().update).toBeUndefined();
});
