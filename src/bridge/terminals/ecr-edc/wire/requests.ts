/** What we ask a terminal for, in the form that its profile has for it. */
import { fieldType } from './fields.ts';
import { encodeMessage } from './messages.ts';
import type { EdcCommandName, EdcProfile } from './profiles/profile.ts';

const amountDigits = 12;
const invoiceDigits = 6;
const referenceCharacters = 20;
const hostCharacters = 3;

export interface RequestValues {
  amountMinor?: number;
  /** The number that the terminal gave to the payment (field 65): up to six digits. */
  invoice?: string;
  /** Our own references: up to 20 characters of printable ASCII, filled up with blanks. */
  reference1?: string;
  reference2?: string;
  /** The host to settle with (NII): three characters. */
  host?: string;
  /** Number of the terminal in the transport header, where the profile has a place for it: 0 to 99. */
  device?: number;
}

const moneyCommands: ReadonlySet<EdcCommandName> = new Set([
  'sale',
  'void',
  'void_by_trace',
  'refund',
  'settlement',
]);

/** A second copy of it could do a second time what the first one did: the protocol does not tell repeats. */
export function movesMoney(name: EdcCommandName): boolean {
  return moneyCommands.has(name);
}

/**
 * The message of a request, or null when the profile has no such command. Throws when a value that the command needs is
 * missing or has no form in it: a mistake of the caller.
 */
export function encodeRequest(
  profile: EdcProfile,
  name: EdcCommandName,
  values: RequestValues = {},
): Uint8Array | null {
  const command = profile.commands[name];
  if (command === undefined) return null;
  const required = command.fields.map((type) => {
    const value = valueOf(type, values);
    if (value === null) throw new Error(`a ${name} needs a value for field ${type}`);
    return [type, value] as const;
  });
  const optional = command.optionalFields.flatMap((type) => {
    const value = valueOf(type, values);
    return value === null ? [] : [[type, value] as const];
  });
  return encodeMessage({
    transport: transportHeader(profile, values.device),
    formatVersion: profile.formatVersion === 'binary' ? 0x01 : 0x31,
    requestResponse: '0',
    txCode: command.txCode,
    more: command.more,
    fields: [...required, ...optional],
  });
}

function transportHeader({ transportHeader: header, deviceInHeader }: EdcProfile, device?: number): string {
  if (!deviceInHeader || device === undefined) return header;
  return header.slice(0, -2) + digits(device, 2);
}

function valueOf(type: string, values: RequestValues): string | null {
  switch (type) {
    case fieldType.amount:
      return values.amountMinor === undefined ? null : digits(values.amountMinor, amountDigits);
    case fieldType.invoice:
      return values.invoice === undefined ? null : digits(values.invoice, invoiceDigits);
    case fieldType.reference1:
      return values.reference1 === undefined ? null : padded(values.reference1, referenceCharacters);
    case fieldType.reference2:
      return values.reference2 === undefined ? null : padded(values.reference2, referenceCharacters);
    case fieldType.host:
      return values.host === undefined ? null : padded(values.host, hostCharacters);
    default:
      throw new Error(`no value is known for field ${type}`);
  }
}

function digits(number: number | string, length: number): string {
  const text = number.toString();
  if (!/^\d+$/.test(text) || text.length > length) throw new Error(`${number} does not fit ${length} digits`);
  return text.padStart(length, '0');
}

function padded(text: string, length: number): string {
  if (!/^[ -~]+$/.test(text) || text.length > length)
    throw new Error(`${JSON.stringify(text)} does not fit ${length} printable characters`);
  return text.padEnd(length);
}
