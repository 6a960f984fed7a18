/** ZVT: a result (04 0F) is final once the till has acknowledged it, and the terminal says last that it is done. */
import {
  bitmap,
  createSerialParser,
  createTcpParser,
  decodeMessage,
  hex,
  type FrameEvent,
} from '../../../src/bridge/terminals/zvt/wire/index.ts';
import { formatAmount } from '../../../src/contract/money.ts';
import type { OperationKind } from '../../../src/contract/operation.ts';
import type { Heard, MoneyCommand, Said, Towards, Wire } from './wire.ts';

const kinds = new Map<string, OperationKind>([
  ['0601', 'sale'],
  ['0630', 'void'],
  ['0650', 'batch_close'],
]);

export const zvt: Wire = {
  moments: ['command', 'result', 'acknowledgement', 'completion'],
  listen(transport) {
    const createParser = transport === 'tcp' ? createTcpParser : createSerialParser;
    const parsers = { terminal: createParser(), bridge: createParser() };
    let resultSaid = false;

    function saidBy(towards: Towards, ctrl: string): Said | null {
      if (towards === 'terminal') {
        if (kinds.has(ctrl)) return 'command';
        const acknowledges = resultSaid && ctrl.startsWith('8');
        if (acknowledges) resultSaid = false;
        return acknowledges ? 'acknowledgement' : null;
      }
      resultSaid ||= ctrl === '040f';
      if (ctrl === '040f') return 'result';
      return ctrl === '060f' || ctrl === '061e' ? 'completion' : null;
    }

    function read(towards: Towards, event: FrameEvent): Heard[] {
      if (event.kind === 'ack') return [{ name: 'ack' }];
      if (event.kind === 'nak') return [{ name: 'nak', refuses: towards === 'bridge' }];
      if (event.kind !== 'apdu') return [];
      const ctrl = hex(event.apdu.subarray(0, 2));
      const said = saidBy(towards, ctrl);
      const command = towards === 'terminal' ? moneyCommandOf(ctrl, event.apdu) : null;
      return [{ name: ctrl, ...(said !== null && { said }), ...(command !== null && { command }) }];
    }

    return {
      hear: (towards, bytes) => parsers[towards].push(bytes).flatMap((event) => read(towards, event)),
      forget: (towards) => parsers[towards].reset(),
    };
  },
};

function moneyCommandOf(ctrl: string, apdu: Uint8Array): MoneyCommand | null {
  const kind = kinds.get(ctrl);
  if (kind === undefined) return null;
  const amount = bitmap(decodeMessage(apdu), '04');
  return { kind, amount: amount === null ? null : formatAmount(Number(hex(amount)), 'EUR') };
}
