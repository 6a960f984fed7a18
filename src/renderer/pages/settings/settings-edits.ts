/** What a person has changed and not saved yet: by key, so that what changes meanwhile elsewhere is not undone. */
import type { Settings } from '../../../contract/console/index.ts';

/** Of what waits for Save. Language and theme are saved at once. */
export const settingKeys = [
  'app.startListener',
  'app.startWithSystem',
  'bridge.terminal',
  'bridge.currency',
  'bridge.port',
  'bridge.allowedOrigins',
  'bridge.makeReferences',
  'bridge.maxTipPercent',
  'bridge.logLevel',
  'bridge.serial.baudRate',
  'bridge.serial.dataBits',
  'bridge.serial.parity',
  'bridge.serial.stopBits',
  'bridge.zvt.password',
  'bridge.zvt.receipts',
  'bridge.zvt.textEncoding',
] as const;
export type SettingKey = (typeof settingKeys)[number];
export type SettingsEdits = Partial<Record<SettingKey, unknown>>;

/** What differs in `wanted`. */
export function editsOf(saved: Settings, wanted: Settings): SettingsEdits {
  const changed = settingKeys.filter(
    (key) => JSON.stringify(valueAt(saved, key)) !== JSON.stringify(valueAt(wanted, key)),
  );
  return Object.fromEntries(changed.map((key) => [key, valueAt(wanted, key)]));
}

export function withEdits(saved: Settings, edits: SettingsEdits): Settings {
  const wanted = structuredClone(saved);
  for (const [key, value] of Object.entries(edits)) put(wanted, key, value);
  return wanted;
}

/** The list of allowed pages is read with each request; anything else of the bridge needs a new one. */
export function needsRestart(edits: SettingsEdits): boolean {
  return Object.keys(edits).some((key) => key.startsWith('bridge.') && key !== 'bridge.allowedOrigins');
}

function valueAt(settings: Settings, key: string): unknown {
  return key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], settings);
}

function put(settings: Settings, key: string, value: unknown): void {
  const names = key.split('.');
  const last = names.pop() ?? '';
  const part = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], settings);
  (part as Record<string, unknown>)[last] = value;
}
