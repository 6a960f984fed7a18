/** The app's life around payments: the window comes and goes, the computer sleeps, the user quits; the bridge stays. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, describe, expect, it } from 'vitest';
import {
  canLaunchDesktop,
  desktopEnvironment,
  electronExecutable,
  launchDesktop,
  onRealElectron,
  type Desktop,
  type DesktopOptions,
} from '../support/desktop.ts';
import { runTillbridge } from '../support/programs.ts';

/** A payment takes some seconds at this pace: long enough for what happens beside it. */
const slow = { TILLBRIDGE_PACE: '4' };
/** A payment that does not end while a busy machine quits; the terminal is at it after the next start, too. */
const verySlow = { TILLBRIDGE_PACE: '15' };

describe.skipIf(!canLaunchDesktop())('the app', () => {
  let open: Desktop[] = [];
  async function launch(options: DesktopOptions = {}): Promise<Desktop> {
    const desktop = await launchDesktop(options);
    open.push(desktop);
    return desktop;
  }
  afterEach(async () => {
    for (const desktop of open) await desktop.close();
    open = [];
  });

  const onWindow = <T>(desktop: Desktop, look: (window: BrowserWindow) => T): Promise<T> =>
    // The function travels as text, as in every `evaluate`.
    desktop.app.evaluate(
      ({ BrowserWindow }, look) =>
        // oxlint-disable-next-line no-implied-eval
        (new Function(`return (${look})(arguments[0])`) as (window: unknown) => T)(
          BrowserWindow.getAllWindows()[0],
        ),
      look.toString(),
    );
  const isVisible = (desktop: Desktop) => onWindow(desktop, (window) => window.isVisible());

  /** A window is shown once its page is ready, so nobody closes it before. */
  async function closeWindow(desktop: Desktop): Promise<void> {
    await expect.poll(() => isVisible(desktop)).toBe(true);
    await onWindow(desktop, (window) => window.close());
  }

  /** A payment that is on the terminal now. */
  async function startPayment(desktop: Desktop, reference: string) {
    const till = await desktop.till();
    await till.create('12.00', reference);
    await desktop.stateWith((state) => state.currentOperation !== null);
    return till;
  }
  const statusOf = (answer: { body: Record<string, unknown> }) => answer.body['transaction_status'];

  /** What the journal says in the end, read after the app is gone. */
  async function journalOf(desktop: Desktop): Promise<string> {
    const exported = runTillbridge(['journal', 'export', '--simulator', '--data-dir', desktop.dataDir]);
    expect(await exported.exited).toBe(0);
    return exported.output();
  }

  it('goes on when the window is closed', async () => {
    const desktop = await launch();
    const till = await desktop.till();
    await closeWindow(desktop);
    expect(await isVisible(desktop)).toBe(false);
    expect(statusOf(await till.create('12.00', 'CLOSED-1', 20))).toBe('approved');
  });

  it.skipIf(onRealElectron)('says once that it goes on', async () => {
    const desktop = await launch();
    const notifications = () =>
      desktop.app.evaluate(
        () =>
          (globalThis as unknown as { electronDouble: { notifications: { title: string }[] } }).electronDouble
            .notifications,
      );
    for (const round of [1, 2]) {
      await onWindow(desktop, (window) => window.show());
      await onWindow(desktop, (window) => window.close());
      expect(await notifications(), `round ${round}`).toMatchObject([
        { title: 'Tillbridge is still running' },
      ]);
    }
  });

  it('shows the window of the first when it is started a second time', async () => {
    const desktop = await launch();
    await closeWindow(desktop);
    const second = spawn(electronExecutable(), ['--no-sandbox', desktop.appFolder], {
      env: desktopEnvironment(desktop.home, {}),
      stdio: 'ignore',
    });
    expect((await once(second, 'exit'))[0]).toBe(0);
    await expect.poll(() => isVisible(desktop)).toBe(true);
  });

  it('stays hidden when it starts with the computer', async () => {
    const desktop = await launch({ arguments: ['--hidden'] });
    await desktop.till();
    expect(await isVisible(desktop)).toBe(false);
  });

  it('loads the window again, and the payment goes on', async () => {
    const desktop = await launch({ environment: slow });
    const till = await startPayment(desktop, 'RELOAD-1');
    await desktop.window.reload();
    const { currentOperation } = await desktop.invoke('state', {});
    expect(currentOperation).toMatchObject({ reference: 'RELOAD-1' });
    expect(statusOf(await till.query('RELOAD-1', 20))).toBe('approved');
  });

  it.each([
    ['breaks down', (window: BrowserWindow) => window.webContents.forcefullyCrashRenderer()],
    ['hangs', (window: BrowserWindow) => void window.emit('unresponsive')],
  ])('shows the window again when it %s, and the payment goes on', async (_, harm) => {
    const desktop = await launch({ environment: slow });
    const till = await startPayment(desktop, 'CRASH-1');
    const comesBack = desktop.app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          contents?.once('render-process-gone', () => contents.once('did-finish-load', () => resolve()));
        }),
    );
    await onWindow(desktop, harm);
    await comesBack;
    expect(statusOf(await till.query('CRASH-1'))).toBe('in_progress');
    const reference = await onWindow(desktop, (window) =>
      window.webContents.executeJavaScript(
        "tillbridge.invoke('state', {}).then((reply) => reply.value.currentOperation.reference)",
      ),
    );
    expect(reference).toBe('CRASH-1');
    expect(statusOf(await till.query('CRASH-1', 20))).toBe('approved');
    // The till may hear of the end before the app does, which until then would ask before it quits.
    const situation = () =>
      onWindow(desktop, (window) =>
        window.webContents.executeJavaScript("document.querySelector('.till-now').dataset.situation"),
      );
    await expect.poll(situation).not.toBe('operation');
    await desktop.app.close();
    expect(await journalOf(desktop)).toMatch(/CRASH-1[^]*approved/);
  });

  it('closes the line when the computer sleeps, and opens it after', async () => {
    const desktop = await launch();
    const till = await desktop.till();
    await desktop.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('suspend'));
    await desktop.stateWith((state) => state.terminal?.connection === 'lost');
    await desktop.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
    await desktop.stateWith((state) => state.terminal?.connection === 'ready');
    expect(statusOf(await till.create('12.00', 'AWAKE-1', 20))).toBe('approved');
  });

  it.skipIf(onRealElectron)('keeps the computer awake while a payment is on the terminal', async () => {
    const desktop = await launch({ environment: slow });
    const blockers = () =>
      desktop.app.evaluate(() => [
        ...(
          globalThis as unknown as { electronDouble: { powerSaveBlockers: Map<number, string> } }
        ).electronDouble.powerSaveBlockers.values(),
      ]);
    const till = await startPayment(desktop, 'AWAKE-2');
    await expect.poll(blockers).toEqual(['prevent-app-suspension']);
    expect(statusOf(await till.query('AWAKE-2', 20))).toBe('approved');
    await expect.poll(blockers).toEqual([]);
    // The bridge goes with a payment on the terminal: nothing holds the computer awake for it.
    await startPayment(desktop, 'AWAKE-3');
    await expect.poll(blockers).toHaveLength(1);
    const { child } = await desktop.app.evaluate(({ app }) => ({
      child: app.getAppMetrics().find(({ name }) => name === 'Tillbridge bridge')?.pid ?? 0,
    }));
    process.kill(child, 'SIGKILL');
    await expect.poll(blockers).toEqual([]);
  });

  it('says in its log that the computer slept', async () => {
    const desktop = await launch({ environment: slow });
    await startPayment(desktop, 'ASLEEP-1');
    for (const event of ['suspend', 'resume', 'on-battery', 'on-ac']) {
      await desktop.app.evaluate(
        ({ powerMonitor }, event) => void powerMonitor.emit(event as 'resume'),
        event,
      );
    }
    const filter = { minLevel: 'debug' as const, sources: ['app'], text: null };
    const said = async () =>
      (await desktop.invoke('log', { filter, before: null, limit: 50 })).lines.map(({ message }) => message);
    await expect.poll(said).toEqual(
      expect.arrayContaining([
        // With the payment, unless that has ended meanwhile on a busy machine.
        expect.stringMatching(/^the computer goes to sleep/),
        'the computer is awake again; the terminal is checked',
        'the computer runs on its battery',
        'the computer has mains power again',
      ]),
    );
    await desktop.stateWith((state) => state.terminal?.connection === 'ready');
  });

  describe('that shall quit', () => {
    /** Chooses a button of every message box from now on, and keeps what it said. */
    const choose = (desktop: Desktop, button: number) =>
      desktop.app.evaluate(({ dialog }, button) => {
        const world = globalThis as unknown as { asked: object[] };
        world.asked = [];
        dialog.showMessageBox = (...parameters: object[]) => {
          world.asked.push(parameters.at(-1) ?? {});
          return Promise.resolve({ response: button, checkboxChecked: false });
        };
      }, button);
    const asked = (desktop: Desktop) =>
      desktop.app.evaluate(() => (globalThis as unknown as { asked: object[] }).asked);
    const quit = (desktop: Desktop) => desktop.app.evaluate(({ app }) => app.quit());

    it('does so at once when nothing is under way', async () => {
      const desktop = await launch();
      await desktop.till();
      await desktop.app.close();
      expect(await desktop.exited).toBe(0);
    });

    it('asks while a payment is under way, and stays if the user cancels', async () => {
      const desktop = await launch({ environment: slow });
      const till = await startPayment(desktop, 'STAY-1');
      await choose(desktop, 2);
      await quit(desktop);
      await expect
        .poll(() => asked(desktop))
        .toMatchObject([
          {
            message: 'A payment is running on the terminal.',
            detail: expect.stringMatching(/€12\.00, STAY-1/),
            buttons: ['Wait, then quit', 'Quit anyway', 'Cancel'],
          },
        ]);
      expect(statusOf(await till.query('STAY-1', 20))).toBe('approved');
    });

    it('waits for the payment if the user says so', async () => {
      const desktop = await launch({ environment: slow });
      await startPayment(desktop, 'WAIT-1');
      await choose(desktop, 0);
      await quit(desktop);
      expect(await desktop.exited).toBe(0);
      expect(await journalOf(desktop)).toMatch(/WAIT-1[^]*approved/);
    });

    it('leaves the payment to the next start if the user says so', async () => {
      const desktop = await launch({ environment: verySlow });
      await startPayment(desktop, 'NOW-1');
      await choose(desktop, 1);
      await quit(desktop);
      expect(await desktop.exited).toBe(0);
      // The record from before the payment may be an approved one.
      expect(await journalOf(desktop)).not.toContain('"outcome":"approved"');
      const next = await launch({ home: desktop.home });
      const till = await next.till();
      await next.stateWith((state) => state.doubts.length === 0);
      expect(['approved', 'failed']).toContain(statusOf(await till.query('NOW-1')));
    });

    it.each(['SIGTERM', 'SIGINT'] as const)('asks nobody on %s, and lets the payment end', async (signal) => {
      const desktop = await launch({ environment: slow });
      await startPayment(desktop, 'SIGNAL-1');
      await choose(desktop, 2);
      desktop.app.process().kill(signal);
      expect(await desktop.exited).toBe(0);
      expect(await journalOf(desktop)).toMatch(/SIGNAL-1[^]*approved/);
    });

    it('asks nobody when the computer shuts down', async () => {
      const desktop = await launch();
      await desktop.till();
      await choose(desktop, 2);
      await desktop.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('shutdown'));
      expect(await desktop.exited).toBe(0);
    });
  });
});
