/** What the form edits, and the parts of the address in it. */
import { useTranslation } from 'react-i18next';
import { settings } from '../../../contract/configuration.ts';
import {
  terminalSettingsSchema,
  type BridgeSettings,
  type FoundTerminal,
  type RequestOf,
  type TerminalSettings,
} from '../../../contract/console/index.ts';
import { valueAt } from '../../../contract/dotted-keys.ts';
import { protocolNameSchema, protocolOf } from '../../../contract/protocols.ts';
import type { SettingTexts } from '../../../contract/setting-row.ts';

/** The part of the bridge's settings that says which terminal there is and how to speak to it. */
export type TerminalValue = TerminalSettings;

type Protocol = TerminalValue['protocol'];

/** By their titles. */
export const protocols = protocolNameSchema.options.toSorted((one, other) =>
  protocolOf(one).title.localeCompare(protocolOf(other).title),
);

/** The terminal's part of all settings. */
export function terminalValueOf(bridge: BridgeSettings): TerminalValue {
  const keys = Object.keys(terminalSettingsSchema.shape) as (keyof TerminalValue)[];
  return Object.fromEntries(keys.map((key) => [key, bridge[key]])) as TerminalValue;
}

/** "ZVT (Germany, Austria, Switzerland)" */
export function protocolLabel(protocol: Protocol, language: string): string {
  const { title, countries } = protocolOf(protocol);
  const names = new Intl.DisplayNames([language], { type: 'region', style: 'short' });
  return `${title} (${countries.map((country) => names.of(country) ?? country).join(', ')})`;
}

/** The settings of one protocol that the form shows, with their texts. */
export function protocolSettings(protocol: Protocol) {
  return settings.flatMap((setting) => {
    const texts = setting.console?.texts;
    if (texts === undefined || !setting.key.startsWith(`${protocol}.`)) return [];
    return [{ ...setting, texts, isAdvanced: setting.console?.advanced === true }];
  });
}
export type ProtocolSetting = ReturnType<typeof protocolSettings>[number];

/** In the window's language, or in English where a protocol does not speak it. */
export function textsIn({ texts }: Pick<ProtocolSetting, 'texts'>, language: string): SettingTexts {
  return texts[language] ?? texts.en;
}

/**
 * With what goes with the protocol: its usual line and port, where those were the usual ones before, its way over the
 * network, and a currency that it takes.
 */
export function withProtocol(value: TerminalValue, protocol: Protocol): TerminalValue {
  const { connections, currencies } = protocolOf(protocol);
  const before = protocolOf(value.protocol).connections.serial;
  const wasUsual =
    before === undefined ||
    Object.entries(before).every(([key, usual]) => value.serial[key as keyof typeof before] === usual);
  const { kind, text } = addressParts(value.terminal);
  return {
    ...value,
    protocol,
    terminal:
      kind === 'network' ? networkAddress(protocol, withoutUsualPort(value.protocol, text)) : value.terminal,
    serial: (wasUsual ? connections.serial : undefined) ?? value.serial,
    currency:
      currencies === undefined || currencies.includes(value.currency) ? value.currency : currencies[0],
  };
}

/** With a terminal that was found, on the line on which it answered. */
export function withFound(value: TerminalValue, { terminal, protocol }: FoundTerminal): TerminalValue {
  const { serial } = protocolOf(protocol).connections;
  const chosen = withProtocol(value, protocol);
  return {
    ...chosen,
    terminal,
    serial: terminal.startsWith('serial:') ? (serial ?? chosen.serial) : chosen.serial,
  };
}

/** Null: nothing chosen yet. */
type AddressKind = 'simulator' | 'serial' | 'network' | null;

/** `text` is what follows the kind; while a person types it may be empty or not right yet. */
export function addressParts(terminal: string | null): { kind: AddressKind; text: string } {
  if (terminal === null) return { kind: null, text: '' };
  if (terminal === 'simulator') return { kind: 'simulator', text: '' };
  const serial = terminal.startsWith('serial:');
  return { kind: serial ? 'serial' : 'network', text: terminal.replace(/^(serial|tcp|http):/, '') };
}

