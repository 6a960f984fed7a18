/** Signing in by an OpenID provider: who gets in, with which role, and who does not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { openPglite } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import type { ProviderSettings } from '../../../src/office/provider.ts';
import { providerOf } from '../../../src/headless/office-sign-in.ts';
import { invoke } from '../../headless/console/console-browser.ts';
import { openIdProvider, type OpenIdProvider } from '../support/openid-provider.ts';
import { runningOffice, type RunningOffice } from '../support/running-office.ts';

let provider: OpenIdProvider;
let database: Database;
let office: RunningOffice;
const chance = systemChance(systemClock);

const settings = (part: Partial<ProviderSettings> = {}): ProviderSettings => ({
  issuer: new URL(provider.issuer),
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  roleClaim: 'roles',
  roles: new Map([
    ['chain-support', 'support'],
    ['chain-lead', 'manager'],
  ]),
  ...part,
});
const start = (part?: Partial<ProviderSettings>) =>
  runningOffice(database, { clock: systemClock, chance, provider: settings(part) });

beforeAll(async () => {
  provider = await openIdProvider();
  database = await openPglite(null);
  office = await start();
});
beforeEach(() => {
  provider.fault = 'none';
  provider.person = { name: 'Ada Meyer', roles: ['chain-support'] };
});
afterAll(async () => {
  await office.close();
  await database.close();
  await provider.close();
});

/** What a browser does: to the provider, and back with the cookie that it was given. */
async function wayBack(of = office): Promise<{ path: string; cookie: string }> {
  const begun = await invoke(of.port, '/sign-in');
  expect(begun.status).toBe(302);
  const [cookie = '', ...flags] = (begun.headers['set-cookie']?.[0] ?? '').split('; ');
  expect(flags).toEqual(['Path=/sign-in', 'HttpOnly', 'SameSite=Lax', 'Max-Age=600']);
  const there = await fetch(begun.headers.location ?? '', { redirect: 'manual' });
  const back = new URL(there.headers.get('location') ?? '');
  expect(back.origin).toBe(of.origin);
  return { path: back.pathname + back.search, cookie };
}

const cameFrom = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const comeBack = ({ path, cookie }: { path: string; cookie: string }, of = office) =>
  invoke(of.port, path, { headers: { cookie, ...cameFrom } });

async function sessionAfter(way: { path: string; cookie: string }, of = office): Promise<unknown> {
  const answer = await comeBack(way, of);
  expect([answer.status, answer.headers.location]).toEqual([303, '/']);
  const cookies = answer.headers['set-cookie'] ?? [];
  const session = cookies.find((one) => one.startsWith('tillbridge-office='));
  expect(session).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  return (await of.browserWith(session?.split(';')[0] ?? '').get('/office/v1/session')).json();
}

async function refusal(way: { path: string; cookie: string }): Promise<string> {
  const answer = await comeBack(way);
  expect(answer.status).toBe(403);
  expect((answer.headers['set-cookie'] ?? []).filter((one) => one.startsWith('tillbridge-office='))).toEqual(
    [],
  );
  return answer.text;
}

