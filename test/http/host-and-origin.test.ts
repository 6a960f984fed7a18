/** Whom a request is meant for, and which page made it: the rules that all of our servers share. */
import { describe, expect, it } from 'vitest';
import {
  foreignHost,
  hostValues,
  isFollowedLink,
  isFromForeignPage,
  isLoopback,
  nameInAddress,
} from '../../src/http/index.ts';

describe('the values of Host', () => {
  it('leave the port out where it is 80, and have the configured address', () => {
    expect(hostValues(80, null, [])).toContain('localhost');
    expect(hostValues(8080, null, [])).not.toContain('localhost');
    expect(hostValues(8080, '192.168.1.5', [])).toContain('192.168.1.5:8080');
    expect(hostValues(8080, 'fe80::1', ['fe80::2'])).toEqual(
      new Set([
        '127.0.0.1:8080',
        'localhost:8080',
        '[::1]:8080',
        '[fe80::1]:8080',
        '[fe80::2]',
        '[fe80::2]:8080',
      ]),
    );
    expect(hostValues(8080, '0.0.0.0', []).size).toBe(3);
  });

  it('have what stands in our own address, also where we listen at every address', () => {
    for (const host of [null, '0.0.0.0', '::', '[::]', '192.168.1.5', 'till.example', 'fe80::1', '[fe80::1]'])
      expect(hostValues(8080, host, [])).toContain(`${nameInAddress(host)}:8080`);
    expect(nameInAddress('0.0.0.0')).toBe('127.0.0.1');
  });

  it('name this machine alone, or do not', () => {
    expect([null, 'localhost', '127.0.0.1', '127.9.9.9', '::1'].map(isLoopback)).not.toContain(false);
    expect(
      ['0.0.0.0', '::', '192.168.1.5', 'till.example', '127.evil.example'].map(isLoopback),
    ).not.toContain(true);
  });
});

describe('a request is meant for', () => {
  const isOurs = (host: string) => host === 'localhost:80';

  it.each([
    ['us', 'localhost:80', '/health', null],
    ['us, by a whole URL', 'localhost:80', 'http://localhost:80/health', null],
    ['another name', 'evil.example', '/health', { host: 'evil.example' }],
    ['another name by its target', 'localhost:80', 'http://evil.example/health', { host: 'evil.example' }],
    ['another name with our target', 'evil.example', 'http://localhost:80/', { host: 'evil.example' }],
    ['a target of another scheme', 'localhost:80', 'x+y://evil.example', { host: 'evil.example' }],
    ['nobody', undefined, '/health', { host: undefined }],
    ['nobody, with a whole URL', undefined, 'http://localhost:80/', { host: undefined }],
  ])('%s', (_whom, host, url, foreign) => {
    expect(foreignHost({ headers: { host }, url }, isOurs)).toEqual(foreign);
  });
});

describe('what a browser says of the page that asks', () => {
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  it.each([
    ['nothing: a program', {}, false],
    ['the page itself', { 'sec-fetch-site': 'same-origin' }, false],
    ['the address bar', { 'sec-fetch-site': 'none' }, false],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }, true],
    ['another site', { 'sec-fetch-site': 'cross-site' }, true],
    ['another site, twice', { 'sec-fetch-site': 'same-origin, cross-site' }, true],
    ['a word of a later year', { 'sec-fetch-site': 'same-planet' }, true],
  ])('%s', (_what, headers, foreign) => {
    expect(isFromForeignPage({ headers })).toBe(foreign);
  });

  it.each([
    ['a followed link', 'GET', link, true],
    ['a posted form', 'POST', link, false],
    ['an image', 'GET', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, false],
    ['a frame', 'GET', { ...link, 'sec-fetch-dest': 'iframe' }, false],
    ['nothing', 'GET', {}, false],
  ])('%s', (_what, method, headers, followed) => {
    expect(isFollowedLink({ method, headers })).toBe(followed);
  });
});
