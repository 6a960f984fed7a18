/** Who may see the office's page: links, sessions, roles, other sites' pages, and what the audit log has of them. */
import { afterEach, describe, expect, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { AuditEntry, OpenItems, ShopSummary, VersionView } from '../../../src/contract/office-page.ts';
import type { Heartbeat } from '../../../src/contract/office.ts';
import { ended, inDoubt, record, sale } from '../../bridge/journal/sample-events.ts';
import { invoke } from '../../headless/console/console-browser.ts';
import { onBothEngines } from '../support/databases.ts';
import {
  administratorKey,
  heartbeatOf,
  runningOffice,
  type Browser,
  type RunningOffice,
} from '../support/running-office.ts';
import { ShopJournal, textOf, chainStart } from '../support/shop.ts';

/** The machine's clock, which a test can put on. */
let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const chance = systemChance(clock);
const hourMs = 60 * 60_000;
const running: RunningOffice[] = [];

afterEach(async () => {
  aheadMs = 0;
  await Promise.all(running.splice(0).map((office) => office.close()));
});

function paidJournal(reference = 'R-1') {
  const started = sale({ operationId: chance.uuid(), reference });
  const journal = new ShopJournal();
  journal.add(started, Date.now());
  journal.add(ended(started, 'approved', { result: record({ receiptNumber: '42' }) }), Date.now());
  return { journal, paymentId: started.operationId };
}

/** Without those that the reading of the log itself has made. */
const acts = async (browser: Browser) => {
  const { entries } = (await browser.get('/office/v1/audit')).json() as { entries: AuditEntry[] };
  return entries
    .filter(({ act }) => act !== 'audit_read')
    .map(({ person, act, about }) => ({ person, act, about }));
};

onBothEngines((on) => {
  const start = async (parts: Partial<Parameters<typeof runningOffice>[1]> = {}) => {
    const office = await runningOffice(on.database(), { clock, chance, ...parts });
    running.push(office);
    return office;
  };

  describe('a link', () => {
    test('has a name that the office answers to, also where it listens at every address', async () => {
      const office = await start({ host: '0.0.0.0' });
      expect(await office.makeLink()).toMatch(new RegExp(`^${office.origin}/#link=`));
    });

    test('lets one browser in, once, and its cookie is none that a script or another site gets', async () => {
      const office = await start();
      const link = await office.makeLink();
      expect(link).toMatch(new RegExp(`^${office.origin}/#link=[\\w-]{43}$`));
      const entered = await office.enter(link);
      expect(entered.status).toBe(200);
      expect(entered.json()).toMatchObject({ name: 'administrator', role: 'administrator', by: 'link' });
      const cookie = entered.headers['set-cookie']?.[0] ?? '';
      expect(cookie).toMatch(
        /^tillbridge-office=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
      );
      const again = await office.enter(link);
      expect([again.status, again.json()]).toMatchObject([401, { error: 'link_used' }]);
      expect((await office.enter(`${office.origin}/#link=nothing`)).json()).toMatchObject({
        error: 'link_unknown',
      });
      const [pair = ''] = cookie.split(';');
      const browser = office.browserWith(pair);
      expect((await browser.get('/office/v1/session')).status).toBe(200);
      // Neither the link nor the session is in the database in a form that lets anybody in.
      const token = pair.split('=')[1] ?? '';
      const dump = await on.database().query('SELECT * FROM sessions, sign_in_links');
      expect(JSON.stringify(dump)).not.toContain(token);
    });

    test('of two that open it at the same moment one gets in', async () => {
      const office = await start();
      const link = await office.makeLink();
      const answers = await Promise.all([office.enter(link), office.enter(link), office.enter(link)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    test('is of no use after an hour; a session ends after twelve, and when somebody signs out', async () => {
      const office = await start();
      const old = await office.makeLink();
      const support = await office.signIn('support');
      aheadMs = hourMs + 1_000;
      expect((await office.enter(old)).status).toBe(401);
      expect((await support.get('/office/v1/session')).status).toBe(200);
      aheadMs = 12 * hourMs + 1_000;
      expect((await support.get('/office/v1/session')).json()).toMatchObject({ error: 'no_session' });

      const other = await office.signIn('support');
      const left = await other.post('/office/v1/sign-out');
      expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0');
      expect((await other.get('/office/v1/overview')).status).toBe(401);
    });

    test('is made by the administrator only, and its cookie is secure behind a proxy with TLS', async () => {
      const office = await start({ publicOrigin: 'https://office.example' });
      const manager = await office.signIn('manager');
      const made = await invoke(office.port, '/office/v1/links', {
        method: 'POST',
        host: 'office.example',
        body: '{}',
        headers: {
          cookie: manager.cookie,
          origin: 'https://office.example',
          'content-type': 'application/json',
        },
      });
      expect([made.status, made.json()]).toMatchObject([403, { error: 'not_allowed' }]);
      const link = await office.linkFor('Ada', 'support');
      expect(link).toMatch(/^https:\/\/office\.example\/#link=/);
      expect((await office.enter(link)).headers['set-cookie']?.[0]).toMatch(/; Secure$/);
    });
  });

  test('each role may do what it is for, and no more', async () => {
    const office = await start();
    const { bridgeId } = await office.join('Berlin');
    const [support, manager, administrator] = [
      await office.signIn('support'),
      await office.signIn('manager'),
      await office.signIn('administrator'),
    ];
    const unknown = '018f0000-0000-7000-8000-000000000000';
    const tries = async (browser: Browser) => ({
      overview: (await browser.get('/office/v1/overview')).status,
      search: (await browser.get('/office/v1/payments?reference=R-1')).status,
      audit: (await browser.get('/office/v1/audit')).status,
      code: (await browser.post('/office/v1/codes', { shop: 'Paris' })).status,
      acknowledge: (
        await browser.post(`/office/v1/findings/${unknown}/acknowledge`, { by: 'Ada', reason: 'known' })
      ).status,
      revoke: (await browser.post(`/office/v1/bridges/${bridgeId}/revoke`)).status,
      // Whom it would be sent to is none of the receivers.
      tryAlarm: (await browser.post('/office/v1/alarms/test', { receiver: 'nobody' })).status,
    });
    const reads = { overview: 200, search: 200 };
    expect(await tries(support)).toEqual({
      ...reads,
      audit: 403,
      code: 403,
      acknowledge: 403,
      revoke: 403,
      tryAlarm: 403,
    });
    expect(await tries(manager)).toEqual({
      ...reads,
      audit: 200,
      code: 200,
      acknowledge: 404,
      revoke: 403,
      tryAlarm: 403,
    });
    expect(await tries(administrator)).toEqual({
      ...reads,
      audit: 200,
      code: 200,
      acknowledge: 404,
      revoke: 200,
      tryAlarm: 404,
    });
  });

  /** An office with an administrator in a browser, and what its requests are answered with. */
  async function signedInPage() {
    const office = await start();
    const { cookie } = await office.signIn('administrator');
    const { port, origin } = office;
    const status = async (path: string, headers: Record<string, string>, asking = {}) =>
      (await invoke(port, path, { headers: { cookie, ...headers }, ...asking })).status;
    return { port, origin, status };
  }

  test('a page of another site gets nothing, whatever it sends', async () => {
    const { port, origin, status } = await signedInPage();
    const path = '/office/v1/overview';
    expect(await status(path, { origin })).toBe(200);
    expect(await status(path, { origin: 'http://evil.example' })).toBe(403);
    expect(await status(path, { origin: 'null' })).toBe(403);
    expect(await status(path, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    // Another port of this machine is another program.
    expect(await status(path, { 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await status(path, { origin }, { host: `evil.example:${port}` })).toBe(421);
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(await status(path, followed)).toBe(403);
    // The page may be opened from a mail; here it is not built.
    expect(await status('/', followed)).toBe(404);
    // A form of another site can post this type unasked.
    const posted = { method: 'POST', body: '{"shop":"Paris"}' };
    expect(await status('/office/v1/codes', { 'content-type': 'text/plain' }, posted)).toBe(400);
    // Nobody else's cookie, and no key that is not the administrator's.
    expect(await status(path, { cookie: 'tillbridge-office=guessed' })).toBe(401);
    expect(await status(path, { authorization: 'Bearer guessed' })).toBe(401);
    expect(await status(path, { cookie: '', authorization: `Bearer ${administratorKey}` })).toBe(200);
  });

  test('a header that says who asks in another way than by a key opens no way past that', async () => {
    const { port, origin, status } = await signedInPage();
    const path = '/office/v1/overview';
    const posted = { method: 'POST', body: '{"shop":"Paris"}' };
    for (const authorization of ['Basic b3RoZXI6c2l0ZQ==', 'Bearer ', '']) {
      expect(await status(path, { authorization, origin })).toBe(200);
      expect(await status(path, { authorization, origin: 'http://evil.example' })).toBe(403);
      expect(await status(path, { authorization, 'sec-fetch-site': 'same-site' })).toBe(403);
      expect(await status(path, { authorization }, { host: `evil.example:${port}` })).toBe(421);
      const asText = { authorization, 'content-type': 'text/plain' };
      expect(await status('/office/v1/codes', asText, posted)).toBe(400);
    }
    // Beside a key the cookie is not read, and its session does not end.
    expect(await status(path, { authorization: 'Bearer guessed' })).toBe(401);
    const byKey = { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' };
    expect(await status('/office/v1/sign-out', byKey, { method: 'POST', body: '{}' })).toBe(200);
    expect(await status(path, { origin })).toBe(200);
  });

  test('a page that is not built says how it is', async () => {
    const office = await start();
    const answer = await office.ask('/');
    expect(answer.text).toBe('The office’s page is not built. "npm run build" makes it.\n');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await office.ask('/office.html')).status).toBe(404);
    expect((await office.ask('/assets/../office.html')).status).toBe(404);
  });

  describe('the audit log', () => {
    test('has every search and every reading of a payment, with who and what, before the answer', async () => {
      const office = await start();
      const berlin = await office.join('Berlin');
      const { journal, paymentId } = paidJournal();
      expect((await berlin.send(journal)).status).toBe(200);
      const ada = await office.signIn('support', 'Ada');
      const manager = await office.signIn('manager', 'Grace');
      const found = (await ada.get('/office/v1/payments?reference=R-1')).json();
      expect(found).toMatchObject({ payments: [{ payment_id: paymentId }] });
      expect((await ada.get(`/office/v1/payments/${paymentId}`)).status).toBe(200);
      // Somebody took the number of a card for a reference.
      await ada.get('/office/v1/payments?reference=4111111111111111');
      const log = await acts(manager);
      expect(log.slice(0, 3)).toMatchObject([
        { person: 'Ada', act: 'searched', about: { reference: expect.not.stringContaining('411111111111') } },
        {
          person: 'Ada',
          act: 'payment_read',
          about: { paymentId, shop: 'Berlin', reference: 'R-1' },
        },
        { person: 'Ada', act: 'searched', about: { reference: 'R-1', simulated: false } },
      ]);
      expect(JSON.stringify(log)).not.toContain('4111111111111111');
      const first = (await manager.get('/office/v1/audit?limit=3')).json() as { entries: AuditEntry[] };
      expect(first.entries.map(({ act }) => act)).toEqual(['audit_read', 'audit_read', 'searched']);
      const older = await manager.get(`/office/v1/audit?before=${first.entries[2]?.entry}&limit=2`);
      expect((older.json() as { entries: AuditEntry[] }).entries.map(({ act }) => act)).toEqual([
        'payment_read',
        'searched',
      ]);
    });

    test('has every act in the same transaction: none without its entry, no entry without the act', async () => {
      const office = await start();
      const berlin = await office.join('Berlin');
      const { journal } = paidJournal();
      const lines = journal.lines.map((line) =>
        line.seq === 2 ? { ...line, event: { ...line.event, reason: 'changed' } } : line,
      );
      const broken = new ShopJournal();
      broken.batch = () => textOf({ chain: null, after: chainStart }, lines);
      expect((await berlin.send(broken)).status).toBe(422);
      const manager = await office.signIn('manager', 'Grace');
      const administrator = await office.signIn('administrator', 'Root');
      const { findings } = (await manager.get('/office/v1/open')).json() as OpenItems;
      const [finding] = findings;
      const path = `/office/v1/findings/${finding?.finding_id}/acknowledge`;
      expect((await manager.post(path, { reason: 'A new disk.' })).status).toBe(400);
      expect((await manager.post(path, { by: 'Grace H.', reason: '  ' })).status).toBe(400);
      expect((await manager.post(path, { by: 'Grace H.', reason: 'A new disk.' })).status).toBe(200);
      expect((await manager.post(path, { by: 'Grace H.', reason: 'Again.' })).status).toBe(404);
      expect(((await manager.get('/office/v1/open')).json() as OpenItems).findings).toEqual([]);
      await manager.post('/office/v1/codes', { shop: 'Paris' });
      await administrator.post(`/office/v1/bridges/${berlin.bridgeId}/revoke`);
      await administrator.post(`/office/v1/bridges/${berlin.bridgeId}/revoke`);
      expect((await acts(manager)).slice(0, 3)).toMatchObject([
        { person: 'Root', act: 'bridge_revoked', about: { bridgeId: berlin.bridgeId } },
        { person: 'Grace', act: 'code_made', about: { shop: 'Paris' } },
        {
          person: 'Grace',
          act: 'finding_acknowledged',
          about: { kind: 'chain_broken', by: 'Grace H.', reason: 'A new disk.' },
        },
      ]);
      // Where nothing can be written into the log, nothing is done.
      await on.database().run('ALTER TABLE audit RENAME TO audit_away');
      expect((await manager.post('/office/v1/codes', { shop: 'Rome' })).status).toBe(503);
      expect((await manager.get('/office/v1/payments?reference=R-1')).status).toBe(503);
      await on.database().run('ALTER TABLE audit_away RENAME TO audit');
      const { shops } = (await manager.get('/office/v1/overview')).json() as { shops: ShopSummary[] };
      expect(shops.map(({ name }) => name).toSorted()).toEqual(['Berlin', 'Paris']);
    });
  });

  test('the overview has the worst first, each with since when and how many', async () => {
    const office = await start();
    const names = ['Ready', 'Old', 'Not ready', 'Silent', 'Disk', 'Doubt'];
    const bridges = new Map<string, Awaited<ReturnType<typeof office.join>>>();
    for (const name of names) bridges.set(name, await office.join(name, name === 'Old' ? '1.9.0' : '2.0.0'));
    await office.post(
      '/office/v1/codes',
      { shop: 'Waiting' },
      { authorization: `Bearer ${administratorKey}` },
    );
    const started = sale({ operationId: chance.uuid() });
    const journal = new ShopJournal();
    journal.add(started, Date.now());
    journal.add(inDoubt(started), Date.now());
    await bridges.get('Doubt')?.send(journal);
    aheadMs = 4 * 60_000;
    await bridges.get('Ready')?.heartbeat(heartbeatOf());
    await bridges.get('Old')?.heartbeat(heartbeatOf({}, '1.9.0'));
    await bridges.get('Not ready')?.heartbeat(heartbeatOf({ ready: false }));
    await bridges.get('Disk')?.heartbeat(heartbeatOf({ journalWritable: false }));
    await bridges.get('Doubt')?.heartbeat(heartbeatOf({ inDoubt: 1 }));
    const support = await office.signIn('support');
    const { shops } = (await support.get('/office/v1/overview')).json() as { shops: ShopSummary[] };
    expect(shops.map(({ name, state }) => [name, state])).toEqual([
      ['Doubt', 'in_doubt'],
      ['Disk', 'journal_trouble'],
      ['Silent', 'silent'],
      ['Not ready', 'not_ready'],
      ['Old', 'old_version'],
      ['Ready', 'ready'],
      ['Waiting', 'not_joined'],
    ]);
    expect(shops[0]).toMatchObject({ inDoubt: 1, discrepancies: 0, findings: 0, bridges: 1 });
    expect(shops[0]?.since).toBe(journal.lines[1]?.at);
    // After a notice only what it names is asked for.
    const some = async (query: string) => {
      const answer = await support.get(`/office/v1/overview?shops=${query}`);
      return answer.status === 200
        ? (answer.json() as { shops: ShopSummary[] }).shops
        : (answer.json() as { error: string }).error;
    };
    expect(await some(`${shops[5]?.shopId},${shops[0]?.shopId}`)).toEqual([shops[0], shops[5]]);
    expect(await some(chance.uuid())).toEqual([]);
    expect(await some('Doubt')).toBe('invalid_request');
    const { versions } = (await support.get('/office/v1/versions')).json() as { versions: VersionView[] };
    expect(versions).toEqual([
      { version: '2.0.0', bridges: 5, shops: 5, heard: 4, isOld: false },
      { version: '1.9.0', bridges: 1, shops: 1, heard: 1, isOld: true },
    ]);
    const doubt = shops[0]?.shopId;
    expect((await support.get(`/office/v1/shops/${doubt}`)).json()).toMatchObject({
      name: 'Doubt',
      bridges: [{ computer: 'till of Doubt' }],
    });
  });

  test('a shop is not ready where a bridge does not run, or does not listen', async () => {
    const office = await start();
    const off = { listening: false, message: 'It does not listen, so no till can call.' };
    const stopped = { listener: { ...off, message: 'The bridge does not run.' }, terminals: [] };
    const heard = async (shop: string, part: Partial<Heartbeat>, terminal = {}) => {
      const bridge = await office.join(shop);
      await bridge.heartbeat({ ...heartbeatOf(terminal), ...part });
      return bridge;
    };
    await (await heard('Stopped', stopped)).send(paidJournal().journal);
    await heard('Stopped before its first payment', stopped);
    await heard('Not listening', { listener: off });
    await heard('Without terminals', { terminals: [] });
    await (await heard('Trial', stopped)).send(paidJournal().journal, true);
    await heard('Trial, not listening', { listener: off }, { simulated: true });
    // Beside a real terminal nobody needs the simulated one of another bridge.
    await heard('Ready', {});
    await heard('Ready', { listener: off }, { simulated: true });
    const support = await office.signIn('support');
    const { shops } = (await support.get('/office/v1/overview')).json() as { shops: ShopSummary[] };
    expect(shops.map(({ name, state, simulated }) => [name, state, simulated])).toEqual([
      ['Not listening', 'not_ready', false],
      ['Stopped', 'not_ready', false],
      ['Stopped before its first payment', 'not_ready', false],
      ['Without terminals', 'not_ready', false],
      ['Ready', 'ready', false],
      ['Trial', 'not_ready', true],
      ['Trial, not listening', 'not_ready', true],
    ]);
  });

  test('simulated terminals count in the overview where a shop has no others, and trials stand behind', async () => {
    const office = await start();
    const doubtful = () => {
      const started = sale({ operationId: chance.uuid() });
      const journal = new ShopJournal();
      journal.add(started, Date.now());
      journal.add(inDoubt(started), Date.now());
      return journal;
    };
    // A real shop in which somebody has tried something out.
    const real = await office.join('Real');
    await real.send(doubtful(), true);
    await real.send(paidJournal().journal);
    await real.heartbeat(heartbeatOf());
    // One that has had a real terminal, and only a simulated one now.
    const away = await office.join('Away');
    await away.send(paidJournal().journal);
    await away.send(doubtful(), true);
    await away.heartbeat(heartbeatOf({ simulated: true }));
    const trial = await office.join('Trial');
    await trial.send(doubtful(), true);
    await trial.heartbeat(heartbeatOf({ simulated: true, ready: false }));
    const begun = await office.join('Begun');
    await begun.heartbeat(heartbeatOf({ simulated: true }));
    const silent = await office.join('Not heard yet');
    await silent.send(doubtful(), true);
    const support = await office.signIn('support');
    const { shops } = (await support.get('/office/v1/overview')).json() as { shops: ShopSummary[] };
    expect(
      shops.map(({ name, state, simulated, inDoubt: doubts }) => [name, state, simulated, doubts]),
    ).toEqual([
      ['Away', 'not_ready', false, 0],
      ['Real', 'ready', false, 0],
      ['Trial', 'in_doubt', true, 1],
      ['Not heard yet', 'in_doubt', true, 1],
      ['Begun', 'ready', true, 0],
    ]);
    // What is open says of each whether it is simulated.
    const open = (await support.get('/office/v1/open')).json() as OpenItems;
    expect(open.doubts.map(({ simulated }) => simulated)).toEqual([true, true, true, true]);
  });

  describe('what changes', () => {
    test('is told to the pages: what came in, a code, a heartbeat that says otherwise; not one that says the same', async () => {
      const office = await start();
      const berlin = await office.join('Berlin');
      const support = await office.signIn('support');
      const changes = await office.changes(support);
      /** Everything that is told until this shop is; what happens in a short time is told together, or not. */
      const toldUntil = async (shop: string) => {
        const told: string[] = [];
        while (!told.includes(shop)) {
          const change = (await changes.next()) as { shops: string[] } | null;
          if (change === null) throw new Error('The stream has ended.');
          told.push(...change.shops);
        }
        return told;
      };
      const { id } = berlin.shop;
      await berlin.heartbeat(heartbeatOf());
      const vienna = await office.join('Wien');
      expect(await toldUntil(vienna.shop.id)).toContain(id);
      await berlin.heartbeat(heartbeatOf());
      const paris = await office.join('Paris');
      expect(await toldUntil(paris.shop.id)).not.toContain(id);
      await berlin.send(paidJournal().journal);
      await toldUntil(id);
      await berlin.heartbeat(heartbeatOf({ ready: false }));
      await toldUntil(id);
      await paris.heartbeat(heartbeatOf());
      await toldUntil(paris.shop.id);
      changes.end();
    });

    test('ends for whoever is not signed in, and when the office closes', async () => {
      const office = await start();
      const nobody = await office.ask('/office/v1/changes');
      expect(nobody.status).toBe(401);
      const changes = await office.changes(await office.signIn('support'));
      await office.close();
      running.splice(0);
      expect(await changes.next()).toBeNull();
    });
  });

  describe('two processes', () => {
    test('share sessions, links and what changes', async () => {
      // Only one process may use a folder of PGlite.
      if (on.server === null) return;
      const [one, other] = [await start(), await runningOffice(on.second(), { clock, chance })];
      running.push(other);
      const link = await one.makeLink();
      expect((await other.enter(link)).status).toBe(200);
      expect((await one.enter(link)).status).toBe(401);
      const support = await one.signIn('support');
      const there = other.browserWith(support.cookie);
      expect((await there.get('/office/v1/session')).status).toBe(200);
      const changes = await other.changes(there);
      const berlin = await one.join('Berlin');
      await berlin.send(paidJournal().journal);
      expect(await changes.next()).toEqual({ shops: [berlin.shop.id] });
      await support.post('/office/v1/sign-out');
      expect((await there.get('/office/v1/session')).status).toBe(401);
      changes.end();
    });

    test('tell that anything may have changed when the database was away', async () => {
      // A database within the process is never away.
      if (on.server === null) return;
      const office = await start();
      const berlin = await office.join('Berlin');
      const changes = await office.changes(await office.signIn('support'));
      await berlin.heartbeat(heartbeatOf());
      expect(await changes.next()).toEqual({ shops: [berlin.shop.id] });
      await on.server.restart();
      expect(await changes.next()).toEqual({ shops: null });
      changes.end();
    });
  });
});
