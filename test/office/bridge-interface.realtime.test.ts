import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOffice, openPglite, type Office } from '../../src/office/index.ts';
import {
  enrolResponseSchema,
  eventsType,
  headsResponseSchema,
  knownPlaceSchema,
  officePaths,
  officeProtocol,
  officeRefusalSchema,
  placeResponseSchema,
  protocolHeader,
  type Heartbeat,
} from '../../src/contract/office.ts';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/log/log.ts';
import { ended, sale } from '../bridge/journal/sample-events.ts';
import { ShopJournal, chainStart, textOf } from './support/shop.ts';

const administratorKey = 'the-key-of-the-administrator';
const main = { terminal: 'main', simulated: true };
let office: Office;

beforeAll(async () => {
  office = await createOffice({
    database: await openPglite(null),
    port: 0,
    host: '127.0.0.1',
    version: '0.0.0-test',
    administratorKey,
    rendererFolder: null,
    publicOrigin: null,
    clock: systemClock,
    chance: systemChance(systemClock),
    log: silentLog,
  });
});

afterAll(() => office.close());

/** One office for all, each test in a shop of its own. */
function officeFor(shop: string) {
  const [address = ''] = office.addresses;
  const ask = async (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; key?: string } = {},
  ) => {
    const { key, ...rest } = init;
    const headers = { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...rest.headers };
    const response = await fetch(`${address}${path}`, { ...rest, headers });
    return { status: response.status, body: await response.json() };
  };
  const post = (path: string, body: unknown, key?: string) =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      ...(key === undefined ? {} : { key }),
    });
  const makeCode = async () => {
    const made = await post('/office/v1/codes', { shop }, administratorKey);
    return (made.body as { code: string }).code;
  };
  const join = async () => {
    const code = await makeCode();
    const answer = await post(officePaths.enrol, { code, computer: 'till-1', version: '0.1.0' });
    return { code, ...enrolResponseSchema.parse(answer.body) };
  };
  const send = (key: string, text: string, packed = true) =>
    ask(officePaths.events(main), {
      method: 'POST',
      key,
      headers: { 'content-type': eventsType, ...(packed ? { 'content-encoding': 'gzip' } : {}) },
      body: packed ? gzipSync(text) : text,
    });
  return { ask, post, makeCode, join, send };
}

function journalOf(payments: number): ShopJournal {
  const journal = new ShopJournal();
  const at = Date.now();
  for (let i = 0; i < payments; i += 1) {
    const paid = sale({ reference: `R-${i}` });
    journal.add(paid, at + i);
    journal.add(ended(paid, 'approved'), at + i);
  }
  return journal;
}

