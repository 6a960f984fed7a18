/** Saving settings in the console: what it stores, when the bridge starts anew, and what is refused. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../src/bridge/bridge.ts';
import type { HostOptions, SecretBox } from '../../src/host/index.ts';
import { afterThisTest, isReady, newFolder, newHost, readyHost, type HostKit } from './host-kit.ts';

function stored(kit: HostKit): Record<string, unknown> {
  return JSON.parse(readFileSync(join(kit.folder, 'settings.json'), 'utf8')) as Record<string, unknown>;
}

/** The bridges that the host has announced since. */
function bridges(kit: HostKit): (Bridge | null)[] {
  const told: (Bridge | null)[] = [];
  kit.host.onBridge((bridge) => told.push(bridge));
  return told;
}

/** A port that another program has. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void other.close());
  const address = other.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A key store that seals by turning the text around, and opens once `ready` says so. */
function keyStore(ready: () => Promise<void> = () => Promise.resolve()) {
  const seen: string[] = [];
  const turned = (text: string) => text.split('').toReversed().join('');
  const secrets: SecretBox = {
    kind: 'system',
    seal: (secret) => Promise.resolve(`sealed(${turned(secret)})`),
    async open(sealed) {
      seen.push(sealed);
      await ready();
      return turned(sealed.slice('sealed('.length, -1));
    },
  };
  return { seen, secrets };
}

/** Settings of a KPay terminal, which cannot be reached without its secret. */
/** A data folder with this settings file. */
function folderWith(content: unknown): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(content));
  return folder;
}

/** Of a KPay terminal, but for its secret. */
const kpay = { protocol: 'kpay', currency: 'HKD', kpay: { appId: 'shop' } };

function folderWithKPay(): string {
  return folderWith({
    terminal: 'http:127.0.0.1:9',
    ...kpay,
    updates: { feed: 'https://updates.example/' },
    sealed: { 'kpay.appSecret': 'sealed(terces-eht)' },
  });
}

