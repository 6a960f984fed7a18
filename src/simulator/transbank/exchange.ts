/** Requests and answers of Transbank POS Integrado on its line. */
import { ACK, NAK } from '../../bridge/terminals/framing/index.ts';
import {
  createParser,
  decodeMessage,
  encodeFrame,
  type TransbankMessage,
} from '../../bridge/terminals/transbank/wire/index.ts';
import {
  createExchangeServer,
  type AckedExchange,
  type ExchangeServer,
  type ExchangeServerOptions,
} from '../acked-exchange.ts';

export type Exchange = AckedExchange<TransbankMessage>;

export function createTransbankExchanges(
  options: Pick<
    ExchangeServerOptions<TransbankMessage>,
    'write' | 'clock' | 'timings' | 'log' | 'faults' | 'judge' | 'serve'
  >,
): ExchangeServer {
  return createExchangeServer({
    ...options,
    parser: createParser(),
    encodeFrame,
    encodeAnswer: (as) => Uint8Array.of(as === 'ack' ? ACK : NAK),
    decode: (data) => decodeMessage(data, 'to_terminal'),
    commandOf: ({ command }) => command,
    // The documentation has no answer for a terminal that is busy.
    answersDamage: (isBusy) => !isBusy,
    answersOnItsOwnLine: false,
  });
}
