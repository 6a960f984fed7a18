import { describe, expect, it } from 'vitest';
import { verificationCreationIntent } from '../catalogue/examples.ts';
import { until } from '../../support/until.ts';
import { unusedPort } from '../../support/unused-port.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { createSkippingClock } from '../skipping-clock.ts';
import { deadlineMs, failureOf, holderIntent, intentId, newHolder, rig } from './client-rig.ts';

const once = { retry: { maxAttempts: 1 } };

describe('an answer that is no success', () => {
  it.each([
    [400, 'refused', 'refused'],
    [401, 'unauthenticated', 'refused'],
    [403, 'forbidden', 'refused'],
    [404, 'not-found', 'refused'],
    [409, 'conflict', 'refused'],
    [412, 'etag-stale', 'refused'],
    [422, 'refused', 'refused'],
    [428, 'refused', 'refused'],
    [429, 'rate-limited', 'refused'],
    [500, 'server-fault', 'unknown'],
    [503, 'server-fault', 'unknown'],
    [307, 'redirected', 'unknown'],
  ])('with status %i is "%s", outcome %s', async (status, kind, outcome) => {
    const issues = [{ path: 'a.b', message: 'wrong' }];
    const { client, server } = await rig(
      () => ({
        status,
        headers: { location: 'http://127.0.0.1:1/elsewhere' },
        body: { code: 'some_code', message: 'Some words.', issues, request_id: 'r-1' },
      }),
      once,
    );
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({
      kind,
      outcome,
      status,
      code: 'some_code',
      issues,
      requestId: 'r-1',
      attempts: 1,
      operation: 'account-holder-creation-intent.create',
      version: 'v20260326',
    });
    expect(error.message).toContain('Some words.');
    expect(server.heard).toHaveLength(1);
  });

  it('may have another form, or none', async () => {
    const bodies = ['<html>', '[]', '', 'null', '{"issues":[null,{"path":7}],"message":{}}'];
    const { client } = await rig((_request, index) => ({ status: 400, body: bodies[index] ?? '' }));
    for (const body of bodies) {
      const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
      expect(error.kind, body).toBe('refused');
    }
  });

  it.each(['<html>', '[]', '17', 'null', ''])('nor is a success whose body is %s', async (body) => {
    const { client } = await rig(() => ({ body }));
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({ kind: 'unreadable-answer', outcome: 'unknown' });
  });
});

