import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { remoteErrorSchema, sandboxHeader } from '../../../src/remote/library/client.ts';
import { atEnd, startSandbox, stoppedClock, type Answer } from './rig.ts';

const cms = { know_your_customer: { type: 'cms', detail: { cms_id: '4711' } } } as const;
const family = '/account-holder-creation-intents';

function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get(sandboxHeader)).toBe('true');
  const body = remoteErrorSchema.strict().parse(answer.body);
  expect(body.code).toBe(code);
  expect(body.request_id).toBe(answer.headers.get('x-request-id'));
}

describe('the token', () => {
  it('is needed, must be one of ours, and runs out', async () => {
    let ahead = 0;
    const clock = { ...stoppedClock, now: () => stoppedClock.now() + ahead };
    const rig = await startSandbox({ clock, tokenLifeSeconds: 60 });
    const missing = await rig.request('/accounts', { headers: { authorization: null } });
    expectError(missing, 401, 'token_missing');
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    expectError(
      await rig.request('/accounts', { headers: { authorization: 'Basic YTpi' } }),
      401,
      'token_missing',
    );
    expectError(
      await rig.request('/accounts', { headers: { authorization: 'Bearer x' } }),
      401,
      'token_invalid',
    );
    expect((await rig.request('/accounts')).status).toBe(200);
    ahead = 60_000;
    expectError(await rig.request('/accounts'), 401, 'token_expired');
    // The client of the library gets itself a new one.
    expect((await rig.client.accounts.page()).records).toEqual([]);
  });

  it('is issued for client credentials only, with errors as in RFC 6749', async () => {
    const rig = await startSandbox();
    const { clientId, clientSecret } = rig.sandbox.client;
    const good = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const ask = async (form: Record<string, string>) => {
      const response = await fetch(`${rig.sandbox.baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    expect(await ask(good)).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600 } });
    expect(await ask({ ...good, scope: 'account:read' })).toMatchObject({ body: { scope: 'account:read' } });
    expect(await ask({ ...good, scope: 'account:eat' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    expect(await ask({ ...good, client_secret: 'x' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await ask({ ...good, client_id: 'x' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await ask({ ...good, grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    expect(await ask({ grant_type: 'client_credentials' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('needs the scope of the operation, and the answer names it', async () => {
    const rig = await startSandbox();
    const authorization = `Bearer ${await rig.token('account:read verification-creation-intent:read')}`;
    const share = '/verification-creation-intents/x/share-token';
    const refused = await rig.request(share, {
      method: 'PATCH',
      headers: { authorization },
      body: { share_token: 's' },
    });
    expectError(refused, 403, 'scope_missing');
    expect(refused.body['message']).toContain('verification-creation-intent:update');
    expect((await rig.request('/accounts', { headers: { authorization } })).status).toBe(200);
  });
});

describe('the version', () => {
  it('must be named, and be one that there is', async () => {
    const rig = await startSandbox();
    const none = await rig.request('/accounts', { headers: { 'x-service-api-version': null } });
    expectError(none, 400, 'api_version_missing');
    const unknown = await rig.request('/accounts', { headers: { 'x-service-api-version': 'v20991231' } });
    expectError(unknown, 400, 'api_version_unknown');
    for (const { body } of [none, unknown]) {
      expect(body['message']).toContain('v20260326, v20250225, v20250212');
    }
  });

  it('has its own paths', async () => {
    const rig = await startSandbox({ seed: true });
    const status = async (path: string, version: string) =>
      (await rig.request(path, { headers: { 'x-service-api-version': version } })).status;
    expect(await status('/payment/clearing-accounts', 'v20250225')).toBe(200);
    expect(await status('/payment/clearing-accounts', 'v20260326')).toBe(404);
    expect(await status('/parties', 'v20260326')).toBe(200);
    expect(await status('/parties', 'v20250212')).toBe(404);
    expect(await status('/virtual-accounts', 'v20250225')).toBe(404);
  });

  it('an earlier one shows the same records in its own shape', async () => {
    const rig = await startSandbox({ seed: true });
    const { client } = rig;
    const [now] = (await client.virtualAccounts.page()).records;
    const before = await client.v20250212.virtualAccounts.retrieve(now?.id ?? '');
    expect(before).toEqual({
      id: now?.id,
      create_time: now?.create_time,
      update_time: now?.update_time,
      token: now?.token,
      etag: now?.etag,
      status: 'active',
      customer_id: now?.customer_id,
      account_id: now?.account_id,
      external_account: now?.external_account,
    });
    const transactions = (await client.transactions.page({ debit_credit_indicator: 'debit' })).records;
    const earlier = (await client.v20250212.transactions.page({ debit_credit_indicator: 'debit' })).records;
    expect(earlier.map(({ id }) => id)).toEqual(transactions.map(({ id }) => id));
    expect(transactions[0]?.credit_amount).toBeNull();
    expect(earlier[0]?.credit_amount).toBe('0.00');
    const intent = await client.virtualAccountCreationIntents.create({ account_id: now?.account_id ?? '' });
    const seen = await client.v20250225.virtualAccountCreationIntents.retrieve(intent.id);
    expect(Object.keys(seen)).not.toContain('external_account');
    expect((await client.v20250225.virtualAccountCreationIntents.confirm(intent.id)).life_cycle).toBe(
      'completed',
    );
  });
});

describe('If-Match', () => {
  it('is needed, must be quoted, and must be of the record as it is', async () => {
    const rig = await startSandbox();
    const created = await rig.client.accountHolderCreationIntents.create(cms);
    const confirm = (tag: string | null) =>
      rig.request(`${family}/${created.id}/confirm`, { method: 'PATCH', headers: { 'if-match': tag } });
    expectError(await confirm(null), 428, 'if_match_missing');
    expectError(await confirm(created.etag.replaceAll('"', '')), 400, 'invalid_request');
    expectError(await confirm('"other"'), 412, 'etag_mismatch');
    expectError(await confirm(`W/${created.etag}`), 412, 'etag_mismatch');
    const done = await confirm(`"other", ${created.etag}`);
    expect(done.status).toBe(200);
    expect(done.headers.get('etag')).toBe(done.body['etag']);
    expect(done.body['etag']).not.toBe(created.etag);
  });

  it('is stale after each change, and * fits any', async () => {
    const rig = await startSandbox({ seed: true });
    const [account] = (await rig.client.accounts.page()).records;
    const created = await rig.client.virtualAccountCreationIntents.create({ account_id: account?.id ?? '' });
    const path = `/virtual-account-creation-intents/${created.id}/account-name`;
    const name = (tag: string, account_name: string) =>
      rig.request(path, { method: 'PATCH', headers: { 'if-match': tag }, body: { account_name } });
    const first = await name(created.etag, 'One');
    expect(first.body).toMatchObject({ account_name: 'One' });
    expectError(await name(created.etag, 'Two'), 412, 'etag_mismatch');
    expect((await name('*', 'Three')).body).toMatchObject({ account_name: 'Three' });
    expectError(await name(String(first.body['etag']), 'Four'), 412, 'etag_mismatch');
  });
});

describe('the body', () => {
  it('must be one JSON object of the right form, and nothing else', async () => {
    const rig = await startSandbox();
    const post = (body: unknown, headers: Record<string, string | null> = {}) =>
      rig.request(family, { method: 'POST', body, headers });
    expectError(await post('{"know'), 400, 'invalid_json');
    expectError(await post('[]'), 400, 'invalid_request');
    const wrong = await post({ know_your_customer: { type: 'cms', detail: {} } });
    expectError(wrong, 400, 'invalid_request');
    expect(wrong.body['issues']).toMatchObject([{ path: 'know_your_customer.detail.cms_id' }]);
    const more = await post({ ...cms, colour: 'red' });
    expectError(more, 400, 'invalid_request');
    expect(more.body['issues']).toMatchObject([{ path: 'colour' }]);
    expectError(await post(cms, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
    expectError(await post({ ...cms, filler: 'x'.repeat(300_000) }), 413, 'body_too_large');
    const deep = `{"customer_party_ref":"p","requested_capabilities":["trade"],"collection_channel":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const request = { method: 'POST', body: deep };
    expectError(await rig.request('/verification-creation-intents', request), 400, 'invalid_request');
  });

  it('must name records that there are, and amounts that the currency has', async () => {
    const rig = await startSandbox({ seed: true });
    const [account] = (await rig.client.accounts.page()).records;
    const move = (body: object) =>
      rig.request('/internal-transfer-creation-intents', { method: 'POST', body });
    const body = {
      source_account_id: account?.id,
      destination_account_id: '5a2d0c1e-0000-4000-8000-000000000000',
      currency_code: 'EUR',
      amount: '1.00',
    };
    const nobody = await move(body);
    expectError(nobody, 422, 'reference_not_usable');
    expect(nobody.body['issues']).toMatchObject([{ path: 'destination_account_id' }]);
    const [, other] = (await rig.client.accounts.page()).records;
    const small = await move({ ...body, destination_account_id: other?.id, amount: '1.001' });
    expectError(small, 400, 'invalid_request');
    expect(small.body['issues']).toMatchObject([{ path: 'amount' }]);
  });
});

describe('the address', () => {
  it('must be known, with its method and its query', async () => {
    const rig = await startSandbox();
    expectError(await rig.request('/nowhere'), 404, 'path_not_found');
    expectError(await rig.request('/accounts/5a2d0c1e-0000-4000-8000-000000000000'), 404, 'record_not_found');
    const wrong = await rig.request('/accounts', { method: 'DELETE' });
    expectError(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('GET');
    expectError(await rig.request('/accounts?colour=red'), 400, 'invalid_request');
    expectError(await rig.request('/accounts?__proto__=red'), 400, 'invalid_request');
    expectError(await rig.request('/accounts?count=1&count=2'), 400, 'invalid_request');
    expectError(await rig.request('/accounts/%zz'), 400, 'invalid_request');
  });

  it('must be named as this computer’s own', async () => {
    const { sandbox } = await startSandbox();
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        rawRequest(
          { port: sandbox.port, host: '127.0.0.1', path: '/v1/sandbox', headers: { host } },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        )
          .on('error', reject)
          .end();
      });
    expect(await statusFor(`localhost:${sandbox.port}`)).toBe(200);
    expect(await statusFor('rebound.example.com')).toBe(400);
  });
});

it('a request id of the caller’s comes back', async () => {
  const rig = await startSandbox();
  const answer = await rig.request('/nowhere', { headers: { 'x-request-id': 'mine-1' } });
  expectError(answer, 404, 'path_not_found');
  expect(answer.body['request_id']).toBe('mine-1');
  expect(rig.lines.some((line) => line.includes('mine-1'))).toBe(true);
});

/** A sandbox keeps 200 connections. */
const moreThanItKeeps = 220;

describe('connections on which half a request has come', () => {
  it('shut nobody out, however many they are', async () => {
    const rig = await startSandbox();
    const { port } = new URL(rig.sandbox.baseUrl);
    for (let count = 0; count < moreThanItKeeps; count += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      // Those that give way are closed.
      socket.on('error', () => {});
      atEnd(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write('GET /v1/accounts HTTP/1.1\r\nHost: ');
    }
    for (let count = 0; count < 5; count += 1)
      expect((await rig.request('/accounts', { headers: { connection: 'close' } })).status).toBe(200);
  });
});
