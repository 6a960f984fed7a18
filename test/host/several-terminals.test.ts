/** Several terminals in one host: where their journals are, and that what is open on one of them is never out of sight. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findJournals } from '../../src/host/index.ts';
import { sendControlRequest } from '../../src/host/control/client.ts';
import type { JournalEvent } from '../../src/contract/journal-events.ts';
import { openTestJournal, startedSale } from '../headless/seed-journal.ts';
import { newFolder, newHost, readyHost, type HostKit } from './host-kit.ts';

const withBar = { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' };

async function allReady({ host, clock }: HostKit) {
  await clock.until(
    () =>
      host.bridge?.terminals.every(
        ({ retired, payments }) => retired || payments.status().terminal.connection === 'ready',
      ) === true,
    'terminals that are ready',
  );
}

const barTill = (kit: HostKit, path: string, body: unknown) =>
  kit.till().post(path, body, { 'x-terminal': 'bar', prefer: 'wait=60' });

describe('terminals of one host', () => {
  it('have a folder each below the main one’s, and the main one’s stays where it was', async () => {
    const kit = await readyHost({ environment: withBar });
    await allReady(kit);
    await kit.till().create('12.00', 'M-1', 60);
    const paid = await barTill(kit, '/CreatePayment', { amount: '13.00', retrieval_reference_number: 'B-1' });
    expect(paid.body).toMatchObject({ transaction_status: 'approved', terminal: 'bar' });
    const simulator = path.join(kit.folder, 'simulator');
    expect(findJournals(kit.folder).map(({ folder, terminal }) => [folder, terminal])).toEqual([
      [simulator, 'main'],
      [path.join(simulator, 'terminals', 'bar'), 'bar'],
    ]);
    expect(existsSync(path.join(simulator, 'terminals', 'bar', 'ledger.jsonl'))).toBe(true);
    expect(findJournals(kit.folder, { terminal: 'bar' })).toHaveLength(1);
  });

  it('answer the command line each beside its own journal', async () => {
    const kit = await readyHost({ environment: withBar });
    await allReady(kit);
    const places = findJournals(kit.folder);
    const asked = places.map(({ folder }) =>
      kit.clock.run(sendControlRequest(folder, { ask: 'status' }, kit.clock), 'an answer of the bridge'),
    );
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(['answered', 'answered']);
    expect(kit.host.bridge?.terminals.map(({ payments }) => payments.status().terminal.line)).toEqual([
      'memory:simulator',
      'memory:simulator-bar',
    ]);
  });

  it('are found in the journals after they were taken out of the configuration', async () => {
    const folder = newFolder();
    const before = await readyHost({ folder, environment: withBar });
    await allReady(before);
    await barTill(before, '/CreatePayment', { amount: '13.00', retrieval_reference_number: 'B-1' });
    await before.host.stop();
    const after = await readyHost({ folder });
    expect((await after.till().query('B-1')).body).toMatchObject({
      transaction_status: 'approved',
      terminal: 'bar',
    });
    expect((await after.till().create('13.00', 'B-1')).body.code).toBe('reference_on_other_terminal');
    expect((await after.till().health()).status).toBe(200);
  });

  it('that contradict each other keep the bridge from starting', async () => {
    const kit = newHost({
      environment: { TILLBRIDGE_ADD_TERMINAL: 'bar=tcp:127.0.0.1:1' },
      flags: { terminal: 'simulator' },
    });
    const started = await kit.host.start();
    expect(started.kind === 'failed' && started.messages.join(' ')).toMatch(/simulator \("main"\) and real/);
  });
});

describe('a journal of which only traces are left', () => {
  it('is damaged and not none: its terminal is not forgotten, and nobody says "not found"', async () => {
    const folder = newFolder();
    const before = await readyHost({ folder, environment: withBar });
    await allReady(before);
    await barTill(before, '/CreatePayment', { amount: '13.00', retrieval_reference_number: 'B-1' });
    await before.host.stop();
    const bar = path.join(folder, 'simulator', 'terminals', 'bar');
    for (const name of readdirSync(bar))
      if (name !== 'journal.sqlite-mark') rmSync(path.join(bar, name), { recursive: true });
    expect(findJournals(folder).map(({ terminal }) => terminal)).toEqual(['main', 'bar']);

    // It is in the configuration no more.
    const after = await readyHost({ folder });
    expect(after.host.bridge?.terminals.map(({ name, damage }) => [name, damage !== null])).toEqual([
      ['main', false],
      ['bar', true],
    ]);
    expect((await after.till().query('B-1')).body.code).toBe('journal_unavailable');
    expect((await after.till().create('13.00', 'B-1')).body.code).toBe('journal_unavailable');
    // So the main terminal is not "ready", although nothing is wrong with it.
    expect(after.host.state()).toMatchObject({
      heldElsewhere: 'bar',
      journal: { writable: true },
      otherTerminals: [{ name: 'bar', heldElsewhere: null }],
    });
    expect((await after.invoke('diagnosis', {})).findings).toContainEqual(
      expect.objectContaining({ finding: 'money_held_elsewhere', values: { terminal: 'bar' } }),
    );
  });
});

describe('a terminal that is in the configuration no more', () => {
  it('keeps the currency in which it was paid', async () => {
    const folder = newFolder();
    const journal = openTestJournal(path.join(folder, 'simulator', 'terminals', 'bar'));
    journal.append({ ...startedSale('B-1', true), currency: 'CHF' } as JournalEvent);
    journal.close();
    const kit = await readyHost({ folder });
    expect(kit.host.state()).toMatchObject({
      currency: 'EUR',
      otherTerminals: [{ name: 'bar', retired: true, currency: 'CHF' }],
    });
    const { open } = await kit.invoke('batches', { before: null, limit: 5, terminal: 'bar' });
    const currencies = open.sums.map(({ currency }) => currency);
    expect(currencies).toEqual(['CHF']);
    const main = await kit.invoke('batches', { before: null, limit: 5 });
    expect(main.open.sums).toMatchObject([{ currency: 'EUR' }]);
  });

  it('of which no payment is known has the one in force', async () => {
    const folder = newFolder();
    openTestJournal(path.join(folder, 'simulator', 'terminals', 'bar')).close();
    const kit = await readyHost({ folder });
    expect(kit.host.state().otherTerminals).toMatchObject([{ name: 'bar', currency: 'EUR' }]);
  });
});

describe('a start that fails at one terminal', () => {
  it('ends the simulators of those before it, and goes well once nothing is in the way', async () => {
    const folder = newFolder();
    // A KPay terminal listens from the moment on at which it is made.
    const listen = vi.spyOn(Server.prototype, 'listen');
    const kit = newHost({
      folder,
      flags: { terminal: 'simulator', protocol: 'kpay', currency: 'HKD' },
      environment: { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator,terrace=simulator' },
    });
    const damaged = path.join(folder, 'simulator', 'terminals', 'terrace', 'ledger-kpay.jsonl');
    mkdirSync(path.dirname(damaged), { recursive: true, mode: 0o700 });
    writeFileSync(damaged, 'no ledger\nat all\n', { mode: 0o600 });
    expect((await kit.host.start()).kind).toBe('failed');
    const servers = listen.mock.contexts.map((server) => (server as Server).listening);
    listen.mockRestore();
    expect(servers).toEqual([false, false]);
    rmSync(damaged);
    expect((await kit.host.start()).kind).toBe('running');
    expect(kit.host.bridge?.terminals.map(({ name }) => name)).toEqual(['main', 'bar', 'terrace']);
  });
});

describe('a terminal that was renamed while something is in doubt on it', () => {
  it('is told of at the start, in /health and to the command line, because it sells on under its new name', async () => {
    const folder = newFolder();
    const before = await readyHost({ folder, environment: withBar });
    await allReady(before);
    // It takes the command and then answers nothing for 20 seconds.
    await barTill(before, '/CreatePayment', { amount: '20.09', retrieval_reference_number: 'B-9' });
    await before.state(({ doubts }) => doubts.length > 0, 'a doubt');
    await before.host.suspend();
    await before.host.stop();

    const after = newHost({
      folder,
      flags: { terminal: 'simulator' },
      environment: { TILLBRIDGE_ADD_TERMINAL: 'terrace=simulator' },
    });
    const started = await after.host.start();
    expect(started.warnings).toEqual([
      expect.stringMatching(
        /^One operation is in doubt on the terminal "bar", which is no longer in the config/,
      ),
    ]);
    await allReady(after);
    const logged = readFileSync(after.host.running?.logFile ?? '', 'utf8');
    expect(logged).toMatch(/"in_doubt":1,"msg":"operations are in doubt on a terminal that is no longer/);
    const health = await after.till().health();
    expect(health).toMatchObject({ status: 503, body: { in_doubt: 1 } });
    expect(health.body['message']).toMatch(
      /Terminal "bar": One operation is in doubt, and the terminal is no/,
    );
    expect(health.body['message']).not.toMatch(/no payment starts/);
    const [, bar] = findJournals(after.folder);
    expect(bar?.terminal).toBe('bar');
    const asked = sendControlRequest(bar?.folder ?? '', { ask: 'doubts' }, after.clock);
    expect(await after.clock.run(asked, 'an answer of the bridge')).toMatchObject({
      kind: 'answered',
      answer: { doubts: [{ reference: 'B-9', needsDecision: true, retired: true }] },
    });
  });

  it('is not told of where all is decided', async () => {
    const folder = newFolder();
    const before = await readyHost({ folder, environment: withBar });
    await allReady(before);
    await barTill(before, '/CreatePayment', { amount: '13.00', retrieval_reference_number: 'B-1' });
    await before.host.stop();
    const after = newHost({ folder, flags: { terminal: 'simulator' } });
    expect((await after.host.start()).warnings).toEqual([]);
  });
});

describe('the console of several terminals', () => {
  it('shows what is in doubt on any of them, and decides it there', async () => {
    const kit = await readyHost({ environment: withBar });
    await allReady(kit);
    // It takes the command and then answers nothing for 20 seconds.
    await kit
      .till()
      .post(
        '/CreatePayment',
        { amount: '20.09', retrieval_reference_number: 'B-9' },
        { 'x-terminal': 'bar' },
      );
    const state = await kit.state(({ doubts }) => doubts.length > 0, 'a doubt');
    expect(state.otherTerminals).toMatchObject([
      { name: 'bar', retired: false, journal: { writable: true } },
    ]);
    const [doubt] = state.doubts;
    expect(doubt).toMatchObject({ reference: 'B-9', onTerminal: 'bar' });
    // The other one answers for itself.
    expect(await kit.invoke('checkTerminal', { terminal: 'main' })).toMatchObject({ kind: 'answered' });
    await kit.invoke('resolve', {
      operationId: doubt?.operationId ?? '',
      resolution: 'not-charged',
      by: 'Ada Meier',
      reason: 'no slip in the drawer',
      terminalUnreachable: true,
    });
    await kit.state(({ doubts }) => doubts.length === 0, 'no doubt');
    expect((await kit.till().query('B-9')).body).toMatchObject({
      transaction_status: 'failed',
      terminal: 'bar',
    });
  });

  it('calls a person for what is in doubt on a terminal that is gone from the configuration', async () => {
    const folder = newFolder();
    const before = await readyHost({ folder, environment: withBar });
    await allReady(before);
    await before
      .till()
      .post(
        '/CreatePayment',
        { amount: '20.09', retrieval_reference_number: 'B-9' },
        { 'x-terminal': 'bar' },
      );
    await before.state(({ doubts }) => doubts.length > 0, 'a doubt');
    const bar = before.host.bridge?.terminals[1];
    // The host stops while the doubt lasts: with no line nothing more is learned.
    await before.host.suspend();
    await before.host.stop();
    expect(bar?.name).toBe('bar');
    const after = await readyHost({ folder });
    const state = await after.state(({ doubts }) => doubts.length > 0, 'the doubt again');
    expect(state.doubts).toMatchObject([{ reference: 'B-9', onTerminal: 'bar', needsDecision: true }]);
    expect(state.otherTerminals).toMatchObject([{ name: 'bar', retired: true }]);
  });
});

describe('a console method on one of several terminals', () => {
  const everything = { filter: { span: null, status: null, text: null }, before: null, limit: 10 };
  const day = { from: '2000-01-01T00:00:00.000Z', until: '2000-01-02T00:00:00.000Z' };

  async function paidOnBoth() {
    const kit = await readyHost({ environment: withBar });
    await allReady(kit);
    await kit.till().create('12.00', 'M-1', 60);
    await barTill(kit, '/CreatePayment', { amount: '13.00', retrieval_reference_number: 'B-1' });
    return kit;
  }

  const listed = async (kit: HostKit, terminal?: string) => {
    const { payments } = await kit.invoke('payments', { ...everything, terminal });
    return payments.map(({ reference, onTerminal }) => [reference, onTerminal]);
  };

  it('is about the terminal that it names, in any case, and about the main one without a name', async () => {
    const kit = await paidOnBoth();
    expect(await listed(kit)).toEqual([['M-1', undefined]]);
    expect(await listed(kit, 'main')).toEqual([['M-1', undefined]]);
    expect(await listed(kit, ' BAR ')).toEqual([['B-1', 'bar']]);
    expect((await kit.invoke('batches', { before: null, limit: 5, terminal: 'bar' })).open).toMatchObject({
      count: 1,
      sums: [{ sumMinor: 1_300 }],
    });
    const totals = await kit.invoke('paymentTotals', {
      filter: everything.filter,
      before: null,
      terminal: 'bar',
    });
    expect(totals.taken).toMatchObject([{ count: 1, sumMinor: 1_300 }]);
  });

  it('refuses a name that no terminal has, and names those that there are', async () => {
    const kit = await paidOnBoth();
    const requests = [
      ['payments', everything],
      ['today', day],
      ['batches', { before: null, limit: 5 }],
      ['submitBatch', {}],
      ['voidPayment', { reference: 'B-1' }],
      ['cancelPayment', { reference: 'B-1' }],
      ['testPayment', { amountMinor: 100 }],
      ['acceptDevice', {}],
      ['checkTerminal', {}],
      ['dayReport', { span: day, compared: day }],
      ['diagnosis', {}],
    ] as const;
    for (const [method, request] of requests) {
      const asked = kit.host.console.invoke(method, { ...request, terminal: 'cellar' });
      expect(await kit.clock.run(asked, method)).toMatchObject({
        ok: false,
        refusal: {
          code: 'unknown_terminal',
          message: 'This bridge has no terminal "cellar". Its terminals: "main", "bar".',
        },
      });
    }
  });

  it('finds a payment by its id on whichever terminal has it', async () => {
    const kit = await paidOnBoth();
    const [row] = (await kit.invoke('payments', { ...everything, terminal: 'bar' })).payments;
    const transactionId = row?.transactionId ?? '';
    const of = { reference: 'B-1', onTerminal: 'bar' };
    expect((await kit.invoke('payment', { transactionId })).payment).toMatchObject(of);
    expect((await kit.invoke('receipt', { transactionId })).payment).toMatchObject(of);
    const missing = kit.host.console.invoke('payment', { transactionId: 'nobody' });
    expect(await kit.clock.run(missing, 'an answer')).toMatchObject({
      refusal: { code: 'payment_not_found' },
    });
  });

  it('voids on the terminal that has the payment, and on no other than the one that is named', async () => {
    const kit = await paidOnBoth();
    const onMain = kit.host.console.invoke('voidPayment', { reference: 'B-1', terminal: 'main' });
    expect(await kit.clock.run(onMain, 'a refusal')).toMatchObject({
      ok: false,
      refusal: { code: 'payment_not_found' },
    });
    const { payment } = await kit.invoke('voidPayment', { reference: 'B-1' });
    expect(payment).toMatchObject({ status: 'voided', onTerminal: 'bar' });
    expect((await kit.till().query('M-1')).body['transaction_status']).toBe('approved');
  });

  it('closes the batch of the terminal that it names, and only that', async () => {
    const kit = await paidOnBoth();
    await kit.invoke('submitBatch', { terminal: 'bar' });
    expect((await kit.till().query('B-1')).body['transaction_status']).toBe('settled');
    expect((await kit.till().query('M-1')).body['transaction_status']).toBe('approved');
    const { batches } = await kit.invoke('batches', { before: null, limit: 5, terminal: 'bar' });
    const { batch } = await kit.invoke('batchReport', { operationId: batches[0]?.operationId ?? '' });
    expect(batch).toMatchObject({ outcome: 'closed', onTerminal: 'bar' });
    const file = await kit.host.console.makeFile({ kind: 'batch_report', operationId: batch.operationId });
    expect(file.name).toMatch(/^tillbridge-batch-bar-\d{4}-/);
    expect((await kit.invoke('batches', { before: null, limit: 5 })).batches).toEqual([]);
  });

  it('is told of what happens on each terminal with its name, and the state has each by itself', async () => {
    const kit = await readyHost({ environment: withBar });
    await allReady(kit);
    const told: string[] = [];
    kit.host.console.subscribe((change) => {
      if (change.kind === 'payment')
        told.push(`${change.payment.reference} ${change.payment.onTerminal ?? '-'}`);
      if (change.kind === 'batch') told.push(`batch ${change.onTerminal ?? '-'}`);
    });
    await kit.till().create('12.00', 'M-1', 60);
    await barTill(kit, '/CreatePayment', { amount: '13.00', retrieval_reference_number: 'B-1' });
    await kit.invoke('submitBatch', { terminal: 'bar' });
    const state = await kit.state(
      ({ otherTerminals: [bar] = [] }) =>
        bar?.lastEnded?.outcome === 'closed' && bar.terminal.connection === 'ready',
      'a closed batch',
    );
    expect([...new Set(told)]).toEqual(['M-1 -', 'B-1 bar', 'batch bar']);
    expect(state.lastPayment).toMatchObject({ reference: 'M-1' });
    expect(state.lastEnded?.outcome).toBe('approved');
    expect(state.otherTerminals).toMatchObject([
      {
        name: 'bar',
        terminal: { connection: 'ready', line: 'memory:simulator-bar' },
        lastPayment: { reference: 'B-1', onTerminal: 'bar', status: 'settled' },
        lastEnded: { outcome: 'closed' },
        currentOperation: null,
        salesHeld: false,
      },
    ]);
  });

  it('says why it does not work of the terminal that it names', async () => {
    const folder = newFolder();
    const before = await readyHost({ folder, environment: withBar });
    await allReady(before);
    const findings = async ({ invoke }: HostKit, terminal?: string) =>
      (await invoke('diagnosis', { terminal })).findings.map(({ finding }) => finding);
    expect(await findings(before, 'bar')).toContain('address_simulator');
    await before.host.stop();
    const after = await readyHost({ folder });
    expect(await findings(after)).toContain('address_simulator');
    expect(await findings(after, 'bar')).toContain('address_none');
  });

  it('knows a receipt as a copy on the terminal on which it was printed', async () => {
    const kit = await paidOnBoth();
    const idOf = async (terminal?: string) =>
      (await kit.invoke('payments', { ...everything, terminal })).payments[0]?.transactionId ?? '';
    const [main, bar] = [await idOf(), await idOf('bar')];
    await kit.invoke('receiptPrinted', { transactionId: bar });
    expect((await kit.invoke('receipt', { transactionId: bar })).printedBefore).toBe(true);
    expect((await kit.invoke('receipt', { transactionId: main })).printedBefore).toBe(false);
    expect(existsSync(path.join(kit.folder, 'simulator', 'terminals', 'bar', 'printed-receipts.json'))).toBe(
      true,
    );
  });
});
