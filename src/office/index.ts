/** The head office of a chain of shops: takes the journals of its bridges, and finds what people ask for. */
export { createOffice, OfficeListenError } from './office.ts';
export type { Office, OfficeOptions } from './office.ts';
export type { ProviderSettings } from './provider.ts';
export { defaultAlarmSettings, readAlarmSettings } from './alarms/settings.ts';
export type { AlarmSettings } from './alarms/settings.ts';
export { sendBySmtp } from './alarms/smtp.ts';
export { createPostgres } from './database/postgres.ts';
export { openPglite } from './database/pglite.ts';
export { DatabaseError } from './database/database.ts';
export type { Database } from './database/database.ts';
export { DatabaseTooNewError } from './database/migrate.ts';
