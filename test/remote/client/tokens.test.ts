import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRemoteClient, RemoteError } from '../../../src/remote/library/client.ts';
import { failureOf, holderIntent, intentId, newHolder, rig } from './client-rig.ts';
import type { Heard, Reply } from './scripted-server.ts';

const clientSecret = 'client secret/ü&"=1';
const credentials = { clientId: 'the-client', clientSecret };
const isTokenRequest = (request: Heard) => request.path === '/v1/oauth/token';
const token = (name: string, lifeSeconds = 3600): Reply => ({
  body: { access_token: name, token_type: 'Bearer', expires_in: lifeSeconds },
});
const bearers = (heard: Heard[]) =>
  heard.filter((request) => !isTokenRequest(request)).map(({ headers }) => headers.authorization);

describe('client credentials', () => {
  it('are exchanged for one token that all calls share', async () => {
    const { client, server } = await rig(
      (request) => (isTokenRequest(request) ? token('t1') : holderIntent()),
      {
        auth: { ...credentials, scope: 'account-holder-creation-intent:read' },
      },
    );
    await Promise.all(
      Array.from({ length: 10 }, () => client.accountHolderCreationIntents.retrieve(intentId)),
    );
    const [asked, ...more] = server.heard.filter(isTokenRequest);
    expect(more).toEqual([]);
    expect(asked).toMatchObject({ method: 'POST' });
    expect(asked?.headers).not.toHaveProperty('authorization');
    expect(Object.fromEntries(new URLSearchParams(asked?.text))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'the-client',
      client_secret: clientSecret,
      scope: 'account-holder-creation-intent:read',
    });
    expect(new Set(bearers(server.heard))).toEqual(new Set(['Bearer t1']));
  });

  it('give a new token before the old one runs out', async () => {
    let issued = 0;
    const { client, server, clock } = await rig(
      (request) => (isTokenRequest(request) ? token(`t${++issued}`, 3600) : holderIntent()),
      { auth: credentials },
    );
    const call = () => client.accountHolderCreationIntents.retrieve(intentId);
    await call();
    clock.skip(3_539_000);
    await call();
    clock.skip(2_000);
    await call();
    expect(bearers(server.heard)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('give a new token once after a 401, even for a create', async () => {
    let issued = 0;
    const { client, server } = await rig(
      (request) => {
        if (isTokenRequest(request)) return token(`t${++issued}`);
        return request.headers.authorization === 'Bearer t1' ? { status: 401 } : holderIntent();
      },
      { auth: credentials },
    );
    await Promise.all([1, 2, 3].map(() => client.accountHolderCreationIntents.create(newHolder)));
    expect(issued).toBe(2);
    expect(bearers(server.heard).map(String).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'Bearer t1'),
      ...Array.from({ length: 3 }, () => 'Bearer t2'),
    ]);
  });

  it('do not go round and round when every token is refused', async () => {
    let issued = 0;
    const { client } = await rig(
      (request) => (isTokenRequest(request) ? token(`t${++issued}`) : { status: 401 }),
      { auth: credentials },
    );
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({ kind: 'unauthenticated', attempts: 2 });
    expect(issued).toBe(2);
  });

  it('that are refused: nothing else is sent', async () => {
    const { client, server } = await rig(
      () => ({ status: 401, body: { error: 'invalid_client', error_description: `no ${clientSecret}` } }),
      { auth: credentials },
    );
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({
      kind: 'token-refused',
      outcome: 'not-sent',
      code: 'invalid_client',
      status: 401,
    });
    expect(server.heard.every(isTokenRequest)).toBe(true);
  });

  it('are sent to the address that was given', async () => {
    const issuer = await rig(() => token('t9'));
    const { client, server } = await rig(() => holderIntent(), {
      auth: { ...credentials, tokenUrl: `${issuer.server.baseUrl}/elsewhere` },
      allowUndocumented: false,
    });
    await client.accountHolderCreationIntents.create(newHolder);
    expect(issuer.server.heard.map(({ path }) => path)).toEqual(['/v1/elsewhere']);
    expect(bearers(server.heard)).toEqual(['Bearer t9']);
  });

  it('are sent nowhere when there is only a guessed address and no sandbox', async () => {
    const { client, server } = await rig(() => holderIntent(), {
      auth: credentials,
      allowUndocumented: false,
    });
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({ kind: 'undocumented', outcome: 'not-sent' });
    expect(server.heard.map(({ method, path, text }) => [method, path, text])).toEqual([
      ['GET', '/v1/sandbox', ''],
    ]);
  });
});

