/** Payments in doubt: seen at once, cleared up after sleep, or decided by a person with name and reason. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/shell-word.ts';
import { repairJournal } from '../../src/bridge/journal/index.ts';
import { sendControlRequest } from '../../src/host/control/client.ts';
import { bridgeSentence } from '../../src/locales/index.ts';
import { silentLog } from '../../src/log/index.ts';
import { countsOf, readLedger } from '../support/ledger.ts';
import { tamper } from '../bridge/journal/folder.ts';
import { seedOpenSale } from '../headless/seed-journal.ts';
import { run } from '../headless/test-context.ts';
import { isReady, newFolder, newHost, readyHost, type HostKit } from './host-kit.ts';

/** A payment whose terminal waits for its host while the computer falls asleep. */
async function asleepDuringPayment(flags: Record<string, string>): Promise<HostKit> {
  const kit = await readyHost({ flags });
  await kit.till().create('12.07', 'A-7');
  await kit.state(({ terminal }) => terminal?.progressStep === 'waiting_for_host', 'the host');
  await kit.host.suspend();
  return kit;
}

describe('a doubt on the real terminal, while the simulator runs', () => {
  it('is told, because the simulator has a journal of its own', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    const kit = await readyHost({ folder });
    expect(kit.host.state()).toMatchObject({ doubts: [], doubtsElsewhere: 1 });
  });

  it('is told no more once it was decided with the command line', async () => {
    const folder = newFolder();
    const operationId = seedOpenSale(folder, 'REAL-1');
    const kit = await readyHost({ folder });
    const decided = ['--outcome', 'charged', '--terminal-unreachable', '--by', 'Ada', '--reason', 'day list'];
    expect(await run(['resolve', operationId, ...decided, '--data-dir', folder])).toMatchObject({
      exitCode: 0,
    });
    await kit.state(({ doubtsElsewhere }) => doubtsElsewhere === 0, 'a look at the real terminal’s journal');
  });

  it('is told again where a copy of the journal is put back', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    const kit = await readyHost({ folder });
    const names = readdirSync(folder).filter((name) => name.startsWith('journal.sqlite'));
    const aside = newFolder();
    for (const name of names) renameSync(join(folder, name), join(aside, name));
    await kit.state(({ doubtsElsewhere }) => doubtsElsewhere === 0, 'a look');
    for (const name of names) renameSync(join(aside, name), join(folder, name));
    const state = await kit.state(({ doubtsElsewhere }) => doubtsElsewhere !== 0, 'another look');
    expect(state.doubtsElsewhere).toBe(1);
  });

  it('is not looked up any more once the bridge has stopped', async () => {
    const timersAfter = async (starts: number) => {
      const kit = await readyHost();
      for (let start = 1; start < starts; start += 1)
        await kit.save(({ bridge }) => (bridge.makeReferences = !bridge.makeReferences));
      await kit.host.stop();
      // What waits for a terminal that is gone is soon over.
      await kit.clock.advance(20_000);
      return kit.clock.waiting;
    };
    expect(await timersAfter(3)).toBe(await timersAfter(1));
  });

  it('is told at the start as well', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    const { warnings } = await newHost({ folder, flags: { terminal: 'simulator' } }).host.start();
    expect(warnings).toEqual([expect.stringContaining('On the real terminal something is in doubt')]);
  });

  it('is not told of where there is none', async () => {
    const kit = await readyHost();
    expect(kit.host.state()).toMatchObject({ doubtsElsewhere: 0, discrepanciesElsewhere: 0 });
    expect(kit.host.state().unreadableElsewhere).toBeUndefined();
  });
});

