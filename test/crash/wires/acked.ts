/**
 * Protocols in which each frame is acknowledged and the terminal's word is final as soon as it is said: command, ACK,
 * result, ACK.
 */
import type { StreamParser } from '../../../src/bridge/terminals/framing/index.ts';
import {
  createParser as createEcr17Parser,
  decodeMessage as decodeEcr17,
} from '../../../src/bridge/terminals/ecr17/wire/index.ts';
import {
  createFrameParser,
  decodeMessage as decodeEdc,
  fieldText,
} from '../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import {
  createParser as createTransbankParser,
  decodeMessage as decodeTransbank,
} from '../../../src/bridge/terminals/transbank/wire/index.ts';
import { formatAmount, type Currency } from '../../../src/contract/money.ts';
import type { OperationKind } from '../../../src/contract/operation.ts';
import type { Heard, Towards, Wire } from './wire.ts';

interface Message {
  name: string;
  /** Of a command that moves money, and of the answers that end one. */
  kind?: OperationKind | undefined;
  /** In minor units, where the command carries it. */
  amountMinor?: number | undefined;
}

function ackedWire<Event extends { kind: string }>(protocol: {
  currency: Currency;
  createParser(): StreamParser<Event>;
  /** Null: it is no message. */
  read(event: Event, towards: Towards): Message | null;
}): Wire {
  const { currency, createParser } = protocol;
  return {
    moments: ['command', 'taken', 'result', 'acknowledgement'],
    listen() {
      const parsers = { terminal: createParser(), bridge: createParser() };
      /** What was said last of the command that runs. */
      let last: 'command' | 'taken' | 'result' | null = null;

      function onMessage(towards: Towards, { name, kind, amountMinor }: Message): Heard {
        if (kind === undefined) return { name };
        if (towards === 'terminal') {
          last = 'command';
          const amount = amountMinor === undefined ? null : formatAmount(amountMinor, currency);
          return { name, said: 'command', command: { kind, amount } };
        }
        if (last === null) return { name };
        last = 'result';
        return { name, said: 'result' };
      }

      function onAck(towards: Towards): Heard {
        if (towards === 'bridge' && last === 'command') {
          last = 'taken';
          return { name: 'ack', said: 'taken' };
        }
        if (towards !== 'terminal' || last !== 'result') return { name: 'ack' };
        last = null;
        return { name: 'ack', said: 'acknowledgement' };
      }

      function read(towards: Towards, event: Event): Heard[] {
        if (event.kind === 'ack') return [onAck(towards)];
        if (event.kind === 'nak') return [{ name: 'nak', refuses: towards === 'bridge' }];
        const message = protocol.read(event, towards);
        return message === null ? [] : [onMessage(towards, message)];
      }

      return {
        hear(towards, bytes) {
          // Who listens now has said what it had to say: what is left of that is a damaged frame.
          parsers[towards === 'terminal' ? 'bridge' : 'terminal'].reset();
          return parsers[towards].push(bytes).flatMap((event) => read(towards, event));
        },
        forget: (towards) => parsers[towards].reset(),
      };
    },
  };
}

function kindIn(kinds: Readonly<Record<string, OperationKind>>, code: string): OperationKind | undefined {
  return Object.hasOwn(kinds, code) ? kinds[code] : undefined;
}

const transbankCommands = { '0200': 'sale', '1200': 'void', '0500': 'batch_close' } as const;
const transbankAnswers = { '0210': 'sale', '1210': 'void', '0510': 'batch_close' } as const;

export const transbank = ackedWire({
  currency: 'CLP',
  createParser: createTransbankParser,
  read(event, towards) {
    if (event.kind !== 'frame') return null;
    const { command, values } = decodeTransbank(event.data);
    const kind = kindIn(towards === 'terminal' ? transbankCommands : transbankAnswers, command);
    return { name: command, kind, amountMinor: kind === 'sale' ? Number(values.amount) : undefined };
  },
});

const ecr17Commands = { P: 'sale', X: 'sale', S: 'void', C: 'batch_close' } as const;
/** An E says of a sale and of a void how it ended. */
const ecr17Answers = { E: 'sale', V: 'sale', C: 'batch_close' } as const;

export const ecr17 = ackedWire({
  currency: 'EUR',
  createParser: () => createEcr17Parser(),
  read(event, towards) {
    if (event.kind !== 'frame') return null;
    const isCommand = towards === 'terminal';
    const { code, values } = decodeEcr17(event.data, isCommand ? 'to_terminal' : 'from_terminal');
    const kind = kindIn(isCommand ? ecr17Commands : ecr17Answers, code);
    return { name: code, kind, amountMinor: kind === 'sale' ? Number(values.amount) : undefined };
  },
});

/** In both profiles. */
const edcCodes = { '20': 'sale', '26': 'void', '50': 'batch_close' } as const;

export const ecrEdc = ackedWire({
  currency: 'THB',
  createParser: () => createFrameParser(false),
  read(event, towards) {
    if (event.kind !== 'message') return null;
    const message = decodeEdc(event.message);
    const isOne = message.requestResponse === (towards === 'terminal' ? '0' : '1');
    const kind = isOne ? kindIn(edcCodes, message.txCode) : undefined;
    const amount = fieldText(message, '40');
    return { name: message.txCode, kind, amountMinor: amount === null ? undefined : Number(amount) };
  },
});
