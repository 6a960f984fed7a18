/** Processes that end, hang or are held up: the money stays right, the console says what happened, the app comes back. */
import { readdirSync, readFileSync, rmSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  canLaunchDesktop,
  launchDesktop,
  onRealElectron,
  type Desktop,
  type DesktopOptions,
} from '../support/desktop.ts';
import { countsOf, readLedger } from '../support/ledger.ts';
import { runTillbridge, type Program } from '../support/programs.ts';

/** What the double kept; see test/support/electron-double/records.ts. */
interface DoubleWorld {
  electronDouble: {
    dialogs: { kind: string }[];
    hardwareAcceleration: boolean;
    crashReporter: { uploadToServer: boolean } | null;
    keyStoreQuestions: number;
  };
}

/** A payment takes some seconds at this pace: long enough for what happens beside it. */
const pace = '3';

describe.skipIf(!canLaunchDesktop())('the app', () => {
  let open: Desktop[] = [];
  let programs: Program[] = [];
  let folders: string[] = [];
  async function launch(options: DesktopOptions = {}): Promise<Desktop> {
    const desktop = await launchDesktop(options);
    open.push(desktop);
    return desktop;
  }
  afterEach(async () => {
    for (const desktop of open) await desktop.close();
    for (const program of programs) await program.end();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    open = [];
    programs = [];
    folders = [];
  });

  function newFolder(): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-faults-'));
    folders.push(folder);
    return folder;
  }

  /** A terminal that does not end with the app; gives its address. */
  async function terminal(ledger = path.join(newFolder(), 'ledger.jsonl')): Promise<string> {
    const simulator = runTillbridge(['simulator', '--tcp', '0', '--pace', pace, '--ledger', ledger]);
    programs.push(simulator);
    const [, port] = await simulator.printed(/tcp:127\.0\.0\.1:(\d+)/);
    return `tcp:127.0.0.1:${port}`;
  }

  async function startPayment(desktop: Desktop, reference: string) {
    const till = await desktop.till();
    await till.create('12.00', reference);
    await desktop.stateWith((state) => state.currentOperation !== null);
    return till;
  }
  const statusOf = (answer: { body: Record<string, unknown> }) => answer.body['transaction_status'];

  const bridgeProcess = (desktop: Desktop) =>
    desktop.app.evaluate(
      ({ app }) => app.getAppMetrics().find(({ name }) => name === 'Tillbridge bridge')?.pid ?? 0,
    );
  function isAlive(processId: number): boolean {
    try {
      process.kill(processId, 0);
      return true;
    } catch {
      return false;
    }
  }
  const recorded = (desktop: Desktop) =>
    desktop.app.evaluate(() => {
      const { dialogs, hardwareAcceleration, crashReporter, keyStoreQuestions } = (
        globalThis as unknown as DoubleWorld
      ).electronDouble;
      return { dialogs, hardwareAcceleration, crashReporter, keyStoreQuestions };
    });
  /** What the journal says in the end, read after the app is gone. */
  async function journalOf(desktop: Desktop): Promise<string> {
    const exported = runTillbridge(['journal', 'export', '--data-dir', desktop.dataDir]);
    expect(await exported.exited).toBe(0);
    return exported.output();
  }

  it('takes a payment while its main process is held up, as by a window that is dragged', async () => {
    const desktop = await launch({ terminal: await terminal() });
    const till = await startPayment(desktop, 'HELD-1');
    let heldUp = true;
    const held = desktop.app
      .evaluate(() => {
        const until = Date.now() + 10_000;
        while (Date.now() < until);
      })
      .then(() => (heldUp = false));
    expect(statusOf(await till.query('HELD-1', 20))).toBe('approved');
    expect(statusOf(await till.create('5.00', 'HELD-2'))).toBe('in_progress');
    expect(heldUp).toBe(true);
    await held;
    expect(statusOf(await till.query('HELD-2', 20))).toBe('approved');
    expect(await desktop.stateWith(({ lastPayment }) => lastPayment?.reference === 'HELD-2')).toMatchObject({
      doubts: [],
    });
  });

  it('starts the bridge again when it is killed, says so, and finds out what became of the payment', async () => {
    const ledger = path.join(newFolder(), 'ledger.jsonl');
    const desktop = await launch({ terminal: await terminal(ledger) });
    await startPayment(desktop, 'KILLED-1');
    const killed = await bridgeProcess(desktop);
    process.kill(killed, 'SIGKILL');
    const banner = desktop.window.getByText('The bridge stopped unexpectedly');
    await banner.waitFor();
    const state = await desktop.stateWith(
      ({ bridge, doubts, currentOperation }) =>
        bridge.kind === 'running' && doubts.length === 0 && currentOperation === null,
    );
    expect(state.fault).toMatchObject({ part: 'bridge', runsSince: expect.any(String) as string });
    expect(await bridgeProcess(desktop)).not.toBe(killed);
    const till = await desktop.till();
    // The terminal says what is true: it may have given up when nobody was there to answer.
    const { charged, autoReversed } = countsOf(readLedger(ledger), '12.00');
    expect(statusOf(await till.query('KILLED-1', 20))).toBe(charged > autoReversed ? 'approved' : 'failed');
    await desktop.window.getByText('It has been running again since').waitFor();
    await desktop.window.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(readdirSync(path.join(desktop.dataDir, 'crashes'))).toEqual([
      expect.stringMatching(/^fault-.*-bridge\.txt$/),
    ]);
  });

  it('leaves no bridge behind when its main process is killed: the payment ends, and then the bridge', async () => {
    const home = newFolder();
    const desktop = await launch({ home, terminal: await terminal() });
    await startPayment(desktop, 'ORPHAN-1');
    const orphan = await bridgeProcess(desktop);
    desktop.app.process().kill('SIGKILL');
    await desktop.exited;
    await expect.poll(() => isAlive(orphan)).toBe(false);
    expect(await journalOf(desktop)).toMatch(/ORPHAN-1[^]*approved/);
  });

  it.skipIf(onRealElectron)(
    'starts again after a fault of its own, without a box, once the payment has ended',
    async () => {
      const home = newFolder();
      const line = await terminal();
      const desktop = await launch({ home, terminal: line });
      expect(await recorded(desktop)).toMatchObject({ crashReporter: { uploadToServer: false } });
      await startPayment(desktop, 'FAULT-1');
      // The card number of a test card, as a fault might carry one.
      await desktop.app.evaluate(() => {
        setTimeout(() => {
          throw new Error('planted 4111 1111 1111 1111');
        });
      });
      expect(await desktop.exited).toBe(1);
      expect(desktop.output()).toContain('electron double: starts again with');
      expect(desktop.output()).toContain('"--after-fault"');
      const crashes = path.join(desktop.dataDir, 'crashes');
      const [report = ''] = readdirSync(crashes).filter((name) => name.endsWith('-app.txt'));
      const text = readFileSync(path.join(crashes, report), 'utf8');
      expect(text).toMatch(/^tillbridge: \d/m);
      expect(text).toContain('planted');
      expect(text).not.toContain('4111 1111 1111 1111');
      expect(await journalOf(desktop)).toMatch(/FAULT-1[^]*approved/);

      const next = await launch({ home, terminal: line, arguments: ['--after-fault'] });
      const state = await next.stateWith(({ bridge }) => bridge.kind === 'running');
      expect(state.fault).toMatchObject({ part: 'app', runsSince: expect.any(String) as string });
      expect(state.fault?.text).toMatch(/^planted/);
      await next.window.getByText('Tillbridge stopped unexpectedly').waitFor();
      expect((await recorded(next)).dialogs).toEqual([]);
    },
  );

  it.skipIf(onRealElectron)('draws without the graphics card once that has failed too often', async () => {
    const home = newFolder();
    const desktop = await launch({ home });
    await desktop.till();
    const crash = () =>
      desktop.app.evaluate(
        ({ app }) =>
          void app.emit(
            'child-process-gone',
            {},
            { type: 'GPU', reason: 'crashed', exitCode: 5, name: 'GPU' },
          ),
      );
    await crash();
    await crash();
    expect(await desktop.stateWith(({ bridge }) => bridge.kind === 'running')).toBeTruthy();
    await crash();
    expect(await desktop.exited).toBe(0);
    expect(desktop.output()).toContain('electron double: starts again with');
    const next = await launch({ home });
    expect(await recorded(next)).toMatchObject({ hardwareAcceleration: false });
  });

  it.skipIf(onRealElectron)('asks no key store where no secret is stored', async () => {
    const desktop = await launch();
    await desktop.till();
    expect(await recorded(desktop)).toMatchObject({ keyStoreQuestions: 0 });
  });
});
