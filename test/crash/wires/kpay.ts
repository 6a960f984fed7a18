/** KPay: requests over HTTP, one after the other. A sale is taken at once, and its result is asked for. */
import {
  answerCode,
  callOf,
  codeMeaning,
  decodeAnswer,
  decodeCommand,
  readHttpMessage,
  transactionOf,
  type CodeMeaning,
  type KpayCommand,
} from '../../../src/bridge/terminals/kpay/wire/index.ts';
import { formatAmount } from '../../../src/contract/money.ts';
import type { OperationKind } from '../../../src/contract/operation.ts';
import type { Heard, MoneyCommand, Towards, Wire } from './wire.ts';

type Call = KpayCommand['call'];

const kinds: Partial<Record<Call, OperationKind>> = { sale: 'sale', void: 'void', settle: 'batch_close' };
/** The terminal has started nothing, and is asked once more. */
const refusals = new Set<CodeMeaning>(['too_fast', 'keys_gone', 'sign_in_once']);

export const kpay: Wire = {
  moments: ['command', 'taken', 'result'],
  listen() {
    const began = { terminal: new Uint8Array(), bridge: new Uint8Array() };
    let lastCall: Call | null = null;

    function onRequest(method: string, uri: string, body: Uint8Array): Heard {
      lastCall = callOf(method, uri);
      const read = decodeCommand({ method, uri, body });
      const command = read.ok ? moneyCommandOf(read.command) : null;
      return { name: lastCall ?? uri, ...(command !== null && { said: 'command', command }) };
    }

    function onResponse(body: Uint8Array): Heard {
      const answer = decodeAnswer(body);
      if (answer === null) return { name: 'no answer' };
      const { code, data } = answer;
      const name = String(code);
      const movesMoney = lastCall !== null && kinds[lastCall] !== undefined;
      if (movesMoney && refusals.has(codeMeaning(code))) return { name, refuses: true };
      if (movesMoney && code === answerCode.accepted) return { name, said: 'taken' };
      const state = lastCall === 'query' ? (transactionOf(data)?.state ?? null) : null;
      return state === null || state === 'pending' ? { name } : { name: state, said: 'result' };
    }

    return {
      hear(towards, bytes) {
        const whole = Buffer.concat([began[towards], bytes]);
        const read = readHttpMessage(whole);
        began[towards] = read.ok ? new Uint8Array() : whole;
        if (!read.ok) return [];
        const { message } = read;
        return [
          message.kind === 'request'
            ? onRequest(message.method, message.uri, message.body)
            : onResponse(message.body),
        ];
      },
      forget: (towards: Towards) => void (began[towards] = new Uint8Array()),
    };
  },
};

function moneyCommandOf(command: KpayCommand): MoneyCommand | null {
  const kind = kinds[command.call];
  if (kind === undefined) return null;
  return {
    kind,
    amount: command.call === 'sale' ? formatAmount(command.amountMinor, command.currency) : null,
  };
}
