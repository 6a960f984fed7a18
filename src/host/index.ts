/** The host: what the desktop app and the headless bridge run. */
export { createHost } from './create-host.ts';
export { defaultDataDir } from './data-dir.ts';
export { fileSecrets } from './settings/file-secrets.ts';
export type { Host, HostOptions, HostStart, SecretBox } from './host-api.ts';
