/** How a bridge becomes one of the office's, how it stays one, and how it stops being one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources, loadConfiguration } from '../../../src/host/settings/load-configuration.ts';
import { ended, sale } from '../../bridge/journal/sample-events.ts';
import { createFakeOffice } from './fake-office.ts';
import { newShop, type Shop } from './office-kit.ts';

const minuteMs = 60_000;
const keyFile = (shop: Shop) => path.join(shop.folder, 'office.json');
const pendingFile = (shop: Shop) => path.join(shop.folder, 'office-enrolment.json');

function pay(shop: Shop) {
  const started = sale();
  shop.terminals[0]?.append(started, ended(started, 'approved'));
}

const told = (shop: Shop) => shop.link.status().troubles.join(' ');

describe('a code of the office', () => {
  test('becomes a key that only this user can read, and the code counts no more', async () => {
    const shop = newShop();
    await shop.allSent();
    const kept = readFileSync(keyFile(shop), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ office: 'https://office.example', shop: { name: 'Graz' } });
    if (process.platform !== 'win32') expect(statSync(keyFile(shop)).mode & 0o777).toBe(0o600);
    shop.restart();
    pay(shop);
    await shop.allSent();
    shop.restart({ code: null });
    pay(shop);
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(1);
    expect(readFileSync(keyFile(shop), 'utf8')).toBe(kept);
    expect(shop.complaints()).toEqual([]);
  });

  test('may be typed as people type it', async () => {
    const shop = newShop({ code: null });
    shop.restart({ code: shop.office.newCode().toLowerCase().replaceAll('-', '') });
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(1);
  });

  test('that nobody has set yet is asked for', async () => {
    const shop = newShop({ code: null });
    await shop.clock.advance(60 * minuteMs);
    expect(shop.office.calls).toEqual([]);
    expect(shop.complaints()).toEqual(['the head office needs a new code (--office-code) of this bridge']);
    expect(told(shop)).toContain('does not know this bridge yet');
    expect(shop.link.status()).toMatchObject({ shop: null, journals: [{ events: 1, sent: null }] });
    shop.restart({ code: shop.office.newCode() });
    await shop.allSent();
  });

  test('that the office does not know is said once, and tried again every ten minutes', async () => {
    const shop = newShop({ code: 'AAAA-AAAA-AAAA-AAAA' });
    await shop.clock.advance(60 * minuteMs);
    expect(shop.countOf('enrol')).toBeLessThanOrEqual(7);
    expect(shop.complaints()).toHaveLength(1);
  });

  test('is tried again while the office is away', async () => {
    const office = createFakeOffice();
    let left = 5;
    office.misbehave = () => ((left -= 1) > 0 ? 'unreachable' : null);
    const shop = newShop({ office });
    await shop.allSent();
    expect(shop.complaints()).toHaveLength(1);
  });

  test('whose answer was lost is repeated with the same code', async () => {
    const office = createFakeOffice();
    let left = 2;
    office.misbehave = ({ action }) => (action === 'enrol' && (left -= 1) >= 0 ? 'lose answer' : null);
    const shop = newShop({ office });
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(3);
    expect(shop.complaints()).toHaveLength(1);
  });

  test('whose answer was lost before the program ended is repeated with the same key', async () => {
    const office = createFakeOffice();
    let lost = false;
    office.misbehave = ({ action }) => (action === 'enrol' && !lost ? ((lost = true), 'lose answer') : null);
    const shop = newShop({ office });
    await shop.clock.until(() => lost, 'the answer that is lost');
    if (process.platform !== 'win32') expect(statSync(pendingFile(shop)).mode & 0o777).toBe(0o600);
    shop.restart();
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(2);
    expect(existsSync(pendingFile(shop))).toBe(false);
  });

  test('is not given to the office while the key that it is to be exchanged for cannot be written down', async () => {
    const shop = newShop({ code: null });
    mkdirSync(pendingFile(shop));
    shop.restart({ code: shop.office.newCode() });
    await shop.clock.advance(20 * minuteMs);
    expect(shop.countOf('enrol')).toBe(0);
    expect(shop.complaints().at(-1)).toBe(
      'the key of the head office cannot be kept, so nothing is sent yet',
    );
    rmSync(pendingFile(shop), { recursive: true });
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(1);
  });

  test('that is another one than before the restart gets a key of its own', async () => {
    const office = createFakeOffice();
    office.misbehave = ({ action }) => (action === 'enrol' ? 'unreachable' : null);
    const shop = newShop({ office });
    await shop.clock.until(() => existsSync(pendingFile(shop)), 'an enrolment that is under way');
    const before = readFileSync(pendingFile(shop), 'utf8');
    office.misbehave = () => null;
    shop.restart({ code: office.newCode() });
    await shop.allSent();
    const { key } = JSON.parse(readFileSync(keyFile(shop), 'utf8')) as { key: string };
    expect(before).not.toContain(key);
  });

  test.each([
    ['garbage', () => new Response('no JSON')],
    ['a key that is no header', () => Response.json(enrolled('a\r\nb'))],
    ['a key without end', () => Response.json(enrolled('a'.repeat(5_000)))],
  ])('that is answered with %s is tried again', async (_what, answer) => {
    const office = createFakeOffice();
    office.misbehave = ({ action }) => (action === 'enrol' ? answer() : null);
    const shop = newShop({ office });
    await shop.clock.advance(10 * minuteMs);
    expect(shop.countOf('enrol')).toBeLessThan(15);
    expect(shop.complaints()).toHaveLength(1);
    expect(told(shop)).not.toBe('');
    shop.office.misbehave = () => null;
    await shop.allSent();
  });

  const enrolled = (key: string) => ({
    bridgeId: crypto.randomUUID(),
    key,
    shop: { id: crypto.randomUUID(), name: 'Graz' },
    officeVersion: '1',
  });

  test('is exchanged once, also where the key can be kept only later', async () => {
    const shop = newShop();
    mkdirSync(keyFile(shop));
    await shop.clock.advance(20 * minuteMs);
    expect(shop.complaints()).toEqual(['the key of the head office cannot be kept, so nothing is sent yet']);
    expect(shop.office.heartbeats).toEqual([]);
    rmSync(keyFile(shop), { recursive: true });
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(1);
  });

  test('never gets into the log, and neither does the key', async () => {
    const shop = newShop();
    await shop.allSent();
    shop.office.revokeKeys();
    await shop.clock.advance(30 * minuteMs);
    const { key } = JSON.parse(readFileSync(keyFile(shop), 'utf8')) as { key: string };
    const said = JSON.stringify([shop.log, shop.link.status()]);
    expect(said).not.toContain(key);
    expect(said).not.toMatch(/[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/);
  });
});

describe('a key', () => {
  test('that was revoked ends all, until there is a new code', async () => {
    const shop = newShop({ names: ['main', 'bar'] });
    pay(shop);
    await shop.allSent();
    shop.office.revokeKeys();
    pay(shop);
    const before = shop.office.calls.length;
    await shop.clock.advance(60 * minuteMs);
    // Three parts ask, every ten minutes.
    expect(shop.office.calls.length - before).toBeLessThan(3 * 7);
    expect(shop.complaints()).toHaveLength(1);
    expect(shop.complaints()[0]).toContain('enrol it again with a new code (--office-code)');
    expect(told(shop)).toContain('no longer knows the key of this bridge');
    // The used code is no new one.
    expect(shop.countOf('enrol')).toBe(1);
    shop.restart({ code: shop.office.newCode() });
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(2);
    // It is still the same journal.
    expect(shop.office.chains('live/main')).toHaveLength(1);
    shop.restart();
    pay(shop);
    await shop.allSent();
    expect(shop.countOf('enrol')).toBe(2);
  });

  test('that counts again after all is used again, without anybody’s help', async () => {
    const shop = newShop();
    await shop.allSent();
    shop.office.revokeKeys();
    pay(shop);
    await shop.clock.advance(30 * minuteMs);
    shop.office.revokeKeys(false);
    await shop.clock.advance(11 * minuteMs);
    expect(shop.hasAll()).toBe(true);
    expect(told(shop)).toBe('');
    expect(shop.log.map(({ message }) => message)).toContain('the head office takes everything again');
  });

  test('is of one office: another one needs a code of its own', async () => {
    const shop = newShop();
    await shop.allSent();
    const before = shop.office.calls.length;
    shop.restart({ url: 'https://other.example' });
    await shop.clock.advance(30 * minuteMs);
    expect(shop.office.calls.length).toBe(before);
    expect(told(shop)).toBe(
      'This bridge belongs to the head office at https://office.example, not to the one at https://other.example. ' +
        'Have it make a new code for this shop, and set that with --office-code.',
    );
    // Another way to write the same address is the same office.
    shop.restart({ url: 'https://OFFICE.example/' });
    pay(shop);
    await shop.allSent();
    shop.restart({ url: 'https://other.example/tills/', code: shop.office.newCode() });
    await shop.clock.until(
      () => shop.office.heartbeats.length > 0 && shop.link.status().troubles.length === 0,
      'it',
    );
    expect(shop.countOf('enrol')).toBe(2);
  });

  test.each([
    ['is no JSON', '{'],
    ['is of something else', '{"key": 7}'],
  ])('in a file that %s needs a new code', async (_what, content) => {
    const shop = newShop({ code: null });
    writeFileSync(keyFile(shop), content, { mode: 0o600 });
    shop.restart({});
    await shop.clock.advance(minuteMs);
    expect(told(shop)).toContain('does not hold the key of a head office');
    shop.restart({ code: shop.office.newCode() });
    await shop.allSent();
  });

  test.skipIf(process.platform === 'win32')('in a file that everybody can change is not used', async () => {
    const shop = newShop();
    await shop.allSent();
    chmodSync(keyFile(shop), 0o666);
    const before = shop.office.calls.length;
    shop.restart({ code: null });
    await shop.clock.advance(minuteMs);
    expect(shop.office.calls.length).toBe(before);
    expect(told(shop)).toContain('Every user of this computer can change');
  });
});

describe('an address without encryption', () => {
  test.each([
    ['http://10.0.0.2:8480', true],
    ['http://office', true],
    ['http://localhost:8480', false],
    ['http://127.0.0.1:8480', false],
    ['http://[::1]:8480', false],
    ['https://office.example', false],
  ])('%s is warned of: %s', async (url, isWarned) => {
    const shop = newShop({ url });
    await shop.allSent();
    expect(shop.complaints().some((message) => message.includes('without encryption'))).toBe(isWarned);
  });
});

describe('the settings', () => {
  const load = (flags: Record<string, string>) => {
    const sources = {
      flags: { terminal: 'simulator', ...flags },
      configFile: null,
      environment: {},
      currentFolder: '/',
      defaultDataDir: '/data',
    };
    return loadConfiguration(sources, [], readSources(sources));
  };

  test.each(['https://office.example', 'http://10.0.0.2:8480/office/'])('take %s', (office) => {
    const loaded = load({ office, officeCode: 'abcdefghjklmnpqr' });
    expect(loaded.ok && loaded.configuration).toMatchObject({ office, officeCode: 'abcdefghjklmnpqr' });
  });

  test.each([
    { office: 'office.example' },
    { office: 'ftp://office.example' },
    { office: 'https://user:password@office.example' },
    { office: 'https://office.example/?key=1' },
    { officeCode: 'ABCD-EFGH-JKLM-NPQI' },
    { officeCode: 'ZZZZ-ZZZZ' },
  ])('refuse %o', (flags) => {
    const loaded = load({ ...flags });
    expect(loaded.ok).toBe(false);
    if ('officeCode' in flags) expect(JSON.stringify(loaded)).not.toContain(flags.officeCode);
  });
});
