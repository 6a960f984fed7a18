/** What the form edits, and the parts of the address in it. */
import {
  type BridgeSettings,
  type RequestOf,
  bridgeSettingsSchema,
} from '../../../contract/console/index.ts';
import { useTranslation } from 'react-i18next';

/** The part of the bridge's settings that says which terminal there is and how to speak to it. */
export type TerminalValue = Pick<BridgeSettings, 'terminal' | 'serial' | 'currency' | 'zvt'>;

/** Null: nothing chosen yet. */
type AddressKind = 'simulator' | 'serial' | 'tcp' | null;

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

/** Words for a person by the setting's key ("terminal", "serial.baudRate", "zvt.password"). Empty: all is well. */
export type Problems = Readonly<Record<string, string>>;

const schema = bridgeSettingsSchema.pick({ terminal: true, serial: true, currency: true, zvt: true });

/**
 * What is wrong with `value`, in the window's language: what the bridge itself would refuse. A terminal that is not
 * chosen yet is no problem.
 */
export function useTerminalProblems(value: TerminalValue): Problems {
  const { t } = useTranslation();
  const checked = schema.safeParse(value);
  if (checked.success) return {};
  const messageOf = (key: string) => {
    switch (key) {
      case 'terminal':
        return addressParts(value.terminal).kind === 'serial'
          ? t('terminalForm.problem.serial')
          : t('terminalForm.problem.tcp');
      case 'zvt.password':
        return t('terminalForm.problem.password');
      case 'serial.baudRate':
        return t('terminalForm.problem.baudRate');
      default:
        return t('terminalForm.problem.other');
    }
  };
  const keys = checked.error.issues.map(({ path }) => path.join('.'));
  return Object.fromEntries(keys.map((key) => [key, messageOf(key)]));
}