describe('a journal of the real terminal that cannot be read', () => {
  const nobodyCanTell = (folder: string) => [
    `Nobody can tell what is in doubt on the real terminal: the journal in ${folder} is damaged. "tillbridge journal repair --data-dir ${shellWord(folder)} --by NAME --reason TEXT" repairs it.`,
  ];

  /** A host whose real terminal cannot be reached. */
  async function realHost(folder: string): Promise<HostKit> {
    const kit = newHost({ folder });
    await kit.host.start();
    await kit.save(({ bridge }) => (bridge.terminal = 'tcp:127.0.0.1:1'));
    return kit;
  }

  it.each(['before it was opened', 'while it was open'])(
    'and was damaged %s keeps the simulator from being chosen until it is repaired',
    async (when) => {
      const folder = newFolder();
      seedOpenSale(folder, 'REAL-1');
      if (when === 'before it was opened') damage(folder);
      const kit = await realHost(folder);
      if (when === 'while it was open') tamper(folder, "UPDATE events SET body = '{'");
      const { doubts } = await kit.state(({ journal }) => !journal.writable, 'the damage');
      expect(doubts).toEqual([]);
      const { settings } = await kit.invoke('settings', {});
      const simulated = { ...settings, bridge: { ...settings.bridge, terminal: 'simulator' } };
      const refusal = await kit.refusal('saveSettings', simulated);
      expect(refusal).toMatchObject({
        code: 'journal_unavailable',
        message: expect.stringContaining(
          `repair the journal first, with "tillbridge journal repair --data-dir ${shellWord(folder)} --by NAME --reason TEXT".`,
        ) as string,
      });
      expect(bridgeSentence(refusal.message, 'de')).toContain('reparieren Sie zuerst das Journal');
      // Whatever keeps the journal is allowed.
      await kit.save(({ bridge }) => (bridge.makeReferences = true));
      await kit.host.stop();

      const { clock } = kit;
      repairJournal({
        folder,
        by: 'Ada',
        reason: 'the disk',
        version: '9.9.9',
        clock,
        log: silentLog,
        uuid: randomUUID,
      });
      const repaired = newHost({ folder });
      await repaired.host.start();
      for (const { operationId } of repaired.host.state().doubts)
        await repaired.invoke('resolve', {
          operationId,
          resolution: 'not-charged',
          by: 'Ada',
          reason: 'day list',
          terminalUnreachable: true,
        });
      await repaired.invoke('saveSettings', simulated);
      expect(repaired.host.state().terminal?.simulated).toBe(true);
    },
  );

  it('of another terminal than the main one is named in the command that repairs it', async () => {
    const folder = newFolder();
    const bar = join(folder, 'terminals', 'bar');
    seedOpenSale(bar, 'REAL-1');
    damage(bar);
    const kit = await realHost(folder);
    const { settings } = await kit.invoke('settings', {});
    const simulated = { ...settings, bridge: { ...settings.bridge, terminal: 'simulator' } };
    const { code, message } = await kit.refusal('saveSettings', simulated);
    expect(code).toBe('journal_unavailable');
    const command = `tillbridge journal repair --data-dir ${shellWord(folder)} --for bar --by NAME --reason TEXT`;
    expect(message).toContain(`with "${command}".`);
    expect(bridgeSentence(message, 'de')).toContain(`mit „${command}“.`);
  });

  it('is warned of where the simulator starts', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    damage(folder);
    const { host } = newHost({ folder, flags: { terminal: 'simulator' } });
    const { warnings } = await host.start();
    expect(warnings).toEqual(nobodyCanTell(folder));
    expect(host.state()).toMatchObject({ doubtsElsewhere: 0, unreadableElsewhere: [folder] });
  });

  it('is warned of no more once it was repaired', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    damage(folder);
    const kit = await readyHost({ folder });
    expect(kit.host.state().unreadableElsewhere).toEqual([folder]);
    const repair = ['journal', 'repair', '--by', 'Ada', '--reason', 'the disk', '--data-dir', folder];
    expect(await run(repair)).toMatchObject({ exitCode: 0 });
    await kit.state(({ unreadableElsewhere }) => unreadableElsewhere === undefined, 'another look');
  });

  it('is warned of also when it has been set aside', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    damage(folder);
    await (await realHost(folder)).host.stop();
    const { warnings } = await newHost({ folder, flags: { terminal: 'simulator' } }).host.start();
    expect(warnings).toEqual(nobodyCanTell(folder));
  });

  it('but is of a newer version is not said to be damaged', async () => {
    const folder = newFolder();
    seedOpenSale(folder, 'REAL-1');
    tamper(folder, 'PRAGMA user_version = 99');
    const { warnings } = await newHost({ folder, flags: { terminal: 'simulator' } }).host.start();
    expect(warnings).toEqual([
      `Nobody can tell what is in doubt on the real terminal. The journal in ${folder} was written by a newer Tillbridge (format 99). Use that version.`,
    ]);
  });
});

/** Overwrites the journal in its place. */
function damage(folder: string): void {
  const file = join(folder, 'journal.sqlite');
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(statSync(file).size, 7), 0);
  closeSync(handle);
}

