/** A message for people and tools: one JSON object for `tillbridge decode`, names and values for the wire trace. */
import { descriptor } from '../descriptor.ts';
import { formatAmount } from '../../../../contract/money.ts';
import {
  boundedFields,
  dateText,
  timeText,
  hex,
  tracedText,
  type FrameDecoder,
  type TraceField,
} from '../../framing/index.ts';
import { readPackets, type Packet } from './frames.ts';
import type { FieldName } from './layouts.ts';
import { decodeMessage, hiddenPlaces, type Ecr17Message } from './messages.ts';
import { endsTicket } from './results.ts';
import { resultText, statusText } from './status-and-results.ts';

/** Key names are those of the project's test vectors. */
export function describeMessage(message: Ecr17Message): Record<string, unknown> {
  const { code, direction, terminalId, length, values } = message;
  const isTicket = code === 'S' && direction === 'from_terminal';
  return {
    code,
    terminalId,
    length,
    fields: isTicket ? { ...values, last: endsTicket(message) } : values,
  };
}

function describePacket(packet: Packet): Record<string, unknown> {
  if (packet.kind === 'progress') return { kind: packet.kind, text: packet.text };
  const lrc = hex(Uint8Array.of(packet.lrc));
  if (packet.kind !== 'application') return { kind: packet.kind, lrc };
  const { lrcRange } = packet;
  return {
    kind: packet.kind,
    ...describeMessage(decodeMessage(packet.data)),
    lrc,
    lrcRange,
    ...(lrcRange === null ? { valid: false } : {}),
  };
}

/** A message whose LRC fits no range is shown as not valid, since the LRC is what terminals differ in. */
export const ecr17Decoder: FrameDecoder = {
  ...descriptor.decode,
  decode(bytes) {
    const read = readPackets(bytes);
    if (!read.ok) return read;
    const [only, ...others] = read.packets.map(describePacket);
    if (only === undefined) return { ok: false, error: 'there is no packet' };
    if (others.length === 0) return { ok: true, decoded: only };
    const packets = [only, ...others].map(({ kind, code, valid }) => ({
      kind,
      ...(code === undefined ? {} : { code }),
      ...(valid === undefined ? {} : { valid }),
    }));
    return { ok: true, decoded: { kind: 'stream', packets } };
  },
};

const names: Readonly<Record<FieldName, string>> = {
  cashRegisterId: 'number of the till',
  additionalData: 'additional data',
  cardPresent: 'only with a card inserted',
  paymentType: 'kinds of card',
  amount: 'amount',
  text: 'text',
  stan: 'trace number',
  printOnEcr: 'print on the till',
  ticketType: 'kind of receipt',
  result: 'result',
  panLast4: 'card number',
  entry: 'card technology',
  authorizationCode: 'approval code',
  hostDateTime: 'time of the bank',
  description: 'reason',
  cardType: 'card type',
  acquirerId: 'acquirer',
  onlineId: 'number of the online operation',
  actionCode: 'result of the host',
  hostAmount: 'amount of the bank',
  originalAmount: 'amount before conversion',
  dccApplied: 'currency converted',
  dccRate: 'exchange rate',
  dccCurrency: 'currency',
  dccAmount: 'converted amount',
  dccPrecision: 'decimals of the converted amount',
  posTotal: 'total of the terminal',
  hostTotal: 'total of the bank',
  dateTime: 'date and time',
  status: 'terminal status',
  software: 'software version',
};

/** All names that a field can have. */
export const fieldNames: readonly string[] = Object.values(names);

/** In the order of the layout; empty ones are left out, the card number shows its last four digits. */
export function traceFields(message: Ecr17Message): TraceField[] {
  const found: TraceField[] = [];
  for (const [name, place] of message.places) {
    const value = message.values[name] ?? '';
    if (value !== '') found.push([names[name], shown(name, value), place]);
  }
  return boundedFields(found);
}

/** What is no number of cents that is exact stays as it is. */
function euros(value: string): string {
  const cents = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(cents) ? formatAmount(cents, 'EUR') : value;
}

const amounts: ReadonlySet<FieldName> = new Set([
  'amount',
  'hostAmount',
  'originalAmount',
  'posTotal',
  'hostTotal',
]);

function shown(name: FieldName, value: string): string {
  if (amounts.has(name)) return euros(value);
  if (name === 'result') return `${value}: ${resultText(value)}`;
  if (name === 'status') return `${value}: ${statusText(value)}`;
  if (name === 'dateTime') return moment(dateText(value.slice(0, 6), 'DDMMYY'), value.slice(6)) ?? value;
  // A day of the year.
  if (name === 'hostDateTime') return moment(value.slice(0, 3), value.slice(3)) ?? value;
  return name === 'panLast4' ? `•••• ${value}` : value;
}

/** Null: its time is none. */
function moment(day: string, time: string): string | null {
  const text = timeText(time);
  return text === time ? null : `${day} ${text}`;
}

/** The bytes of the message that `data` is, for the wire trace; card numbers are masked. */
export function tracedHex(data: Uint8Array, message: Ecr17Message): string {
  return tracedText(data, hiddenPlaces(message, data));
}
