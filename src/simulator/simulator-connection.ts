/** One connection of the terminal: bytes to data link to exchanges, and what happens to it from outside. */
import type { LineConnection } from '../bridge/lines/line.ts';
import { decodeMessage } from '../bridge/terminals/zvt/wire/index.ts';
import { createExchangeServer, type ExchangeServer, type Exchange } from './exchange.ts';
import { type DataLink, type DataLinkOptions, createTcpDataLink } from './data-link.ts';
import { readAmount } from './orders.ts';
import { scenarioOf } from './scenarios.ts';
import { createSerialDataLink } from './serial-data-link.ts';
import type { Terminal } from './simulated-terminal.ts';
import { serveEndOfDay, serveTotals } from './end-of-day.ts';
import {
  serveDiagnosis,
  serveLogOff,
  serveRegistration,
  serveRepeatReceipt,
  serveStatusEnquiry,
} from './enquiries.ts';
import { servePayment } from './payment.ts';
import { serveReversal } from './reversal.ts';

export interface SimulatorConnection {
  readonly unpluggable: boolean;
  readonly busy: boolean;
  /** Ends the exchange and closes the connection. */
  unplug(): void;
  /** Ends the exchange and begins a new one on the same connection, with nothing left of the old. */
  restart(): void;
  /** Resolves when the connection is closed and nothing is under way any more. */
  gone(): Promise<void>;
}

export interface SimulatorConnectionOptions {
  connection: LineConnection;
  unpluggable: boolean;
  framing: 'serial' | 'tcp';
  terminal: Terminal;
  /** False: bytes in either direction are lost. */
  reachable(): boolean;
  onCommand(ctrl: string): void;
  onClosed(): void;
}

export function createSimulatorConnection(options: SimulatorConnectionOptions): SimulatorConnection {
  const { connection, framing, terminal } = options;
  let dataLink: DataLink;
  let exchanges: ExchangeServer;
  /** What has ended but may still have to write into the ledger. */
  const past: Promise<void>[] = [];
  /** The noisy scenario damages the payment command once on its way to the terminal. */
  let damagedOnce = false;
  begin();

  function begin(): void {
    const dataLinkOptions: DataLinkOptions = {
      write(bytes) {
        if (options.reachable()) connection.write(bytes);
      },
      onApdu: (apdu) => exchanges.receive(apdu),
      acceptFrame,
      onBroken(reason) {
        terminal.log.warn('the stream cannot be trusted any more', { reason });
        unplug();
      },
      clock: terminal.clock,
      timings: terminal.timings,
      log: terminal.log,
    };
    dataLink =
      framing === 'serial' ? createSerialDataLink(dataLinkOptions) : createTcpDataLink(dataLinkOptions);
    exchanges = createExchangeServer(dataLink, {
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
    if (exchanges.busy || apdu[0] !== 0x06 || apdu[1] !== 0x01) return true;
    const amountMinor = readAmount(decodeMessage(apdu));
    const isNoisy = amountMinor !== null && scenarioOf(amountMinor) === 'noise';
    damagedOnce = isNoisy && !damagedOnce;
    return !damagedOnce;
  }

  function end(): void {
    exchanges.end();
    past.push(exchanges.idle());
  }

  function unplug(): void {
    end();
    past.push(connection.close());
    options.onClosed();
  }

  connection.onData((bytes) => {
    if (options.reachable()) dataLink.receive(bytes);
  });
  connection.onClose((reason) => {
    terminal.log.debug('the connection has ended', { reason });
    end();
    options.onClosed();
  });

  return {
    unpluggable: options.unpluggable,
    get busy() {
      return exchanges.busy;
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

type CommandHandler = (terminal: Terminal, exchange: Exchange) => Promise<void>;

/** Which part of the terminal serves which command; everything else is 84 83 (ZVT PA00P016: unknown or unsupported). */
const commands: Readonly<Record<string, CommandHandler>> = {
  '0501': serveStatusEnquiry,
  '0600': serveRegistration,
  '0601': servePayment,
  '0602': serveLogOff,
  '0610': serveTotals,
  '0620': serveRepeatReceipt,
  '0630': serveReversal,
  '0650': serveEndOfDay,
  '0670': serveDiagnosis,
  // Without a payment there is nothing to abort, which is as good as aborted.
  '06b0': async (_terminal, exchange) => exchange.endWithAnswer('8000'),
};

async function serveCommand(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { ctrl, problems } = exchange.command;
  const serve = commands[ctrl];
  if (serve === undefined || problems.length > 0) {
    terminal.log.debug('a command was not understood', { ctrl, problems });
    return exchange.endWithAnswer('8483');
  }
  const hasContainer = exchange.command.bitmaps.some(({ tag }) => tag === '06');
  const { refusesContainers } = terminal.dialect;
  if (hasContainer && refusesContainers !== null) {
    return exchange.endWithAnswer(ctrl === '0600' ? refusesContainers : '8483');
  }
  // A container in any command allows the terminal to send containers, too (ZVT PA00P015, BMP 06).
  if (hasContainer && ctrl !== '0600') {
    terminal.registration = { ...terminal.registration, tlvAllowed: true };
  }
  await serve(terminal, exchange);
}
