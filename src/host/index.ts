/** The host: what the desktop app and the headless bridge run. */
export { createHost } from './create-host.ts';
export { defaultDataDir, deviceFileName } from './data-folder.ts';
export { fileSecrets, openSettingsStore } from './settings/settings-store.ts';
export type { Host, HostOptions, HostStart, SecretBox } from './host-api.ts';
export type { FlagValues } from './settings/source-reading.ts';
export { sendControlRequest, type ControlResult } from './control/client.ts';
export { readProvision } from './provisioning/read-provision.ts';
export { provision } from './provisioning/provision.ts';
export {
  commandOn,
  findJournals,
  journalLocation,
  noJournalMessage,
  repairCommand,
  type JournalChoice,
} from './data-folder.ts';
export type { JournalLocation } from './data-folder.ts';
export { dataDirOf, loadConfiguration } from './settings/load-configuration.ts';
export type { ConfigurationSources } from './settings/load-configuration.ts';
export { realLine } from './terminal-line.ts';
export { viewSerialPorts } from './serial-ports.ts';
export { searchForTerminals } from './find/search.ts';