describe('saved settings', () => {
  it('start the bridge anew when it reads them at its start', async () => {
    const kit = await readyHost();
    const told = bridges(kit);
    const before = kit.host.bridge;
    await kit.save(({ bridge }) => (bridge.currency = 'CHF'));
    expect(told).toEqual([null, kit.host.bridge]);
    expect(kit.host.bridge).not.toBe(before);
    expect(kit.host.bridge).not.toBe(null);
    await kit.change(
      (change) => change.kind === 'settings' && change.view.settings.bridge.currency === 'CHF',
      'it',
    );
    await kit.state(({ currency }) => currency === 'CHF', 'the new currency');
  });

  it('allow tips from the next bridge on, up to the bound and not beyond it', async () => {
    const kit = await readyHost({ flags: { pace: '0' } });
    const before = kit.host.bridge;
    await kit.save(({ bridge }) => (bridge.maxTipPercent = 12.5));
    expect(kit.host.bridge).not.toBe(before);
    await isReady(kit);
    expect(kit.host.running?.configuration.maxTipPercent).toBe(12.5);
    await kit.till().create('12.00', 'A-1', 10);
    const facts = kit.host.bridge?.payments.eventsAfter(0, 100) ?? [];
    expect(facts.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'operation_started', amountMinor: 1_200, maxAmountMinor: 1_350 }),
    );
    const { settings } = await kit.invoke('settings', {});
    settings.bridge.maxTipPercent = 101;
    expect(await kit.refusal('saveSettings', settings)).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'bridge.maxTipPercent' }],
    });
  });

  it('leave the bridge alone otherwise, and are in force all the same', async () => {
    const kit = await readyHost();
    const before = kit.host.bridge;
    await kit.save(({ app, bridge }) => {
      app.language = 'de';
      bridge.allowedOrigins = ['https://pos.example'];
    });
    expect(kit.host.bridge).toBe(before);
    expect(kit.host.appSettings().language).toBe('de');
    const headers = { origin: 'https://pos.example' };
    expect(
      (await kit.till().post('/QueryPayment', { retrieval_reference_number: 'A' }, headers)).status,
    ).toBe(404);
    await kit.save(({ bridge }) => (bridge.allowedOrigins = []));
    expect(
      (await kit.till().post('/QueryPayment', { retrieval_reference_number: 'A' }, headers)).status,
    ).toBe(403);
  });

  it('store only what was changed', async () => {
    const kit = await readyHost();
    await kit.save(({ bridge }) => (bridge.serial.baudRate = 115_200));
    const { app: _app, ...rest } = stored(kit);
    expect(rest).toEqual({ sealed: {}, serial: { baudRate: 115_200 } });
  });

  it('show the serial line that is usual for the protocol, and keep only what differs from it', async () => {
    const kit = await readyHost();
    const usual = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;
    const shown = async () => (await kit.invoke('settings', {})).settings.bridge.serial;
    expect(await shown()).toEqual({ ...usual, baudRate: 9_600, stopBits: 2 });
    await kit.save(({ bridge }) =>
      Object.assign(bridge, { protocol: 'transbank', currency: 'CLP', serial: usual }),
    );
    expect(stored(kit)).not.toHaveProperty('serial');
    expect(await shown()).toEqual(usual);
    // The speed of before, which its owner has left as it is: it is what the terminal has.
    await kit.save(({ bridge }) => Object.assign(bridge, { protocol: 'zvt', serial: usual }));
    expect(stored(kit)).toMatchObject({ serial: { baudRate: 115_200, stopBits: 1 } });
    expect(await shown()).toEqual(usual);
  });

  it('are refused while an operation is under way, if they need another bridge', async () => {
    const kit = await readyHost({ flags: { pace: '1' } });
    await kit.till().create('12.07', 'A-7');
    await kit.state(({ currentOperation }) => currentOperation !== null, 'the payment');
    const { settings } = await kit.invoke('settings', {});
    const busy = { ...settings, bridge: { ...settings.bridge, currency: 'CHF' as const } };
    expect(await kit.refusal('saveSettings', busy)).toMatchObject({ code: 'terminal_busy' });
    expect((await kit.invoke('settings', {})).settings.bridge.currency).toBe('EUR');
    await kit.save(({ app }) => (app.theme = 'light'));
    expect(await kit.invoke('cancelPayment', { reference: 'A-7' })).toMatchObject({
      payment: { reference: 'A-7', status: 'cancelled' },
    });
    await isReady(kit);
    await kit.invoke('saveSettings', busy);
  });

  it('cannot change what a flag or the environment has fixed', async () => {
    const kit = await readyHost({ environment: { TILLBRIDGE_CURRENCY: 'CHF' } });
    const { fixed, settings } = await kit.invoke('settings', {});
    expect(fixed).toEqual(
      expect.arrayContaining([
        { key: 'terminal', by: '--terminal' },
        { key: 'currency', by: 'TILLBRIDGE_CURRENCY' },
      ]),
    );
    expect(settings.bridge.currency).toBe('CHF');
    settings.bridge.currency = 'EUR';
    expect(await kit.refusal('saveSettings', settings)).toMatchObject({
      code: 'settings_fixed',
      issues: [{ path: 'bridge.currency' }],
    });
  });

  it('of lower precedence than a flag do not count', async () => {
    const folder = folderWith({ currency: 'USD', makeReferences: true });
    const kit = newHost({ folder, flags: { terminal: 'simulator', currency: 'CHF' } });
    await kit.host.start();
    const { settings } = await kit.invoke('settings', {});
    expect(settings.bridge).toMatchObject({ currency: 'CHF', makeReferences: true });
  });

  it('keep the password sealed and never send it to the window', async () => {
    const { seen, secrets } = keyStore();
    const kit = await readyHost({ host: { secrets } });
    expect(await kit.invoke('settings', {})).toMatchObject({ secretsSet: [], secrets: 'system' });
    await kit.save(({ bridge }) => (bridge.zvt.password = '135790'));
    const text = readFileSync(join(kit.folder, 'settings.json'), 'utf8');
    expect(text).not.toContain('135790');
    expect(text).toContain('sealed(097531)');
    expect(kit.host.running?.configuration.zvt.password).toBe('135790');
    const view = await kit.invoke('settings', {});
    expect(view).toMatchObject({
      secretsSet: ['zvt.password'],
      settings: { bridge: { zvt: { password: null } } },
    });
    expect(JSON.stringify(kit.changes)).not.toContain('135790');
    // Saved again without a new one, it stays.
    await kit.save(({ bridge }) => (bridge.makeReferences = true));
    expect(kit.host.running?.configuration.zvt.password).toBe('135790');
    // Nobody needs to open what was just sealed, and nothing asks a key store that holds nothing.
    expect(seen).toEqual([]);
    await kit.host.stop();
    const next = await readyHost({ folder: kit.folder, host: { secrets } });
    expect(next.host.running?.configuration.zvt.password).toBe('135790');
    expect(seen).toEqual(['sealed(097531)']);
  });

  it('start the bridge with its line closed while the key store waits for a person', async () => {
    const folder = folderWith({ terminal: 'simulator', sealed: { 'zvt.password': 'sealed(097531)' } });
    const unlocked = Promise.withResolvers<void>();
    const { secrets } = keyStore(() => unlocked.promise);
    const kit = newHost({ folder, host: { secrets } });
    expect(await kit.host.start()).toMatchObject({ kind: 'running' });
    await kit.clock.until(() => kit.host.state().terminal?.connection === 'lost', 'a closed line');
    expect(kit.host.state()).toMatchObject({
      listener: { kind: 'on' },
      terminal: { text: expect.stringContaining('key store') as string },
    });
    // The end of a sleep opens other lines, not this one.
    await kit.host.suspend();
    kit.host.resume();
    expect(kit.host.state().terminal?.connection).toBe('lost');
    const before = kit.host.bridge;
    unlocked.resolve();
    await kit.clock.until(() => kit.host.bridge !== null && kit.host.bridge !== before, 'another bridge');
    expect(kit.host.running?.configuration.zvt.password).toBe('135790');
    await kit.clock.until(() => kit.host.state().terminal?.connection !== 'lost', 'an open line');
  });

  it('start the bridge once the key store has given a secret without which it cannot start', async () => {
    const folder = folderWithKPay();
    const unlocked = Promise.withResolvers<void>();
    const { secrets } = keyStore(() => unlocked.promise);
    const feeds: (string | null)[] = [];
    const onUpdateSettings: HostOptions['onUpdateSettings'] = ({ feed }) => feeds.push(feed);
    const kit = newHost({ folder, host: { secrets, onUpdateSettings } });
    // Nothing goes to a terminal.
    await kit.host.suspend();
    await kit.host.start();
    expect(kit.host.state()).toMatchObject({
      bridge: { kind: 'failed', text: expect.stringContaining('key store') as string },
      listener: { kind: 'off' },
    });
    await kit.clock.advance(3_600_000);
    expect(kit.host.bridge).toBe(null);
    unlocked.resolve();
    await kit.state(({ bridge }) => bridge.kind === 'running', 'the start');
    expect(kit.host.state().listener.kind).toBe('on');
    expect(kit.host.running?.configuration.kpay.appSecret).toBe('the-secret');
    // Until then a window was shown no settings at all.
    await kit.change(
      (change) => change.kind === 'settings' && change.view.secretsSet.includes('kpay.appSecret'),
      'the settings',
    );
    expect(feeds.at(-1)).toBe('https://updates.example/');
  });

  it('count from the start on, also where the bridge cannot start without a secret', async () => {
    const { secrets } = keyStore();
    const feeds: (string | null)[] = [];
    const onUpdateSettings: HostOptions['onUpdateSettings'] = ({ feed }) => feeds.push(feed);
    const kit = newHost({ folder: folderWithKPay(), host: { secrets, onUpdateSettings } });
    await kit.host.suspend();
    expect(await kit.host.start()).toMatchObject({ kind: 'running' });
    expect(feeds).toEqual(['https://updates.example/']);
  });

  it('keep a secret that cannot be opened here from being used, and say so', async () => {
    const kit = newHost({
      folder: folderWith({ terminal: 'simulator', sealed: { 'zvt.password': 'other' } }),
    });
    expect(await kit.host.start()).toMatchObject({
      kind: 'running',
      warnings: [expect.stringContaining('zvt.password')],
    });
    const text = 'The stored secret "zvt.password" cannot be opened here. Enter it again.';
    expect(await kit.invoke('settings', {})).toMatchObject({ secretsSet: [], warnings: [text] });

    await kit.save(({ bridge }) => (bridge.zvt.password = '135790'));
    expect(await kit.invoke('settings', {})).toMatchObject({ secretsSet: ['zvt.password'], warnings: [] });
  });

  it('say nothing in the window of such a secret that no terminal uses', async () => {
    const unused = newHost({
      folder: folderWith({ terminal: 'simulator', sealed: { 'kpay.appSecret': 'other' } }),
    });
    await unused.host.start();
    expect(await unused.invoke('settings', {})).toMatchObject({ warnings: [] });

    const given = newHost({
      folder: folderWith({ terminal: 'simulator', sealed: { 'zvt.password': 'other' } }),
      environment: { TILLBRIDGE_ZVT_PASSWORD: '135790' },
    });
    await given.host.start();
    expect(await given.invoke('settings', {})).toMatchObject({
      secretsSet: ['zvt.password'],
      warnings: [],
    });
  });

  it.each([
    ['the main terminal', { terminal: 'http:127.0.0.1:9', ...kpay }],
    [
      'another one',
      { terminal: 'tcp:127.0.0.1:9', terminals: { bar: { terminal: 'http:127.0.0.1:9', ...kpay } } },
    ],
  ])('say it in the window also when %s cannot start without the secret', async (_which, content) => {
    const folder = folderWith({ ...content, sealed: { 'kpay.appSecret': 'other' } });
    const kit = newHost({ folder });
    expect(await kit.host.start()).toMatchObject({ kind: 'failed' });
    const { warnings } = await kit.invoke('settings', {});
    expect(warnings).toEqual([expect.stringContaining('kpay.appSecret')]);
  });

  it('set a damaged file aside and say so', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'settings.json'), '{"terminal": "simul');
    const kit = newHost({ folder });
    const started = await kit.host.start();
    expect(started.kind).toBe('first_start');
    const aside = readdirSync(folder).find((name) => name.startsWith('settings-damaged-')) ?? 'none';
    expect(started.warnings).toEqual([expect.stringContaining(aside)]);
    expect(readFileSync(join(folder, aside), 'utf8')).toBe('{"terminal": "simul');
    await kit.save(({ bridge }) => (bridge.terminal = 'simulator'));
    expect(stored(kit)).toMatchObject({ terminal: 'simulator' });
  });

  it('leave out single values that are wrong, and say which', async () => {
    const folder = folderWith({
      terminal: 'simulator',
      currency: 'XXX',
      colour: 'red',
      dataDir: '/',
      app: { theme: 'pink' },
    });
    const kit = newHost({ folder });
    const started = await kit.host.start();
    expect(started.kind).toBe('running');
    const warnings = started.warnings.join('\n');
    for (const name of ['"currency"', '"colour"', '"dataDir"', '"app.theme"'])
      expect(warnings).toContain(name);
    expect(kit.host.running?.configuration).toMatchObject({ currency: 'EUR', dataDir: folder });
  });

  it('are refused when they cannot be stored', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'settings.json'));
    const kit = newHost({ folder, flags: { terminal: 'simulator' } });
    const started = await kit.host.start();
    expect(started.warnings.join()).toContain('settings.json');
    const { settings } = await kit.invoke('settings', {});
    settings.app.theme = 'dark';
    expect(await kit.refusal('saveSettings', settings)).toMatchObject({ code: 'settings_not_saved' });
    expect(kit.host.appSettings().theme).toBe('system');
  });

  it('that are wrong are refused with the place', async () => {
    const kit = await readyHost();
    const { settings } = await kit.invoke('settings', {});
    const wrong = { ...settings, bridge: { ...settings.bridge, terminal: 'tcp:nowhere' } };
    const refusal = await kit.refusal('saveSettings', wrong);
    expect(refusal).toMatchObject({ code: 'invalid_request', issues: [{ path: 'bridge.terminal' }] });
  });

  it('that cannot be started with stay, and the reason is shown until a person corrects them', async () => {
    const kit = newHost();
    await kit.host.start();
    await kit.save(({ bridge }) => (bridge.terminal = 'simulator'));
    await isReady(kit);
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    // The simulator's ledger is kept in the currency that it began with.
    await kit.save(({ bridge }) => (bridge.currency = 'CHF'));
    const failed = await kit.state(({ bridge }) => bridge.kind === 'failed', 'the failure');
    expect(failed.bridge).toMatchObject({ text: expect.stringContaining('EUR') as string });
    expect(kit.host.bridge).toBe(null);
    expect((await kit.invoke('settings', {})).settings.bridge.currency).toBe('CHF');
    await kit.save(({ bridge }) => (bridge.currency = 'EUR'));
    await isReady(kit);
    expect((await kit.till().query('A-1')).body).toMatchObject({ transaction_status: 'approved' });
  });
});