export function addressOf(kind: Exclude<AddressKind, null>, text: string, protocol: Protocol): string {
  if (kind === 'simulator') return kind;
  return kind === 'serial' ? `serial:${text}` : networkAddress(protocol, text);
}

/** Whether the protocol's terminals can be connected so. */
function takes(protocol: Protocol, kind: 'serial' | 'network'): boolean {
  const { serial, tcp, http } = protocolOf(protocol).connections;
  return (kind === 'serial' ? serial : (tcp ?? http)) !== undefined;
}

/** The port on which the protocol's terminals listen unless they are set otherwise; null where there is none. */
export function usualPort(protocol: Protocol): number | null {
  const { tcp, http } = protocolOf(protocol).connections;
  return (tcp ?? http)?.usualPort ?? null;
}

/** `text` with the usual port, which need not be written. */
function networkAddress(protocol: Protocol, text: string): string {
  const isHttp = protocolOf(protocol).connections.tcp === undefined;
  return `${isHttp ? 'http' : 'tcp'}:${withUsualPort(protocol, text)}`;
}

/** A host without a port gets the usual one; anything else stays as it is. */
export function withUsualPort(protocol: Protocol, text: string): string {
  const host = text.trim();
  const port = usualPort(protocol);
  return host === '' || host.includes(':') || port === null ? host : `${host}:${port}`;
}

function withoutUsualPort(protocol: Protocol, text: string): string {
  const port = usualPort(protocol);
  return port !== null && text.endsWith(`:${port}`) ? text.slice(0, -`:${port}`.length) : text;
}

function textAt(value: TerminalValue, key: string): string | null {
  const found = valueAt(value, key);
  return typeof found === 'string' ? found : null;
}

/** What a test of this terminal is asked with. */
export function testOf(value: TerminalValue, terminal: string): RequestOf<'testConnection'> {
  return { ...value, terminal };
}

/** Words for a person by the setting's key ("terminal", "serial.baudRate", "zvt.password"). Empty: all is well. */
export type Problems = Readonly<Record<string, string>>;

/**
 * What is wrong with `value`, in the window's language: what the bridge itself would refuse. A terminal that is not
 * chosen yet is no problem, and neither is a secret that is stored.
 */
export function useTerminalProblems(value: TerminalValue, secretsSet: readonly string[]): Problems {
  const { t, i18n } = useTranslation();
  const { kind } = addressParts(value.terminal);
  const messageOf = (key: string) => {
    const own = protocolSettings(value.protocol).find((setting) => setting.key === key);
    const ownText = own === undefined ? undefined : textsIn(own, i18n.language).problem;
    if (ownText !== undefined) return ownText;
    switch (key) {
      case 'terminal':
        return kind === 'serial' ? t('terminalForm.problem.serial') : t('terminalForm.problem.tcp');
      case 'serial.baudRate':
        return t('terminalForm.problem.baudRate');
      default:
        return t('terminalForm.problem.other');
    }
  };
  const checked = terminalSettingsSchema.safeParse(value);
  const keys = (checked.error?.issues ?? []).map(({ path }) => path.join('.'));
  const isReal = kind === 'serial' || kind === 'network';
  const missing = protocolSettings(value.protocol)
    .filter(() => isReal)
    .filter(
      ({ key, needed }) => needed && !secretsSet.includes(key) && ['', null].includes(textAt(value, key)),
    )
    .map(({ key }) => [key, t('terminalForm.problem.needed')]);
  const wrong = keys.map((key) => [key, messageOf(key)]);
  const problems = Object.fromEntries([...missing, ...wrong]) as Problems;
  if (kind === null || kind === 'simulator' || takes(value.protocol, kind)) return problems;
  const { title } = protocolOf(value.protocol);
  const text = kind === 'serial' ? 'terminalForm.problem.byNetwork' : 'terminalForm.problem.byCable';
  return { protocol: t(text, { protocol: title }), ...problems };
}
