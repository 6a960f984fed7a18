/** Captures of a Transbank line. */
import type { BytePlace } from '../../../../contract/frame.ts';
import { ACK, maskedFields, NAK, type CaptureForm } from '../../framing/index.ts';
import { hiddenPlaces } from './describe.ts';
import { createParser, encodeFrame } from './frames.ts';
import { decodeMessage } from './messages.ts';
import { saleRequest } from './requests.ts';

export const captureForm: CaptureForm = {
  createParser,
  frameGapMs: 1_000,
  mask({ data }, direction) {
    const message = decodeMessage(data, direction);
    return { name: message.name, ...maskedFields(data, partsOf(data), hiddenPlaces(message)) };
  },
  encode(part) {
    if (part.kind === 'ack' || part.kind === 'nak') return Uint8Array.of(part.kind === 'ack' ? ACK : NAK);
    return encodeFrame(part.data);
  },
  // An empty one, which none is.
  damagedFrame: encodeFrame(new Uint8Array()),
  commandIn(data) {
    const { command, values } = decodeMessage(data, 'to_terminal');
    const { amount = '', ticket = '' } = values;
    const sale = { amountMinor: Number(amount), terminalReference: ticket };
    const isSale = command === '0200' && /^\d+$/.test(amount);
    return isSale && saleRequest({ amount: sale.amountMinor, ticket, progress: true }).ok ? sale : 'other';
  },
};

const separator = 0x7c;

function partsOf(data: Uint8Array): BytePlace[] {
  const parts: BytePlace[] = [];
  let from = 0;
  for (const [at, byte] of data.entries()) {
    if (byte !== separator) continue;
    parts.push({ from, to: at });
    from = at + 1;
  }
  return parts;
}