describe('the listener', () => {
  it('of a desktop app whose port is taken is failed, while the bridge runs, until another port is chosen', async () => {
    const port = await takenPort();
    const folder = folderWith({ terminal: 'simulator', port });
    const kit = newHost({ folder, flags: { port: undefined as never } });
    expect(await kit.host.start()).toMatchObject({ kind: 'running' });
    await isReady(kit);
    expect(kit.host.state().listener).toMatchObject({ kind: 'failed', code: 'port_in_use', port });
    await kit.save(({ bridge }) => (bridge.port = 0));
    expect(kit.host.state().listener.kind).toBe('on');
  });

  it('of a headless bridge whose port is taken ends it', async () => {
    const port = await takenPort();
    const kit = newHost({
      flags: { terminal: 'simulator', port: String(port) },
      host: { kind: 'headless' },
    });
    expect(await kit.host.start()).toMatchObject({
      kind: 'failed',
      usage: false,
      messages: [expect.stringContaining(String(port))],
    });
    expect(kit.host.state().bridge.kind).toBe('failed');
  });

  it('of a headless bridge whose port is that of another Tillbridge says so', async () => {
    const first = newHost({ flags: { terminal: 'simulator' }, host: { kind: 'headless' } });
    await first.host.start();
    const { port } = new URL(first.base());
    const second = newHost({ flags: { terminal: 'simulator', port }, host: { kind: 'headless' } });
    expect(await second.host.start()).toMatchObject({
      kind: 'failed',
      messages: [expect.stringContaining(`Port ${port} is used by another Tillbridge`)],
    });
  });

  it('is stopped and started, and stays off at the start if it is to', async () => {
    const folder = newFolder();
    const kit = await readyHost({ folder });
    const base = kit.base();
    await kit.invoke('stopListener', {});
    await kit.state(({ listener }) => listener.kind === 'off', 'the end');
    await expect(fetch(`${base}/health`)).rejects.toThrow('fetch failed');
    await kit.invoke('startListener', {});
    expect((await kit.till().health()).status).toBe(200);
    await kit.save(({ app }) => (app.startListener = false));
    expect(kit.host.state().listener.kind).toBe('on');
    await kit.host.stop();

    const second = await readyHost({ folder });
    expect(second.host.state().listener).toEqual({ kind: 'off' });
    await second.invoke('startListener', {});
    expect((await second.till().health()).status).toBe(200);
    // Another bridge goes on as the one before.
    await second.save(({ bridge }) => (bridge.makeReferences = true));
    expect(second.host.state().listener.kind).toBe('on');
  });

  it('tells of a web page that it refused; allowed in the console, the page may call at once', async () => {
    const kit = await readyHost();
    const before = kit.host.bridge;
    const origin = 'https://pos.example';
    const invoke = () => kit.till().post('/QueryPayment', { retrieval_reference_number: 'A' }, { origin });
    expect((await invoke()).status).toBe(403);
    await kit.state(({ blockedOrigins }) => blockedOrigins[0]?.origin === origin, 'the origin');
    const view = await kit.invoke('allowOrigin', { origin });
    expect(view.settings.bridge.allowedOrigins).toEqual([origin]);
    expect((await invoke()).status).toBe(404);
    await kit.state(({ blockedOrigins }) => blockedOrigins.length === 0, 'an empty list');
    expect(kit.host.bridge).toBe(before);
    expect(await kit.refusal('allowOrigin', { origin: 'pos' })).toMatchObject({ code: 'invalid_request' });
  });

  it('asks for the tokens that were made in the console', async () => {
    const kit = await readyHost();
    const { token } = await kit.invoke('createToken', { name: 'till 1' });
    expect((await kit.invoke('tokens', {})).tokens).toMatchObject([{ name: 'till 1' }]);
    const query = (headers: Record<string, string>) =>
      kit.till().post('/QueryPayment', { retrieval_reference_number: 'A' }, headers);
    expect((await query({ authorization: `Bearer ${token}` })).status).toBe(404);
    expect((await query({ authorization: 'Bearer no' })).status).toBe(401);
    expect(await kit.refusal('createToken', { name: 'till 1' })).toMatchObject({ code: 'invalid_request' });
    await kit.invoke('removeToken', { name: 'till 1' });
    expect((await kit.invoke('tokens', {})).tokens).toEqual([]);
  });
});