describe('a payment during which the computer sleeps', () => {
  it('is in doubt, and cleared up by the terminal’s record after it has woken', async () => {
    const kit = await asleepDuringPayment({});
    const state = await kit.state(
      ({ doubts, terminal }) => doubts.length === 1 && terminal?.connection === 'lost',
      'the doubt',
    );
    expect(state.doubts[0]).toMatchObject({ reference: 'A-7', amount: '12.07', kind: 'sale' });
    expect(state).toMatchObject({ lastPayment: null, lastEnded: null });
    await kit.change(
      (change) =>
        change.kind === 'state' && (change.state.terminal?.text.includes('The computer sleeps.') ?? false),
      'the reason',
    );
    kit.host.resume();
    await isReady(kit);
    const { lastPayment, lastEnded, doubts } = await kit.state(
      ({ lastPayment }) => lastPayment !== null,
      'a decision',
    );
    expect(doubts).toEqual([]);
    const { charged } = countsOf(readLedger(join(kit.folder, 'simulator', 'ledger.jsonl')), '12.07');
    expect(lastPayment?.status).toBe(charged === 1 ? 'approved' : 'failed');
    expect(lastEnded).toEqual({
      operationId: lastPayment?.transactionId,
      outcome: lastPayment?.status,
      at: lastPayment?.updatedAt,
    });
    expect((await kit.till().create('12.00', 'A-8', 10)).body).toMatchObject({
      transaction_status: 'approved',
    });
    // How long the computer slept, and recovery took, is no time that the terminal took for a payment.
    const span = {
      from: new Date(kit.clock.now() - 86_400_000).toISOString(),
      until: new Date(kit.clock.now() + 1).toISOString(),
    };
    const { decided, responseTimes } = await kit.invoke('today', span);
    expect(decided).toBe(2);
    expect(responseTimes).toEqual([
      { at: expect.any(String) as string, answerMs: expect.any(Number) as number, cardMs: 650 },
    ]);
  });

  it('is decided by a person, who gives name and reason for the journal', async () => {
    const kit = await asleepDuringPayment({ stopTimeoutMs: '0' });
    const { doubts } = await kit.state((state) => state.doubts.length === 1, 'the doubt');
    const operationId = doubts[0]?.operationId ?? '';
    expect(
      await sendControlRequest(join(kit.folder, 'simulator'), { ask: 'doubts' }, kit.clock),
    ).toMatchObject({
      answer: { answer: 'doubts', doubts: [{ operationId }] },
    });
    const detail = await kit.invoke('payment', { transactionId: operationId });
    expect(detail).toMatchObject({ doubtOperationId: operationId, payment: { status: 'unknown' } });

    const word = { operationId, resolution: 'not-charged', by: 'Ada', reason: 'day list' };
    expect(await kit.refusal('resolve', { ...word, by: ' ' })).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'by' }],
    });
    expect(await kit.refusal('resolve', { ...word, reason: '' })).toMatchObject({ code: 'invalid_request' });
    expect(await kit.refusal('resolve', { ...word, resolution: 'closed' })).toMatchObject({
      code: 'invalid_request',
    });
    await kit.change(
      (change) =>
        change.kind === 'log' &&
        change.lines.some(({ level, message }) => level === 'warn' && message.endsWith(': refused')),
      'a warning of what was refused',
    );
    // Nobody has seen the terminal since the computer went to sleep.
    expect(await kit.refusal('resolve', { ...word, resolution: 'not-charged' })).toMatchObject({
      code: 'terminal_busy',
    });
    const away = { kind: 'not_connected', text: expect.stringContaining('The computer sleeps.') as string };
    expect(await kit.invoke('checkTerminal', {})).toMatchObject(away);
    await kit.invoke('resolve', { ...word, resolution: 'not-charged', terminalUnreachable: true });
    await kit.state((state) => state.doubts.length === 0, 'no doubt');
    // Somebody else decides a moment later: what was decided stays.
    const later = { ...word, by: 'Kim', resolution: 'charged', terminalUnreachable: true };
    expect(await kit.refusal('resolve', later)).toMatchObject({ code: 'invalid_request' });
    const ended = kit.host.bridge?.journal?.eventsOf(operationId).at(-1)?.event;
    expect(ended).toMatchObject({
      type: 'operation_ended',
      outcome: 'failed',
      resolvedBy: { name: 'Ada', reason: 'day list', terminalUnreachable: true },
    });
    await kit.change(
      (change) =>
        change.kind === 'log' &&
        change.lines.some(({ source, fields }) => source === 'console' && fields['by'] === 'Ada'),
      'the line in the log',
    );
  });
});

describe('sleep', () => {
  it('without a payment closes the line and brings it back', async () => {
    const kit = await readyHost();
    await kit.host.suspend();
    await kit.state(({ terminal }) => terminal?.connection === 'lost', 'sleep');
    expect((await kit.till().create('12.00', 'A-1')).body).toMatchObject({ code: 'terminal_unavailable' });
    kit.host.resume();
    await isReady(kit);
    expect((await kit.till().create('12.00', 'A-1', 10)).body).toMatchObject({
      transaction_status: 'approved',
    });
  });

  it('that begins before the bridge does keeps the line closed', async () => {
    const kit = await readyHost();
    await kit.host.suspend();
    await kit.save(({ bridge }) => (bridge.makeReferences = true));
    const { terminal } = await kit.state((state) => state.terminal?.connection === 'lost', 'sleep');
    expect(terminal?.lastHeardAt).toBe(null);
    kit.host.resume();
    expect((await isReady(kit)).terminal?.lastHeardAt).not.toBe(null);
  });
});
