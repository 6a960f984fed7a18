/** The conversations of a protocol of requests: they live as long as the line that carries none of their bytes. */
import { describe, expect, test } from 'vitest';
import { createHttpLine } from '../../../src/bridge/lines/index.ts';
import { overLine } from '../../../src/bridge/terminals/over-line.ts';
import type {
  ConnectTerminal,
  RequestProtocol,
  TerminalConnection,
  TerminalDriver,
} from '../../../src/bridge/terminals/terminal-driver.ts';
import { createSuspendableLine } from '../../../src/host/suspendable-line.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { until } from '../../support/until.ts';
import { watchDriver } from './driver-watch.ts';

interface Conversation extends TerminalConnection {
  /** The terminal ends it. */
  end(reason: string): void;
  closedWith: string[];
}

function createConversation(): Conversation {
  const handlers: ((reason: string) => void)[] = [];
  let closed = false;
  const closedWith: string[] = [];
  const end = (reason: string) => {
    if (closed) return;
    closed = true;
    for (const handler of handlers) handler(reason);
  };
  return {
    driver: {} as TerminalDriver,
    onClose: (handler) => void handlers.push(handler),
    get closed() {
      return closed;
    },
    end,
    closedWith,
    close(unsent = 'send') {
      closedWith.push(unsent);
      end('closed on this side');
      return Promise.resolve();
    },
  };
}

function rig(connect?: ConnectTerminal) {
  const conversations: Conversation[] = [];
  const suspendable = createSuspendableLine(
    createHttpLine({ host: '10.0.0.5', port: 18_080 }),
    createVirtualClock(),
  );
  const protocol = {
    connect:
      connect ??
      (() => {
        const one = createConversation();
        conversations.push(one);
        return Promise.resolve(one);
      }),
  } as unknown as RequestProtocol;
  const failures: string[] = [];
  const { connect: open } = overLine(protocol, async (signal, onFailure) => {
    while (!signal.aborted) {
      try {
        return await suspendable.line.open(signal);
      } catch (error) {
        onFailure(String(error), 0);
      }
    }
    return null;
  });
  const opening = new AbortController();
  return {
    conversations,
    suspendable,
    failures,
    opening,
    open: () => open(watchDriver().owner, opening.signal, (reason) => void failures.push(reason)),
  };
}

describe('a conversation over a line without bytes', () => {
  test('ends when the computer sleeps, with that reason, and drops what is under way', async () => {
    const { suspendable, conversations, open } = rig();
    const connection = await open();
    const reasons: string[] = [];
    connection?.onClose((reason) => reasons.push(reason));
    await suspendable.suspend();
    await until(() => reasons.length > 0);
    expect(reasons).toEqual(['The computer sleeps.']);
    expect(conversations[0]?.closedWith).toEqual(['drop']);
    expect(connection?.closed).toBe(true);
  });

  test('ends with the terminal’s own reason, once, and frees the line', async () => {
    const { conversations, open } = rig();
    const connection = await open();
    const reasons: string[] = [];
    connection?.onClose((reason) => reasons.push(reason));
    conversations[0]?.end('three requests without an answer');
    await until(() => reasons.length > 0);
    await connection?.close();
    expect(reasons).toEqual(['three requests without an answer']);
    expect(connection?.closed).toBe(true);
  });

  test('is tried again when the line ends before there is one', async () => {
    const conversations: Conversation[] = [];
    const tries: AbortSignal[] = [];
    const { suspendable, failures, open } = rig((_watch, signal) => {
      tries.push(signal);
      if (tries.length > 1) {
        const one = createConversation();
        conversations.push(one);
        return Promise.resolve(one);
      }
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    });
    const connecting = open();
    await until(() => tries.length === 1);
    await suspendable.suspend();
    await until(() => failures.length === 1);
    expect(failures[0]).toContain('The computer sleeps.');
    suspendable.resume();
    const connection = await connecting;
    expect(conversations).toHaveLength(1);
    expect(connection?.closed).toBe(false);
  });

  test('is given up when nobody wants it any more', async () => {
    let tries = 0;
    const { opening, open } = rig((_watch, signal) => {
      tries += 1;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    });
    const connecting = open();
    await until(() => tries === 1);
    opening.abort();
    expect(await connecting).toBe(null);
  });
});
