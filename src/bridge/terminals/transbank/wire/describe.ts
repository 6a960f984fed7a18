/** A message for people and tools: one JSON object for `tillbridge decode`, names and values for the wire trace. */
import type { BytePlace } from '../../../../contract/frame.ts';
import { descriptor } from '../descriptor.ts';
import {
  boundedFields,
  dateText,
  timeText,
  hex,
  tracedText,
  type FrameDecoder,
  type TraceField,
} from '../../framing/index.ts';
import type { FieldName } from './commands.ts';
import { readFrame } from './frames.ts';
import { decodeMessage, keptCardDigits, type TransbankMessage } from './messages.ts';
import { progressText } from './progress.ts';
import { brandName, resultText } from './result-codes.ts';

/** Key names are those of the project's test vectors. */
export function describeMessage({
  command,
  values,
  parts,
  partCount,
}: TransbankMessage): Record<string, unknown> {
  return {
    command,
    partCount,
    ...(parts.length > 0 ? { parts } : {}),
    ...(Object.keys(values).length > 0 ? { fields: values } : {}),
  };
}

export const transbankDecoder: FrameDecoder = {
  ...descriptor.decode,
  decode(bytes) {
    const frame = readFrame(bytes);
    if (!frame.ok) return frame;
    const lrc = hex(Uint8Array.of(frame.lrc));
    return { ok: true, decoded: { ...describeMessage(decodeMessage(frame.data)), lrc } };
  },
};

const names: Readonly<Record<FieldName, string>> = {
  responseCode: 'result',
  commerceCode: 'merchant number',
  terminalId: 'terminal id',
  ticket: 'ticket',
  authorizationCode: 'approval code',
  amount: 'amount',
  instalments: 'instalments',
  instalmentAmount: 'amount of an instalment',
  last4: 'card number',
  operationNumber: 'operation number',
  cardType: 'card type',
  accountingDate: 'accounting date',
  accountNumber: 'account number',
  cardBrand: 'card name',
  date: 'date',
  time: 'time',
  employeeId: 'employee',
  tip: 'tip',
  filler: 'text',
  change: 'change',
  providerCommerceCode: 'merchant number of the provider',
  status: 'status',
  sendToEcr: 'sent to the till',
  voucher: 'voucher',
  count: 'number of sales',
  total: 'total',
};

/** All names that a field can have. */
export const fieldNames: readonly string[] = Object.values(names);

/** In the order of the wire; empty ones are left out, the account number is not shown. */
export function traceFields(message: TransbankMessage): TraceField[] {
  const found: TraceField[] = [];
  for (const [field, place] of message.places) {
    if (place.from === place.to) continue;
    found.push([names[field], shown(message, field), place]);
  }
  return boundedFields(found);
}

function shown({ command, values }: TransbankMessage, field: FieldName): string {
  if (field === 'accountNumber') return '***';
  const value = values[field] ?? '';
  const code = value.trim();
  if (field === 'responseCode') return `${value}: ${resultText(code)}`;
  if (field === 'status' && command === '0900') return `${value}: ${progressText(code)}`;
  if (field === 'last4') return `•••• ${value}`;
  if (field === 'date') return dateText(code, 'DDMMYYYY');
  if (field === 'time') return timeText(code);
  if (field === 'cardBrand') return brandName(code) ?? value;
  return value;
}

/** The bytes of the message that `data` is, for the wire trace; the account number and card numbers are masked. */
export function tracedHex(data: Uint8Array, message: TransbankMessage): string {
  return tracedText(data, hiddenPlaces(message));
}

/** The bytes that nobody is to see. */
export function hiddenPlaces({ places }: TransbankMessage): BytePlace[] {
  const account = places.get('accountNumber');
  const card = places.get('last4');
  return [
    ...(account === undefined ? [] : [account]),
    // No terminal should send more than four.
    ...(card === undefined ? [] : [{ from: card.from, to: card.to - keptCardDigits }]),
  ];
}
