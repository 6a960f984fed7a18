/** Files for people: the support bundle, the log, the payments as a table. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { replayCapture } from '../../src/bridge/capture/index.ts';
import type { FileRequest } from '../../src/contract/console/index.ts';
import { openTestJournal, seedOpenSale } from '../headless/seed-journal.ts';
import { discrepancyFact } from '../support/memory-payments.ts';
import { isReady, newFolder, newHost, readyHost, type HostKit } from './host-kit.ts';

const cards = ['4111111111111111', '5555555555554444', '378282246310005', '6011111111111117'];
const card = cards[0] ?? '';
const grouped = '4111 1111 1111 1111';

async function made(kit: HostKit, request: FileRequest): Promise<{ name: string; bytes: Uint8Array }> {
  const { name, content } = await kit.host.console.makeFile(request);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return { name, bytes: Buffer.concat(pieces) };
}

async function unzipped(kit: HostKit): Promise<Record<string, string>> {
  const { name, bytes } = await made(kit, { kind: 'support_bundle' });
  expect(name).toMatch(/^tillbridge-support-[\dT-]+\.zip$/);
  return Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([entry, content]) => [entry, strFromU8(content)]),
  );
}

/** Card numbers typed into everything that a window or a POS can send. */
async function typeCardNumbers(kit: HostKit): Promise<void> {
  const till = kit.till();
  for (const number of [...cards, grouped, `INV${card}`]) {
    for (const path of ['/CreatePayment', '/QueryPayment', '/VoidPayment', '/CancelPayment', `/${number}`]) {
      await till.post(path, { amount: number, retrieval_reference_number: number, condition_code: number });
      await till.post(path, { [number]: { number } }, { 'x-request-id': number, origin: `https://${card}` });
    }
    await kit.host.console.invoke('createToken', { name: number });
    await kit.host.console.invoke('removeToken', { name: number });
    await kit.host.console.invoke('payments', {
      filter: { span: null, status: null, text: number },
      before: null,
      limit: 10,
    });
    await kit.host.console.invoke('log', {
      filter: { minLevel: 'debug', sources: null, text: number },
      before: null,
      limit: 10,
    });
    for (const name of ['cancelPayment', 'voidPayment'])
      await kit.host.console.invoke(name, { reference: number });
    await kit.host.console.invoke('allowOrigin', { origin: `https://${number.replaceAll(' ', '')}.example` });
    await kit.host.console.invoke(number, { [number]: number });
    await kit.host.console.invoke('resolve', {
      operationId: number,
      resolution: 'charged',
      by: number,
      reason: number,
    });
    kit.host.log.warn(`typed ${number}`, { number, nested: { list: [number, Number(card)] } });
  }
}

