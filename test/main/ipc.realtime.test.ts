/** Messages to the main process: only the window's own page may send, and only in the declared form. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canLaunchDesktop, launchDesktop, type Desktop } from '../support/desktop.ts';

interface PageGlobals {
  tillbridge: {
    invoke(name: unknown, request?: unknown): Promise<unknown>;
    save(request: unknown): Promise<unknown>;
  };
}

describe.skipIf(!canLaunchDesktop())('messages of the window', () => {
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await launchDesktop();
    await desktop.till();
  });
  afterAll(() => desktop.close());

  /** What the page gets: the answer, or the words of the error. */
  const invoke = (name: unknown, request: unknown) =>
    desktop.window.evaluate(
      ([name, request]) =>
        (globalThis as unknown as PageGlobals).tillbridge
          .invoke(name, request)
          .catch((error: Error) => error.message),
      [name, request] as const,
    );
  const save = (request: unknown) =>
    desktop.window.evaluate(
      (request) =>
        (globalThis as unknown as PageGlobals).tillbridge
          .save(request)
          .catch((error: Error) => error.message),
      request,
    );
  const loggedMessages = async () => {
    const filter = { minLevel: 'debug' as const, sources: null, text: 'refused' };
    return (await desktop.invoke('log', { filter, before: null, limit: 50 })).lines.map(
      ({ message }) => message,
    );
  };

  it('go over five channels and no others', async () => {
    const names = await desktop.app.evaluate(({ ipcMain }) => {
      const { _invokeHandlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> };
      return { asked: [..._invokeHandlers.keys()].sort(), sent: ipcMain.eventNames() };
    });
    expect(names).toEqual({
      asked: [
        'tillbridge:invoke',
        'tillbridge:quit',
        'tillbridge:save',
        'tillbridge:show',
        'tillbridge:try_notification',
      ],
      sent: [],
    });
  });

  it('are answered', async () => {
    expect(await invoke('state', {})).toMatchObject({ ok: true, value: { host: 'desktop' } });
  });

  it.each([
    ['a name that is no text', 5],
    ['no name', ''],
    ['a very long name', 'x'.repeat(1_000_000)],
    ['a list as name', ['state']],
    ['nothing', null],
  ])('are refused with %s', async (_, name) => {
    expect(await invoke(name, {})).toMatch(/refused/);
  });

  it.each(['nope', '__proto__', 'constructor', 'toString', 'makeFile'])(
    'are refused for "%s"',
    async (name) => {
      expect(await invoke(name, {})).toMatchObject({ ok: false });
    },
  );

  it.each([
    ['payment', { transactionId: { $ne: null } }],
    ['payments', { filter: null, before: 'x', limit: 1e9 }],
    ['resolve', { operationId: 'x'.repeat(100_000), resolution: 'approved', by: '', reason: '' }],
    ['cancelPayment', []],
    ['saveSettings', null],
    [
      'log',
      { filter: { minLevel: 'info', sources: null, text: 'x'.repeat(5_000_000) }, before: null, limit: 1 },
    ],
  ])('are refused for "%s" in another form', async (name, request) => {
    expect(await invoke(name, request)).toMatchObject({ ok: false });
  });

  it.each([
    ['another kind', { kind: 'private_keys' }],
    ['a path in it', '../../etc/passwd'],
    ['nothing', null],
  ])('save no file with %s', async (_, request) => {
    expect(await save(request)).toMatch(/refused/);
    expect(await loggedMessages()).toContain('a message of the window was refused: its form is wrong');
  });

  it('are refused from another window, even with the same preload and page', async () => {
    const answers = await desktop.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const webPreferences = { preload, sandbox: true, contextIsolation: true };
        const foreign = new BrowserWindow({ show: false, webPreferences });
        await foreign.loadURL('app://tillbridge/index.html');
        const call = (method: string) =>
          foreign.webContents.executeJavaScript(`tillbridge.${method}.then(() => 'done', (e) => e.message)`);
        const invoked = (await call("invoke('state', {})")) as string;
        const saved = (await call("save({ kind: 'support_bundle' })")) as string;
        foreign.destroy();
        return [invoked, saved];
      },
      path.join(desktop.appFolder, 'dist', 'preload.cjs'),
    );
    for (const answer of answers) expect(answer).toMatch(/refused/);
    expect(await loggedMessages()).toContain('a message was refused: its sender is not the window');
  });

  describe('that save a file', () => {
    const downloads = () => path.join(desktop.home, 'chosen');
    /** Chooses a place as the user would; null cancels. */
    const choose = (file: string | null) =>
      desktop.app.evaluate(({ dialog }, file) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: file === null, filePath: file ?? '' });
      }, file);
    beforeAll(() => mkdirSync(downloads()));

    it('write it where the user says', async () => {
      const file = path.join(downloads(), 'bundle.zip');
      await choose(file);
      expect(await save({ kind: 'support_bundle' })).toEqual({ kind: 'saved', name: 'bundle.zip' });
      expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
      expect(readdirSync(downloads())).toEqual(['bundle.zip']);
    });

    it('write what the window shows as a PDF', async () => {
      const file = path.join(downloads(), 'receipt.pdf');
      await choose(file);
      expect(await save({ kind: 'page_pdf', name: 'receipt-A-1' })).toEqual({
        kind: 'saved',
        name: 'receipt.pdf',
      });
      expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
      rmSync(file);
      await choose(null);
      expect(await save({ kind: 'page_pdf', name: 'receipt-A-1' })).toEqual({ kind: 'cancelled' });
    });

    it('write nothing when the user cancels', async () => {
      await choose(null);
      expect(await save({ kind: 'support_bundle' })).toEqual({ kind: 'cancelled' });
    });

    it('say why they cannot, and leave what is there', async () => {
      const taken = path.join(downloads(), 'taken');
      writeFileSync(taken, 'precious');
      await choose(path.join(taken, 'bundle.zip'));
      expect(await save({ kind: 'support_bundle' })).toMatchObject({
        kind: 'failed',
        message: expect.stringMatching(/ENOTDIR|EEXIST/),
      });
      expect(readFileSync(taken, 'utf8')).toBe('precious');
    });
  });
});