describe('a request is sent again', () => {
  it('after a passing failure of a read, with growing pauses, up to a bound', async () => {
    const { client, server, clock } = await rig((_request, index) =>
      index % 2 === 0 ? { status: 503 } : 'drop',
    );
    const error = await failureOf(client.accounts.retrieve('a'));
    expect(error).toMatchObject({ kind: 'network', attempts: 4, outcome: 'unknown' });
    expect(server.heard).toHaveLength(4);
    expect(clock.pauses).toEqual([250, 500, 1000]);
  });

  it('and then counts as if it were the first', async () => {
    const { client, server } = await rig((_request, index) => (index < 2 ? { status: 502 } : holderIntent()));
    expect((await client.accountHolderCreationIntents.retrieve(intentId)).id).toBe(intentId);
    expect(server.heard).toHaveLength(3);
  });

  it('not before Retry-After, in seconds or as a date', async () => {
    const date = new Date(Date.UTC(2026, 2, 26, 8, 0, 30)).toUTCString();
    const { client, clock } = await rig((_request, index) =>
      index === 0
        ? { status: 429, headers: { 'retry-after': '7' } }
        : index === 1
          ? { status: 503, headers: { 'retry-after': date } }
          : holderIntent(),
    );
    await client.accountHolderCreationIntents.retrieve(intentId);
    expect(clock.pauses).toEqual([7_250, 30_500]);
  });

  it('not at all when Retry-After is too far away', async () => {
    const { client, server } = await rig(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const error = await failureOf(client.accounts.retrieve('a'));
    expect(error).toMatchObject({ kind: 'rate-limited', retryAfterMs: 3_600_000 });
    expect(server.heard).toHaveLength(1);
  });

  it('when it is a confirm with a strong etag', async () => {
    const { client, server } = await rig((_request, index) => (index === 0 ? 'drop' : holderIntent()));
    await client.accountHolderCreationIntents.confirm({ id: intentId, etag: '"1"' });
    expect(server.heard.map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"1"']);
  });

  it('and a 412 to the second attempt leaves open what the first one did', async () => {
    const { client } = await rig((_request, index) => (index === 0 ? 'drop' : { status: 412 }));
    const error = await failureOf(client.accountHolderCreationIntents.confirm({ id: intentId, etag: '"1"' }));
    expect(error).toMatchObject({ kind: 'etag-stale', outcome: 'unknown', attempts: 2 });
  });

  it('and a refusal by status alone, as 429, leaves nothing open', async () => {
    const { client } = await rig((_request, index) => ({ status: index === 0 ? 429 : 412 }));
    const error = await failureOf(client.accountHolderCreationIntents.confirm({ id: intentId, etag: '"1"' }));
    expect(error).toMatchObject({ kind: 'etag-stale', outcome: 'refused', attempts: 2 });
  });

  it.each([
    ['a create', (c: Client) => c.accountHolderCreationIntents.create(newHolder)],
    ['a PATCH without an etag', (c: Client) => c.v20250225.virtualAccountCreationIntents.confirm('i')],
    [
      'a PATCH of a version that may not heed its etag',
      (c: Client) => c.v20250225.virtualAccountCreationIntents.confirm({ id: 'i', etag: '"1"' }),
    ],
    ['a PATCH with any etag', (c: Client) => c.accountHolderCreationIntents.confirm({ id: 'i', etag: '*' })],
    [
      'a PATCH with a weak etag',
      (c: Client) => c.accountHolderCreationIntents.confirm({ id: 'i', etag: 'W/"1"' }),
    ],
  ])('never when it is %s', async (_name, act) => {
    for (const reply of ['drop', { status: 503 }] as const) {
      const { client, server } = await rig(() => reply);
      const error = await failureOf(act(client));
      expect(error.attempts).toBe(1);
      expect(server.heard).toHaveLength(1);
    }
  });

  it('even a create, when it was refused as one too many', async () => {
    const { client, server, clock } = await rig((_request, index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '2' } } : holderIntent(),
    );
    expect((await client.accountHolderCreationIntents.create(newHolder)).id).toBe(intentId);
    expect(server.heard).toHaveLength(2);
    expect(clock.pauses).toEqual([2_250]);
  });

  it('even a create, when there was no connection at all', async () => {
    const { client, clock } = await rig(() => holderIntent(), {
      baseUrl: `http://127.0.0.1:${await unusedPort()}/v1`,
    });
    const error = await failureOf(client.accountHolderCreationIntents.create(newHolder));
    expect(error).toMatchObject({ kind: 'network', attempts: 4 });
    expect(clock.pauses).toHaveLength(3);
    // Each of the four found nobody.
    expect(error.outcome).toBe('not-sent');
  });
});

describe('waiting ends', () => {
  it('with the time for an answer', async () => {
    const clock = createVirtualClock();
    const { client, server } = await rig(() => 'hang', { clock, timeoutMs: 40_000 });
    const failure = failureOf(client.accountHolderCreationIntents.create(newHolder));
    await until(() => server.heard.length === 1);
    await clock.advance(40_000);
    const error = await failure;
    expect(error).toMatchObject({ kind: 'timeout', outcome: 'unknown' });
  });

  it('with the caller’s signal, on the way', async () => {
    const controller = new AbortController();
    const { client, server } = await rig(() => {
      controller.abort();
      return 'hang';
    });
    const call = client.accounts.retrieve('a', { signal: controller.signal });
    expect(await failureOf(call)).toMatchObject({ kind: 'aborted', outcome: 'unknown' });
    expect(server.heard).toHaveLength(1);
  });

  it('with the caller’s signal, before', async () => {
    const { client, server } = await rig(() => holderIntent());
    const call = client.accounts.retrieve('a', { signal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ kind: 'aborted', outcome: 'not-sent' });
    expect(server.heard).toEqual([]);
  });

  it('with the caller’s signal, in a pause', async () => {
    const controller = new AbortController();
    const { client, server } = await rig(() => ({ status: 503 }), {
      clock: {
        ...createVirtualClock(),
        after: (delayMs) => {
          // The pause never ends by itself; the caller gives up in it.
          if (delayMs < deadlineMs) setImmediate(() => controller.abort());
          return () => {};
        },
      },
    });
    const call = client.accounts.retrieve('a', { signal: controller.signal });
    expect((await failureOf(call)).kind).toBe('aborted');
    expect(server.heard).toHaveLength(1);
  });
});

describe('an attempt that may have been carried out', () => {
  it('leaves that open when the caller gives up in the pause before the next one', async () => {
    const controller = new AbortController();
    const { client } = await rig(() => 'drop', {
      clock: {
        ...createVirtualClock(),
        after: (delayMs) => {
          if (delayMs < deadlineMs) setImmediate(() => controller.abort());
          return () => {};
        },
      },
    });
    const intent = { id: intentId, etag: '"1"' };
    const error = await failureOf(
      client.accountHolderCreationIntents.confirm(intent, { signal: controller.signal }),
    );
    expect(error).toMatchObject({ kind: 'aborted', outcome: 'unknown', attempts: 1 });
    expect(error.message).toContain('may have done it');
  });

  it('leaves that open when no token can be had for the next one', async () => {
    let tokens = 0;
    // The first token runs out in the pause.
    const clock = createSkippingClock((delayMs) => delayMs >= deadlineMs, { moves: true });
    const { client, server } = await rig(
      (request) => {
        if (request.path !== '/v1/oauth/token') return 'drop';
        tokens += 1;
        return tokens === 1
          ? { body: { access_token: 't1', token_type: 'Bearer', expires_in: 60 } }
          : { status: 400, body: { error: 'invalid_client' } };
      },
      {
        clock,
        auth: { clientId: 'the-client', clientSecret: 'the-secret' },
        retry: { firstPauseMs: 100_000, maxPauseMs: 100_000 },
      },
    );
    const error = await failureOf(client.accountHolderCreationIntents.confirm({ id: intentId, etag: '"1"' }));
    expect(clock.pauses).toEqual([100_000]);
    expect(server.heard.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST']);
    expect(error).toMatchObject({ kind: 'token-refused', outcome: 'unknown', attempts: 1 });
  });
});

describe('what the catalogue does not know', () => {
  it('is kept and reported', async () => {
    const body = {
      ...verificationCreationIntent,
      origin: 'inherited',
      colour: { deep: true },
      revision_of: null,
    };
    const { client, reports } = await rig(() => ({ body }));
    expect(await client.verificationCreationIntents.retrieve('v')).toEqual(body);
    expect(reports.map(({ kind, path, value, where }) => [kind, path, value, where])).toEqual([
      ['unknown-value', 'origin', 'inherited', 'answer'],
      ['unknown-field', 'colour', { deep: true }, 'answer'],
      ['unknown-field', 'revision_of', null, 'answer'],
    ]);
  });

  it('is kept even where a known field has another form', async () => {
    const body = { ...verificationCreationIntent, requirements: 'none', create_time: 17 };
    const { client, reports } = await rig(() => ({ body }));
    expect(await client.verificationCreationIntents.retrieve('v')).toEqual(body);
    expect(reports.map(({ kind, path }) => [kind, path])).toEqual([
      ['unexpected', 'create_time'],
      ['unexpected', 'requirements'],
    ]);
  });

  it('is told of in a request, which is sent all the same', async () => {
    const { client, reports, server } = await rig(() => ({ body: verificationCreationIntent }));
    await client.verificationCreationIntents.create({
      customer_party_ref: 'c',
      requested_capabilities: ['x'],
      origin: 'inherited',
    });
    expect(reports).toMatchObject([{ where: 'request', path: 'origin', kind: 'unknown-value' }]);
    expect(server.heard[0]?.json).toHaveProperty('origin', 'inherited');
  });
});

type Client = Awaited<ReturnType<typeof rig>>['client'];
