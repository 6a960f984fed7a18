/** What the form edits, and the parts of the address in it. */
import type { BridgeSettings, RequestOf } from '../../../contract/console/index.ts';

/** The part of the bridge's settings that says which terminal there is and how to speak to it. */
export type TerminalValue = Pick<BridgeSettings, 'terminal' | 'serial' | 'currency' | 'zvt'>;

/** Null: nothing chosen yet. */
export type AddressKind = 'simulator' | 'serial' | 'tcp' | null;

/** The port on which a ZVT terminal listens unless it is set otherwise. */
export const usualZvtPort = 20_007;

/** `text` is what follows the kind; while a person types it may be empty or not right yet. */
export function addressParts(terminal: string | null): { kind: AddressKind; text: string } {
  if (terminal === null) return { kind: null, text: '' };
  if (terminal === 'simulator') return { kind: 'simulator', text: '' };
  const serial = terminal.startsWith('serial:');
  return { kind: serial ? 'serial' : 'tcp', text: terminal.replace(/^(serial|tcp):/, '') };
}

export function addressOf(kind: Exclude<AddressKind, null>, text: string): string {
  return kind === 'simulator' ? kind : `${kind}:${text}`;
}

/** A host without a port gets the usual one; anything else stays as it is. */
export function withUsualPort(text: string): string {
  const host = text.trim();
  return host === '' || host.includes(':') ? host : `${host}:${usualZvtPort}`;
}

/** What a test of this terminal is asked with. */
export function testOf(value: TerminalValue, terminal: string): RequestOf<'testConnection'> {
  const { serial, currency, zvt } = value;
  return { terminal, serial, currency, zvt: { password: zvt.password, textEncoding: zvt.textEncoding } };
}