it('a bearer token that is refused is not sent again', async () => {
  const { client, server } = await rig(() => ({ status: 401 }));
  await failureOf(client.accountHolderCreationIntents.retrieve(intentId));
  expect(server.heard).toHaveLength(1);
});

describe('no secret is in a log line, a report or an error', () => {
  const shareToken = 'share token "ß" 0815';
  const accessToken = 'access-token-4711';
  const forms = [shareToken, accessToken, clientSecret].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ]);
  const echo = forms.join(' | ');

  /** Everything in an error that anybody could print. */
  const allOf = (error: unknown) =>
    inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error) + String((error as Error).stack);

  it.each([
    [
      'an error body',
      {
        status: 400,
        body: { code: echo, message: echo, request_id: echo, issues: [{ path: echo, message: echo }] },
      },
    ],
    ['a header', { status: 409, headers: { 'x-request-id': accessToken, 'retry-after': accessToken } }],
    ['a body that is no JSON', { body: `<${echo}>` }],
    [
      'an answer that repeats it',
      { body: { share_token: echo, [accessToken]: accessToken, origin: clientSecret } },
    ],
    ['a dropped connection', 'drop'],
  ] as const)('when the service answers with %s', async (_name, reply) => {
    const { client, lines, reports, server } = await rig(
      (request) => (isTokenRequest(request) ? token(accessToken) : reply),
      { auth: credentials },
    );
    const call = client.verificationCreationIntents.setShareToken(
      { id: 'v1', etag: '"1"' },
      { share_token: shareToken },
    );
    const error: unknown = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    // They really were on the wire.
    expect(server.heard.at(-1)?.json).toEqual({ share_token: shareToken });
    expect(server.heard.at(-1)?.headers.authorization).toBe(`Bearer ${accessToken}`);
    expect(lines.length).toBeGreaterThan(0);
    const everything = `${lines.join()}${JSON.stringify(reports)}${error === null ? '' : allOf(error)}${inspect(client, { depth: 20, showHidden: true })}`;
    for (const form of forms) expect(everything).not.toContain(form);
  });

  it('nor after more tokens than are remembered', async () => {
    let issued = 0;
    const { client, clock } = await rig(
      (request) =>
        isTokenRequest(request)
          ? token(`t${++issued}`, 60)
          : { status: issued > 60 ? 400 : 200, body: { message: echo } },
      { auth: credentials },
    );
    const call = () => client.accountHolderCreationIntents.retrieve(intentId);
    for (let count = 0; count < 60; count += 1) {
      await call();
      clock.skip(60_000);
    }
    expect(issued).toBe(60);
    expect((await failureOf(call())).message).not.toContain(clientSecret);
  });

  it('nor when the request is not sent', async () => {
    const { client } = await rig(() => holderIntent());
    const body = { share_token: shareToken, [shareToken]: 1 };
    const errors = [
      await failureOf(client.verificationCreationIntents.setShareToken('v1' as never, body)),
      await failureOf(
        client.verificationCreationIntents.setShareToken({ id: 'v1', etag: '"1"' }, {
          share_token: { is: shareToken },
        } as never),
      ),
    ];
    for (const error of errors) for (const form of forms) expect(allOf(error)).not.toContain(form);
  });

  it('nor when the credentials cannot be used', () => {
    const make = () =>
      createRemoteClient({ baseUrl: 'https://remote.example/v1', auth: { bearer: `${accessToken}\nx` } });
    expect(make).toThrow(RemoteError);
    try {
      make();
    } catch (error) {
      expect(allOf(error)).not.toContain(accessToken);
    }
  });
});
