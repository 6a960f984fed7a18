/** One connection of the terminal: bytes to link to conversation, and what happens to it from outside. */
import type { LineConnection } from '../bridge/lines/line.ts';
import { decodeMessage } from '../bridge/terminals/zvt/wire/index.ts';
import { serveCommand } from './commands.ts';
import { createConversation, type Conversation } from './conversation.ts';
import type { Link, LinkOptions } from './link.ts';
import { readAmount } from './orders.ts';
import { sceneOf } from './scenes.ts';
import { createSerialLink } from './serial-link.ts';
import { createTcpLink } from './tcp-link.ts';
import type { Terminal } from './terminal.ts';

export interface Attachment {
  readonly unpluggable: boolean;
  readonly busy: boolean;
  /** Ends the conversation and closes the connection. */
  unplug(): void;
  /** Ends the conversation and begins a new one on the same connection, with nothing left of the old. */
  restart(): void;
  /** Resolves when the connection is closed and nothing is under way any more. */
  gone(): Promise<void>;
}

export interface AttachmentOptions {
  connection: LineConnection;
  unpluggable: boolean;
  framing: 'serial' | 'tcp';
  terminal: Terminal;
  /** False: bytes in either direction are lost. */
  reachable(): boolean;
  onCommand(ctrl: string): void;
  onClosed(): void;
}

export function createAttachment(options: AttachmentOptions): Attachment {
  const { connection, framing, terminal } = options;
  let link: Link;
  let conversation: Conversation;
  /** What has ended but may still have to write into the ledger. */
  const past: Promise<void>[] = [];
  /** The noisy scene damages the payment command once on its way to the terminal. */
  let damagedOnce = false;
  begin();

  function begin(): void {
    const linkOptions: LinkOptions = {
      write(bytes) {
        if (options.reachable()) connection.write(bytes);
      },
      onApdu: (apdu) => conversation.receive(apdu),
      acceptFrame,
      onBroken(reason) {
        terminal.log.warn('the stream cannot be trusted any more', { reason });
        unplug();
      },
      clock: terminal.clock,
      timings: terminal.timings,
      log: terminal.log,
    };
    link = framing === 'serial' ? createSerialLink(linkOptions) : createTcpLink(linkOptions);
    conversation = createConversation(link, {
      clock: terminal.clock,
      timings: terminal.timings,
      log: terminal.log,
      async serve(exchange) {
        options.onCommand(exchange.command.ctrl);
        await serveCommand(terminal, exchange);
      },
      onAnswerTimeout() {
        // ZVT PA00P016, T3: over TCP the connection is closed; over a serial line there is nothing to close.
        if (framing === 'tcp') unplug();
      },
    });
  }

  function acceptFrame(apdu: Uint8Array): boolean {
    if (conversation.busy || apdu[0] !== 0x06 || apdu[1] !== 0x01) return true;
    const amountMinor = readAmount(decodeMessage(apdu));
    const isNoisy = amountMinor !== null && sceneOf(amountMinor) === 'noise';
    damagedOnce = isNoisy && !damagedOnce;
    return !damagedOnce;
  }

  function end(): void {
    conversation.end();
    past.push(conversation.idle());
  }

  function unplug(): void {
    end();
    past.push(connection.close());
    options.onClosed();
  }

  connection.onData((bytes) => {
    if (options.reachable()) link.receive(bytes);
  });
  connection.onClose((reason) => {
    terminal.log.debug('the connection has ended', { reason });
    end();
    options.onClosed();
  });

  return {
    unpluggable: options.unpluggable,
    get busy() {
      return conversation.busy;
    },
    unplug,
    restart() {
      end();
      begin();
    },
    async gone() {
      await Promise.all(past);
    },
  };
}
