/** What the form edits, and the parts of the address in it. */
import {
  type BridgeSettings,
  type RequestOf,
  bridgeSettingsSchema,
} from '../../../contract/console/index.ts';
import { useTranslation } from 'react-i18next';

/** The part of the bridge's settings that says which terminal there is and how to speak to it. */
export type TerminalValue = Pick<BridgeSettings, 'terminal' | 'protocol' | 'serial' | 'currency' | 'zvt'>;

type Protocol = TerminalValue['protocol'];
export const protocols = bridgeSettingsSchema.shape.protocol.unwrap().options;

/** The line that terminals of each protocol have unless they are set otherwise. */
const usualSerial: Record<Protocol, TerminalValue['serial']> = {
  zvt: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 },
  transbank: { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 },
};
/** Protocols of terminals that take one currency only. */
const onlyCurrency: Partial<Record<Protocol, TerminalValue['currency']>> = { transbank: 'CLP' };

/** With what goes with the protocol: its usual line, where the line was the usual one before, and its only currency. */
export function withProtocol(value: TerminalValue, protocol: Protocol): TerminalValue {
  const before = usualSerial[value.protocol];
  const wasUsual = Object.entries(before).every(
    ([key, usual]) => value.serial[key as keyof typeof before] === usual,
  );
  return {
    ...value,
    protocol,
    serial: wasUsual ? usualSerial[protocol] : value.serial,
    currency: onlyCurrency[protocol] ?? value.currency,
  };
}

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
  const { protocol, serial, currency, zvt } = value;
  return {
    terminal,
    protocol,
    serial,
    currency,
    zvt: { password: zvt.password, textEncoding: zvt.textEncoding },
  };
}

/** Words for a person by the setting's key ("terminal", "serial.baudRate", "zvt.password"). Empty: all is well. */
export type Problems = Readonly<Record<string, string>>;

const schema = bridgeSettingsSchema.pick({
  terminal: true,
  protocol: true,
  serial: true,
  currency: true,
  zvt: true,
});

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
