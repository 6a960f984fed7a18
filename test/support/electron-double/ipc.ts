/** Messages between windows and the main process. They travel as JSON. */
import { EventEmitter } from 'node:events';

/** A message as `page-worlds.js` posts it. */
export type FromWindow =
  | { kind: 'send'; name: string; values: unknown[] }
  | { kind: 'invoke'; number: number; name: string; values: unknown[] };

/** A message as `page-worlds.js` takes it. */
export type ToWindow =
  | { kind: 'message'; name: string; values: unknown[] }
  | { kind: 'reply'; number: number; ok: true; value: unknown }
  | { kind: 'reply'; number: number; ok: false; message: string };

type Handler = (event: object, ...values: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  private readonly handlers = new Map<string, Handler>();
  /** The name that Electron has for it, so that tests can look at it in both. */
  readonly _invokeHandlers = this.handlers;

  handle(name: string, handler: Handler): void {
    if (this.handlers.has(name)) throw new Error(`Attempted to register a second handler for '${name}'`);
    this.handlers.set(name, handler);
  }
  removeHandler(name: string): void {
    this.handlers.delete(name);
  }

  /** For web-contents.ts alone. Null: nothing to answer. */
  async take(message: FromWindow, event: object): Promise<ToWindow | null> {
    if (message.kind === 'send') {
      this.emit(message.name, event, ...message.values);
      return null;
    }
    const { number, name, values } = message;
    try {
      const handler = this.handlers.get(name);
      if (handler === undefined) throw new Error(`No handler registered for '${name}'`);
      return { kind: 'reply', number, ok: true, value: await handler(event, ...values) };
    } catch (error) {
      const words = error instanceof Error ? String(error) : `Error: ${String(error)}`;
      return {
        kind: 'reply',
        number,
        ok: false,
        message: `Error invoking remote method '${name}': ${words}`,
      };
    }
  }
}

export const ipcMain = new IpcMain();
