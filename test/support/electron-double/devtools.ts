/** Chromium's DevTools protocol over its pipe: JSON messages, each ended by a zero byte. */
import type { Readable, Writable } from 'node:stream';

export interface DevToolsSession {
  send<Answer = unknown>(method: string, params?: object): Promise<Answer>;
  /** The listener names the type of what it is told. */
  on(event: string, listener: (params: never) => void): void;
}

/** The session of the browser itself. */
export interface DevTools extends DevToolsSession {
  /** A session of one page. */
  attach(targetId: string): Promise<DevToolsSession>;
}

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

interface Waiting {
  resolve(result: never): void;
  reject(error: Error): void;
}

export function talkOverPipe(toBrowser: Writable, fromBrowser: Readable): DevTools {
  const waiting = new Map<number, Waiting>();
  /** By session and event. */
  const listeners = new Map<string, ((params: never) => void)[]>();
  let lastId = 0;
  let unread = '';

  fromBrowser.setEncoding('utf8');
  fromBrowser.on('data', (piece: string) => {
    const messages = (unread + piece).split('\0');
    unread = messages.pop() ?? '';
    for (const message of messages) take(JSON.parse(message) as Message);
  });
  // The browser ends while something is still being said to it: nobody is left who could mind.
  toBrowser.on('error', () => {});
  fromBrowser.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium has ended'));
    waiting.clear();
  });

  function take(message: Message): void {
    if (message.id === undefined) {
      const key = `${message.sessionId ?? ''} ${message.method}`;
      for (const listener of listeners.get(key) ?? []) listener(message.params as never);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result as never);
    else asked?.reject(new Error(message.error.message));
  }

  function sessionOf(sessionId: string | undefined): DevToolsSession {
    return {
      send<Answer>(method: string, params: object = {}) {
        const id = (lastId += 1);
        return new Promise<Answer>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          toBrowser.write(`${JSON.stringify({ id, sessionId, method, params })}\0`);
        });
      },
      on(event, listener) {
        const key = `${sessionId ?? ''} ${event}`;
        listeners.set(key, [...(listeners.get(key) ?? []), listener]);
      },
    };
  }

  const browser = sessionOf(undefined);
  return {
    ...browser,
    async attach(targetId) {
      const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', {
        targetId,
        flatten: true,
      });
      return sessionOf(sessionId);
    },
  };
}
