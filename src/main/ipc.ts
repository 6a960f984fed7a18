/** Messages of the window: who sends and what is sent are checked before anything is done. */
import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { z } from 'zod';
import { fileRequestSchema } from '../contract/console/index.ts';
import type { AppBridge } from './app-bridge.ts';
import { channels } from './channels.ts';
import type { MainWindow } from './main-window.ts';
import type { Translate } from '../locales/index.ts';
import { saveFile } from './save-file.ts';

/** The request itself is checked by the host, in the bridge's process, by the form that belongs to the name. */
const invokeSchema = z.tuple([z.string().min(1).max(40), z.unknown()]);
const saveSchema = z.tuple([fileRequestSchema]);

/** Serves the window's methods and sends it changes, until the process ends. */
export function serveWindow(
  bridge: Pick<AppBridge, 'console' | 'log'>,
  mainWindow: MainWindow,
  { t, quit }: { t: () => Translate; quit(): void },
): void {
  const log = bridge.log.with({ source: 'app' });
  let saving = false;

  /** A sender that is not our page, or a message of another form, gets an error that says nothing. */
  function handle<T>(channel: string, schema: z.ZodType<T>, handler: (values: T) => Promise<unknown>): void {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...values: unknown[]) => {
      if (!mainWindow.isSender(event)) {
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

  handle(channels.invoke, invokeSchema, ([name, request]) => bridge.console.invoke(name, request));
  handle(channels.save, saveSchema, async ([request]) => {
    if (saving) return { kind: 'failed', message: t()('app.alreadySaving') };
    saving = true;
    try {
      return await saveFile(request, { console: bridge.console, window: mainWindow.window, t: t() });
    } finally {
      saving = false;
    }
  });
  handle(channels.quit, z.tuple([]), () => {
    quit();
    return Promise.resolve();
  });
  bridge.console.subscribe((change) => mainWindow.send(channels.change, change));
}

function urlOf(event: IpcMainInvokeEvent): string {
  return (event.senderFrame?.url ?? '').slice(0, 200);
}
