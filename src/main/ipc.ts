/** Messages of the window: who sends and what is sent are checked before anything is done. */
import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { z } from 'zod';
import { fileRequestSchema, type TriedNotification } from '../contract/console/index.ts';
import type { AppBridge } from './app-bridge.ts';
import { channels } from './channels.ts';
import type { MainWindow } from './main-window.ts';
import type { SmallWindow } from './small-window.ts';
import type { Translate } from '../locales/index.ts';
import { saveFile } from './save-file.ts';

/** The request itself is checked by the host, in the bridge's process, by the form that belongs to the name. */
const invokeSchema = z.tuple([z.string().min(1).max(40), z.unknown()]);
/** All that the small window needs. */
const smallInvokeSchema = z.tuple([z.enum(['state', 'settings', 'cancelPayment']), z.unknown()]);
const showSchema = z.tuple([z.string().startsWith('#/').max(200)]);
const saveSchema = z.tuple([fileRequestSchema]);

interface ServeOptions {
  t: () => Translate;
  quit(): void;
  tryNotification(): Promise<TriedNotification>;
}

/** Serves the window's methods and sends it changes, until the process ends. */
export function serveWindow(
  bridge: Pick<AppBridge, 'console' | 'log'>,
  { mainWindow, smallWindow }: { mainWindow: MainWindow; smallWindow: SmallWindow },
  { t, quit, tryNotification }: ServeOptions,
): void {
  const log = bridge.log.with({ source: 'app' });
  let saving = false;

  /** A sender that is not our page, or a message of another form, gets an error that says nothing. */
  function handle<T>(
    channel: string,
    { main, small }: { main: z.ZodType<T> | null; small: z.ZodType<T> | null },
    handler: (values: T) => Promise<unknown>,
  ): void {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...values: unknown[]) => {
      const schema = mainWindow.isSender(event) ? main : smallWindow.isSender(event) ? small : null;
      if (schema === null) {
        log.error('a message was refused: its sender is not the window', { channel, url: urlOf(event) });
        throw new Error('refused');
      }
      const parsed = schema.safeParse(values);
      if (!parsed.success) {
        log.warn('a message of the window was refused: its form is wrong', { channel });
        throw new Error('refused');
      }
      return handler(parsed.data);
    });
  }

  handle(channels.invoke, { main: invokeSchema, small: smallInvokeSchema }, ([name, request]) =>
    bridge.console.invoke(name, request),
  );
  handle(channels.save, { main: saveSchema, small: null }, async ([request]) => {
    if (saving) return { kind: 'failed', message: t()('app.alreadySaving') };
    saving = true;
    try {
      return await saveFile(request, { console: bridge.console, window: mainWindow.window, t: t() });
    } finally {
      saving = false;
    }
  });
  handle(channels.quit, { main: z.tuple([]), small: null }, () => {
    quit();
    return Promise.resolve();
  });
  handle(channels.tryNotification, { main: z.tuple([]), small: null }, () => tryNotification());
  handle(channels.show, { main: null, small: showSchema }, ([place]) => {
    mainWindow.showPlace(place);
    return Promise.resolve();
  });
  bridge.console.subscribe((change) => {
    mainWindow.send(channels.change, change);
    if (change.kind === 'state' || change.kind === 'settings') smallWindow.send(channels.change, change);
  });
}

function urlOf(event: IpcMainInvokeEvent): string {
  return (event.senderFrame?.url ?? '').slice(0, 200);
}