describe('the support bundle', () => {
  it('holds no card number, whatever was typed', async () => {
    const kit = await readyHost({ flags: { pace: '0.02', stopTimeoutMs: '0' } });
    await typeCardNumbers(kit);
    const { settings } = await kit.invoke('settings', {});
    settings.app.language = '378282246310005';
    await kit.invoke('saveSettings', settings);
    await kit.till().post('/CreatePayment', {
      amount: '12.00',
      retrieval_reference_number: 'A-1',
      condition_code: '4111111111111111',
    });
    await isReady(kit);
    // A doubt that somebody decides with a card number for a name and a reason.
    await kit.till().create('12.07', 'A-7');
    await kit.state(({ terminal }) => terminal?.progressStep === 'waiting_for_host', 'the host');
    await kit.host.suspend();
    const { doubts } = await kit.state((state) => state.doubts.length === 1, 'the doubt');
    const operationId = doubts[0]?.operationId ?? '';
    await kit.invoke('resolve', {
      operationId,
      resolution: 'not-charged',
      by: `Ada ${grouped}`,
      reason: card,
      terminalUnreachable: true,
    });

    const entries = await unzipped(kit);
    const all = Object.entries(entries).map(([name, text]) => `${name}\n${text}`);
    // As plain text, and with everything left out that may stand between two digits.
    const bare = all.join('\n').replaceAll(/[ \t._-]/g, '');
    for (const number of cards) expect(bare).not.toContain(number);
    // It is not for want of text: the masked ones are there.
    expect(entries['simulator-logs/tillbridge.log']).toContain('411111******1111');
    expect(entries['journal.jsonl']).toContain('411111******1111');
    expect(entries['log-book.jsonl']).toContain('411111******1111');
    expect(entries['configuration.json']).toContain('378282*****0005');
  });

  it('tells of journal, log, frames, state, settings and versions, but of no secret', async () => {
    const folder = newFolder();
    const kit = await readyHost({ folder });
    await kit.save(({ bridge }) => (bridge.zvt.password = '135790'));
    const { token } = await kit.invoke('createToken', { name: 'till 1' });
    await kit.invoke('removeToken', { name: 'till 1' });
    await isReady(kit);
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    writeFileSync(join(folder, 'simulator', 'logs', 'other.log'), 'not ours');
    // More than one page of the log store.
    for (let line = 0; line < 1_200; line += 1) kit.host.log.debug('a line', { line });
    kit.host.log.info('the last line before');

    const entries = await unzipped(kit);
    expect(Object.keys(entries).toSorted()).toEqual([
      'README.txt',
      'configuration.json',
      'discrepancies.jsonl',
      'journal.jsonl',
      'log-book.jsonl',
      'ports.json',
      'simulator-logs/tillbridge.log',
      'state.json',
      'versions.json',
    ]);
    expect(entries['simulator-logs/tillbridge.log']).toContain('the last line before');
    const text = Object.values(entries).join('\n');
    for (const secret of ['135790', token]) expect(text).not.toContain(secret);
    for (const name of Object.keys(entries)) {
      if (name !== 'README.txt') expect(entries['README.txt']).toContain(name);
    }
    expect(JSON.parse(entries['state.json'] ?? '')).toMatchObject({ bridge: { kind: 'running' } });
    expect(JSON.parse(entries['configuration.json'] ?? '')).toMatchObject({
      secretsSet: ['zvt.password'],
      configuration: { terminal: 'simulator', currency: 'EUR' },
    });
    expect(JSON.parse(entries['versions.json'] ?? '')).toMatchObject({ tillbridge: '9.9.9' });
    const facts = (entries['journal.jsonl'] ?? '').trimEnd().split('\n');
    expect(facts.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      facts.map((_, at) => at + 1),
    );
    const ids = (entries['log-book.jsonl'] ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    // Whole, although its digits in a row look like a card number.
    expect(entries['log-book.jsonl']).toMatch(/"hex":"06:01:0c:04:00:00:00:00:12:00:49:09:78:19:40"/);
  });

  it.each(['runs', 'stands still'])(
    'has journal and discrepancies of each terminal, where the bridge %s',
    async (bridge) => {
      const folder = newFolder();
      const bar = join(folder, 'simulator', 'terminals', 'bar');
      const [ofMain, ofBar] = [
        '01890000-0000-7000-8000-000000000001',
        '01890000-0000-7000-8000-000000000002',
      ];
      for (const [place, id] of [
        [join(folder, 'simulator'), ofMain],
        [bar, ofBar],
      ] as const) {
        const journal = openTestJournal(place);
        journal.append(discrepancyFact(id));
        journal.close();
      }
      const environment = { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' };
      const kit =
        bridge === 'runs' ? await readyHost({ folder, environment }) : newHost({ folder, environment });
      const entries = await unzipped(kit);
      const running = bridge === 'runs';
      const prefixes = running ? ['', 'terminal-bar-'] : ['simulator-', 'simulator-terminal-bar-'];
      for (const [at, [own, other]] of [
        [ofMain, ofBar],
        [ofBar, ofMain],
      ].entries()) {
        for (const name of ['journal.jsonl', 'discrepancies.jsonl']) {
          const text = entries[`${prefixes[at]}${name}`];
          expect(text, `${prefixes[at]}${name} of ${Object.keys(entries).join(', ')}`).toContain(own);
          expect(text).not.toContain(other);
          expect(entries['README.txt']).toContain(`${prefixes[at]}${name}`);
        }
      }
    },
  );

  it('has the recorded line, which is played again as it is in the bundle', async () => {
    const folder = newFolder();
    const kit = await readyHost({ folder, flags: { capture: 'yes' } });
    for (const [amount, reference] of [
      ['12.00', 'A-1'],
      ['13.01', 'A-2'],
    ] as const) {
      await kit.till().create(amount, reference, 10);
      await isReady(kit);
    }
    const recorded = (await unzipped(kit))['simulator-logs/capture.jsonl'] ?? '';
    expect(recorded).toContain('"what":"sale"');
    expect(recorded).toContain('"name":"status-information"');
    const file = join(folder, 'from-the-bundle.jsonl');
    writeFileSync(file, recorded);
    expect(await replayCapture(file)).toEqual([]);
    if (process.platform !== 'win32')
      expect(statSync(join(folder, 'simulator', 'logs', 'capture.jsonl')).mode & 0o077).toBe(0);
  });

  it('is made while no bridge runs, too', async () => {
    const kit = newHost();
    await kit.host.start();
    const entries = await unzipped(kit);
    expect(entries['README.txt']).toContain('there is no journal');
    expect(entries['logs/tillbridge.log']).toBeDefined();
  });

  it('has the journals that are there while no bridge runs, reports of faults, and what could not be read', async () => {
    const folder = newFolder();
    seedOpenSale(folder, `A-${card}`);
    mkdirSync(join(folder, 'simulator'));
    writeFileSync(join(folder, 'simulator', 'journal.sqlite'), 'no database');
    mkdirSync(join(folder, 'crashes'));
    writeFileSync(join(folder, 'crashes', 'fault-2026-app.txt'), `it ended at ${card}\n`);
    writeFileSync(join(folder, 'crashes', 'dump.dmp'), 'memory');
    mkdirSync(join(folder, 'logs'));
    for (const name of ['capture.jsonl', 'capture-bar.jsonl', 'capture-bar.1.jsonl', 'capture.backup'])
      writeFileSync(join(folder, 'logs', name), `${card}\n`);
    const { host } = newHost({ folder });
    const file = await host.saveSupportBundle();
    expect(dirname(file)).toBe(folder);
    const entries = Object.fromEntries(
      Object.entries(unzipSync(readFileSync(file))).map(([name, content]) => [name, strFromU8(content)]),
    );
    expect(entries['journal.jsonl']).toContain('operation_started');
    expect(entries['crashes/fault-2026-app.txt']).toBe('it ended at 411111******1111\n');
    expect(entries['README.txt']).toContain('journal of the simulator');
    expect(Object.keys(entries).filter((name) => name.includes('capture'))).toEqual(
      expect.arrayContaining(['logs/capture.jsonl', 'logs/capture-bar.jsonl', 'logs/capture-bar.1.jsonl']),
    );
    expect(Object.keys(entries).join(' ')).not.toContain('backup');
    expect(Object.keys(entries).join(' ')).not.toContain('dump');
    expect(Object.values(entries).join('\n')).not.toContain(card);
    await expect(host.saveSupportBundle()).rejects.toThrow('EEXIST');
    expect(existsSync(file)).toBe(true);
  });

  it('leaves the journal’s lock where it is', async () => {
    const kit = await readyHost();
    await unzipped(kit);
    const other = newHost({ folder: kit.folder, flags: { terminal: 'simulator' } });
    expect(await other.host.start()).toMatchObject({
      kind: 'failed',
      messages: [expect.stringContaining('Another bridge is using the data folder')],
    });
    expect((await kit.till().create('12.00', 'A-1', 10)).body).toMatchObject({
      transaction_status: 'approved',
    });
  });
});

describe('other files', () => {
  it('payments are a table that harms no spreadsheet', async () => {
    const kit = await readyHost();
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    await kit.till().create('12.34', '-A', 10);
    await isReady(kit);
    const { name, bytes } = await made(kit, {
      kind: 'payments',
      filter: { span: null, status: null, text: null },
    });
    expect(name).toMatch(/\.csv$/);
    const lines = Buffer.from(bytes).toString().split('\r\n');
    expect(lines[0]).toMatch(/^"created_at","reference","amount","approved_amount","currency","status",/);
    expect(lines[1]).toMatch(/^"[^"]+","'-A","12\.34","12\.34","EUR","approved",/);
    expect(lines.at(-1)).toBe('');
  });

  it('log lines are JSON, those that fit', async () => {
    const kit = await readyHost();
    await kit.till().create('12.00', 'A-1', 10);
    await isReady(kit);
    const { bytes } = await made(kit, {
      kind: 'log',
      filter: { minLevel: 'debug', sources: ['zvt'], text: 'authorisation' },
    });
    const lines = Buffer.from(bytes).toString().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ source: 'zvt' });
  });

  it('cannot be made of nothing', async () => {
    const kit = newHost();
    const filter = { span: null, status: null, text: null };
    await expect(kit.host.console.makeFile({ kind: 'payments', filter })).rejects.toThrow('no journal');
  });
});
