/** Several terminals in one host: where their journals are, and that what is open on one of them is never out of sight. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findJournals } from '../../src/host/index.ts';
import { sendControlRequest } from '../../src/host/control/client.ts';
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
    expect(state.otherTerminals).toMatchObject([{ name: 'bar', retired: false, journalWritable: true }]);
    const [doubt] = state.doubts;
    expect(doubt).toMatchObject({ reference: 'B-9', onTerminal: 'bar' });
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
