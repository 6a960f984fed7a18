/** The host: what the desktop app and the headless bridge run. */
export { createHost } from './create-host.ts';
export { defaultDataDir } from './data-dir.ts';
export { fileSecrets } from './settings/file-secrets.ts';
export type { Host, HostOptions, HostStart, SecretBox } from './host-api.ts';
export {
  configFileFlag,
  configFileVariable,
  secretSettings,
  settingOf,
  settings,
} from './configuration/settings.ts';
export type { Setting } from './configuration/settings.ts';
export type { FlagValues } from './configuration/sources.ts';
export { askBridge } from './control/client.ts';
export { journalPlaces, noJournal } from './journal-places.ts';
export type { JournalPlace } from './journal-places.ts';
export { dataDirOf } from './configuration/load.ts';
export type { ConfigurationSources } from './configuration/load.ts';