describe('a bridge and its office', () => {
  test('it joins with a code that works once, and is known by its key from then on', async () => {
    const { join, post, ask } = officeFor('Berlin');
    const { code, key, shop } = await join();
    expect(shop.name).toBe('Berlin');
    const again = await post(officePaths.enrol, { code, computer: 'till-2', version: '0.1.0' });
    expect(again).toMatchObject({ status: 403, body: { error: 'code_unknown' } });
    expect(await ask(officePaths.heads(main), { key })).toEqual({ status: 200, body: { heads: [] } });
    expect(await ask(officePaths.heads(main), { key: `${key}x` })).toMatchObject({
      status: 401,
      body: { error: 'key_unknown' },
    });
    expect(await ask(officePaths.heads(main))).toMatchObject({ status: 401 });
  });

  test('whose answer was lost joins again with its own key, and nobody else does with its code', async () => {
    const { makeCode, post } = officeFor('Bremen');
    const asked = { code: await makeCode(), computer: 'till-1', version: '0.1.0', key: 'k'.repeat(43) };
    const first = enrolResponseSchema.parse((await post(officePaths.enrol, asked)).body);
    expect(first.key).toBe(asked.key);
    expect(await post(officePaths.enrol, asked)).toEqual({ status: 200, body: first });
    const other = await post(officePaths.enrol, { ...asked, key: 'o'.repeat(43) });
    expect(other).toMatchObject({ status: 403, body: { error: 'code_unknown' } });
    await post(`/office/v1/bridges/${first.bridgeId}/revoke`, {}, administratorKey);
    expect(await post(officePaths.enrol, asked)).toMatchObject({ status: 403 });
  });

  test('both say which version of their protocol they speak, and one that is too far off is told what to do', async () => {
    const { join, ask } = officeFor('Ulm');
    const { key } = await join();
    const said = (protocol: string) =>
      ask(officePaths.heads(main), { key, headers: { [protocolHeader]: protocol } });
    expect((await said(String(officeProtocol))).status).toBe(200);
    expect(await said(String(officeProtocol + 1))).toMatchObject({
      status: 426,
      body: { error: 'protocol_unknown', message: expect.stringContaining('Update the office.') },
    });
    expect(await said('0')).toMatchObject({
      status: 426,
      body: { error: 'protocol_unknown', message: expect.stringContaining('Update the bridge.') },
    });
    const [address = ''] = office.addresses;
    const answer = await fetch(`${address}${officePaths.heads(main)}`);
    expect(answer.headers.get(protocolHeader)).toBe(String(officeProtocol));
  });

  test('a refusal that only a newer office has is read by an older bridge as well', () => {
    const refusal = { error: 'of_tomorrow', message: 'Do this and that.', more: 1 };
    expect(officeRefusalSchema.parse(refusal)).toEqual({
      error: 'unavailable',
      message: 'Do this and that.',
    });
  });

  test('a code is read as people write it', async () => {
    const { post, makeCode } = officeFor('Bonn');
    const code = await makeCode();
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`;
    const answer = await post(officePaths.enrol, { code: typed, computer: 'till-1', version: '0.1.0' });
    expect(answer.status).toBe(200);
  });

  test('its journal goes up in batches, and the office says how far it has it', async () => {
    const { join, send, ask, post } = officeFor('Potsdam');
    const { key } = await join();
    const journal = journalOf(10);
    const first = await send(key, journal.batch(null, 0, 8));
    const place = knownPlaceSchema.parse(first.body);
    expect(place).toMatchObject(journal.placeAt(8));
    const rest = await send(key, journal.batch(place.chain, 8), false);
    expect(knownPlaceSchema.parse(rest.body)).toMatchObject(journal.head());
    const heads = headsResponseSchema.parse((await ask(officePaths.heads(main), { key })).body);
    expect(heads.heads).toEqual([{ chain: place.chain, ...journal.head() }]);
    const found = await post(
      officePaths.place(main),
      { points: [journal.placeAt(3), journal.placeAt(1)] },
      key,
    );
    expect(placeResponseSchema.parse(found.body).place).toEqual({
      chain: place.chain,
      ...journal.placeAt(3),
    });
    const none = await post(officePaths.place(main), { points: [{ seq: 3, hash: '0'.repeat(64) }] }, key);
    expect(none.body).toEqual({ place: null });
    const search = await ask('/office/v1/payments?reference=R-7&simulated=true', { key: administratorKey });
    expect(search.body).toMatchObject({
      payments: [{ reference: 'R-7', status: 'approved', shop: 'Potsdam' }],
    });
  });

  const refused: {
    name: string;
    headers?: Record<string, string>;
    body: string;
    status: number;
    error: string;
  }[] = [
    {
      name: 'no gzip',
      headers: { 'content-encoding': 'gzip' },
      body: 'plain',
      status: 400,
      error: 'invalid_request',
    },
    { name: 'no head', body: '{"seq": 1}\n', status: 400, error: 'invalid_request' },
    {
      name: 'another type',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
      status: 400,
      error: 'invalid_request',
    },
    { name: 'no predecessor', body: journalOf(3).batch(null, 2), status: 409, error: 'place_unknown' },
  ];
  test.each(refused)(
    'a batch with $name is refused in its own words',
    async ({ headers, body, status, error }) => {
      const { join, ask } = officeFor('Leipzig');
      const { key } = await join();
      const answer = await ask(officePaths.events(main), {
        method: 'POST',
        key,
        headers: { 'content-type': eventsType, ...headers },
        body,
      });
      expect(answer.status).toBe(status);
      expect(officeRefusalSchema.parse(answer.body).error).toBe(error);
    },
  );

  test('a body that unpacks to more than may be is refused, however small it came', async () => {
    const { join, send } = officeFor('Dresden');
    const { key } = await join();
    const answer = await send(key, ' '.repeat(64 * 1024 * 1024));
    expect(answer).toMatchObject({ status: 413, body: { error: 'body_too_large' } });
  });

  test('an event that was changed is named', async () => {
    const { join, send } = officeFor('Halle');
    const { key } = await join();
    const [first, second, ...rest] = journalOf(3).lines;
    const forged = { ...second, event: { ...second?.event, outcome: 'declined' } };
    const answer = await send(key, textOf({ chain: null, after: chainStart }, [first, forged, ...rest]));
    expect(answer).toMatchObject({ status: 422, body: { error: 'chain_broken', seq: 2 } });
  });

  test('its heartbeat is what the office knows of it, until its key is taken away', async () => {
    const { join, post, ask } = officeFor('Jena');
    const { key, bridgeId } = await join();
    const heartbeat: Heartbeat = {
      version: '0.2.0',
      at: new Date(Date.now() + 3_600_000).toISOString(),
      listener: { listening: true, message: 'Ready.' },
      terminals: [],
    };
    expect(await post(officePaths.heartbeat, heartbeat, key)).toEqual({ status: 200, body: {} });
    const shops = await ask('/office/v1/shops', { key: administratorKey });
    const known = { bridge_id: bridgeId, version: '0.2.0', computer: 'till-1', heartbeat };
    expect(shops.body).toHaveProperty(
      'shops',
      expect.arrayContaining([
        expect.objectContaining({ name: 'Jena', bridges: [expect.objectContaining(known)] }),
      ]),
    );
    const revoked = await post(`/office/v1/bridges/${bridgeId}/revoke`, {}, administratorKey);
    expect(revoked.status).toBe(200);
    expect(await post(officePaths.heartbeat, heartbeat, key)).toMatchObject({ status: 401 });
    expect(await post(`/office/v1/bridges/${bridgeId}/revoke`, {}, administratorKey)).toMatchObject({
      status: 404,
    });
  });

  test('nobody reads without the administrator’s key', async () => {
    const { ask, post, join } = officeFor('Gera');
    const { key } = await join();
    for (const path of [
      '/office/v1/shops',
      '/office/v1/open',
      '/office/v1/payments',
      '/office/v1/decisions',
    ]) {
      expect(await ask(path)).toMatchObject({ status: 401 });
      expect(await ask(path, { key })).toMatchObject({ status: 401 });
    }
    expect(await post('/office/v1/codes', { shop: 'X' }, key)).toMatchObject({ status: 401 });
  });

  test('what is asked wrongly is answered with what is wrong', async () => {
    const { ask, post } = officeFor('Erfurt');
    const key = administratorKey;
    expect(await ask('/office/v1/payments?cardDigits=12', { key })).toMatchObject({
      status: 400,
      body: { message: 'cardDigits: must be the last four digits' },
    });
    // What no index has would be read for in every day.
    const answered = { status: 200 };
    const refused = { status: 400, body: { message: expect.stringMatching(/^from: /) as string } };
    const from = 'from=2026-11-01T00:00:00Z';
    const shop = 'shopId=018f0000-0000-7000-8000-000000000000';
    for (const alone of [
      'status=unknown',
      'currency=EUR',
      'cardDigits=0005',
      'approvalCode=AB12CD',
      'receiptNumber=42',
      'status=unknown&simulated=true&to=2026-11-01T00:00:00Z',
    ]) {
      expect(await ask(`/office/v1/payments?${alone}`, { key })).toMatchObject(refused);
      expect(await ask(`/office/v1/payments?${alone}&${from}`, { key })).toMatchObject(answered);
      expect(await ask(`/office/v1/payments?${alone}&${shop}`, { key })).toMatchObject(answered);
    }
    for (const enough of [
      'cardDigits=0005&approvalCode=AB12CD',
      'amountMinor=1250&status=unknown',
      'limit=5',
    ])
      expect(await ask(`/office/v1/payments?${enough}`, { key })).toMatchObject(answered);
    expect(await post('/office/v1/codes', { shop: ' ' }, key)).toMatchObject({ status: 400 });
    expect(await ask('/nothing', { key })).toMatchObject({ status: 404 });
    expect(await ask('/office/v1/payments/x', { key })).toMatchObject({ status: 404 });
  });
});