describe('an OpenID provider', () => {
  test('lets somebody in by name, with the role that is mapped, which is in the audit log', async () => {
    expect((await invoke(office.port, '/office/v1/sign-in')).json()).toEqual({ provider: true });
    expect(await sessionAfter(await wayBack())).toMatchObject({
      name: 'Ada Meyer',
      role: 'support',
      by: 'provider',
    });
    const [entry] = await database.query(
      'SELECT person, act, signed_in_by FROM audit ORDER BY entry DESC LIMIT 1',
    );
    expect(entry).toEqual({ person: 'Ada Meyer', act: 'signed_in', signed_in_by: 'provider' });
  });

  test('of several roles the one counts that may do most; others are none', async () => {
    provider.person = { preferred_username: 'grace', roles: ['chain-support', 'chain-lead', 'cook'] };
    expect(await sessionAfter(await wayBack())).toMatchObject({ name: 'grace', role: 'manager' });
    provider.person = { name: 'Bob', roles: 'cook' };
    expect(await refusal(await wayBack())).toBe(
      'Bob has no role here. Ask whoever manages the provider for one.\n',
    );
    provider.person = { name: 'Bob' };
    expect(await refusal(await wayBack())).toContain('no role');
  });

  test('whose ID token has no roles is asked for the person; a claim may be a path', async () => {
    const other = await start({ roleClaim: 'groups.office' });
    provider.person = { name: 'Ada Meyer' };
    expect(await sessionAfter(await wayBack(other), other)).toMatchObject({ role: 'support' });
    await other.close();
  });

  test.each(['other nonce', 'other issuer', 'other key', 'expired', 'denied'] as const)(
    'that is not as it should be lets nobody in: %s',
    async (fault) => {
      provider.fault = fault;
      expect(await refusal(await wayBack())).toBe(
        'The OpenID provider has not confirmed who you are. Try again.\n',
      );
    },
  );

  test('with another client secret lets nobody in', async () => {
    const other = await start({ clientSecret: 'wrong' });
    const answer = await comeBack(await wayBack(other), other);
    expect(answer.status).toBe(403);
    await other.close();
  });

  test('the way back is for the browser that began, and works once', async () => {
    const [one, other] = [await wayBack(), await wayBack()];
    // Somebody sends a person the way back of their own sign-in.
    expect(await refusal({ path: one.path, cookie: '' })).toContain('not begun in this browser');
    expect(await refusal({ path: one.path, cookie: other.cookie })).toContain('not begun in this browser');
    expect(await sessionAfter(one)).toMatchObject({ name: 'Ada Meyer' });
    expect(await refusal(one)).toContain('not begun in this browser');
    await sessionAfter(other);
  });

  test('that cannot be reached is said, and asked again the next time', async () => {
    const away = await start({ issuer: new URL('http://127.0.0.1:9') });
    const answer = await invoke(away.port, '/sign-in');
    expect([answer.status, answer.text]).toEqual([
      503,
      'The OpenID provider cannot be reached. Try again in a moment.\n',
    ]);
    await away.close();
  });

  test('may be any process on the way back: what was begun is in the database', async () => {
    const other = await runningOffice(database, {
      clock: systemClock,
      chance,
      provider: settings(),
      publicOrigin: office.origin,
    });
    const way = await wayBack();
    const answer = await invoke(other.port, way.path, {
      host: new URL(office.origin).host,
      headers: { cookie: way.cookie, ...cameFrom },
    });
    expect(answer.status).toBe(303);
    await other.close();
  });
});

describe('its options', () => {
  const context = { environment: {}, currentFolder: '/' };
  const usual = { oidcIssuer: 'https://login.example', oidcClientId: 'office', oidcRoleClaim: 'roles' };

  test('are settings', () => {
    const found = providerOf(
      { ...usual, oidcRoles: 'chain-support=support, it=administrator' },
      { ...context, environment: { TILLBRIDGE_OFFICE_OIDC_SECRET: 's' } },
    );
    expect(found).toEqual({
      settings: {
        issuer: new URL('https://login.example'),
        clientId: 'office',
        clientSecret: 's',
        roleClaim: 'roles',
        roles: new Map([
          ['chain-support', 'support'],
          ['it', 'administrator'],
        ]),
      },
    });
    expect(providerOf({ oidcRoleClaim: 'roles' }, context)).toEqual({ settings: null });
  });

  test.each([
    [{ oidcClientId: 'office', oidcRoleClaim: 'roles' }, '--oidc-issuer'],
    [{ ...usual, oidcIssuer: 'login' }, 'must be an address'],
    [{ oidcIssuer: 'https://login.example', oidcRoleClaim: 'roles' }, '--oidc-client-id'],
    [usual, '--oidc-roles must say'],
    [{ ...usual, oidcRoles: 'it=chief' }, '--oidc-roles must say'],
    [{ ...usual, oidcRoles: '=support' }, '--oidc-roles must say'],
    [{ ...usual, oidcRoles: 'it=support', oidcClientSecretFile: 'no-such-file' }, 'cannot be read'],
  ])('that say nothing sensible are refused: %j', (flags, message) => {
    expect(providerOf(flags, context)).toEqual({ wrong: expect.stringContaining(message) });
  });
});
