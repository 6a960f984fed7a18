/** What can be set in the window, and what is found around it. */
import { z } from 'zod';
import { objectSchema } from '../dotted-keys.ts';
import { protocolNames, protocolNameSchema, type ProtocolName } from '../protocols.ts';
import type { SettingRow } from '../setting-row.ts';
import { settingsTable, type SettingsTable } from '../settings-table.ts';

export const maxLogFilters = 20;
/** A filter of the log with a name; `query` as it stands in the page's address. */
export const savedLogFilterSchema = z.object({
  name: z.string().min(1).max(40),
  query: z.string().max(1_000),
});
export type SavedLogFilter = z.infer<typeof savedLogFilterSchema>;

/** The languages of the window, by the names of the files in `src/locales`. */
export const languageCodes = ['en', 'de'] as const;

/** Settings of the window and the app, beside the bridge's configuration. */
export const appSettingsSchema = z.object({
  /** `system`: as the computer has it. Others are of `languageCodes`, or begin with one (`de-AT`). */
  language: z.string().min(1).max(20).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** A result, and that a person is needed, are heard. */
  sounds: z.boolean().default(false),
  soundVolume: z.enum(['quiet', 'medium', 'loud']).default('medium'),
  /** Desktop only: the system's notifications tell of what needs a person. A browser asks its own user. */
  notifications: z.boolean().default(true),
  /** Desktop only: a small window above other programs shows the payment in hand. A browser opens it by a click. */
  smallWindow: z.enum(['off', 'payments', 'always']).default('off'),
  /** The listener starts with the app; if not, it is started in the window. */
  startListener: z.boolean().default(true),
  /** Desktop only: start with the computer. */
  startWithSystem: z.boolean().default(false),
  logFilters: z.array(savedLogFilterSchema).max(maxLogFilters).default([]),
});
export type AppSettings = z.infer<typeof appSettingsSchema>;

type Offered = {
  [
    Key in keyof SettingsTable as SettingsTable[Key] extends { console: object } ? Key : never
  ]: SettingsTable[Key] extends {
    console: { schema: infer Schema };
  }
    ? Schema
    : SettingsTable[Key]['schema'];
};

/**
 * The bridge's settings that the window offers, in the text form in which people write them. A subset of the
 * configuration; whatever is not here keeps the value that a file, the environment or a flag gave it. A secret is null
 * when it is shown, and when it is to stay as it is.
 */
export const bridgeSettingsSchema = objectSchema(
  Object.fromEntries(
    Object.entries<SettingRow>(settingsTable).flatMap(([key, row]) =>
      row.console === undefined ? [] : [[key, row.console.schema ?? row.schema]],
    ),
  ) as Offered,
);
export type BridgeSettings = z.infer<typeof bridgeSettingsSchema>;

export const settingsSchema = z.object({ app: appSettingsSchema, bridge: bridgeSettingsSchema });
export type Settings = z.infer<typeof settingsSchema>;

export const settingsViewSchema = z.object({
  settings: settingsSchema,
  /** The secrets that are set to something else than their default, by key ("zvt.password"). */
  secretsSet: z.array(z.string()),
  /** Settings that a flag, the environment or a file has fixed, by key ("terminal", "zvt.receipts") and by what. */
  fixed: z.array(z.object({ key: z.string(), by: z.string() })),
  /** What was wrong with the stored settings and was left out (English). */
  warnings: z.array(z.string()),
  dataDir: z.string(),
  logFile: z.string().nullable(),
  /** How secrets are kept: by the system's own store, or in a file that only the user can read. */
  secrets: z.enum(['system', 'file']),
  /** False where the app cannot be started with the system (headless). */
  canStartWithSystem: z.boolean(),
});
export type SettingsView = z.infer<typeof settingsViewSchema>;

export const serialPortSchema = z.object({
  path: z.string(),
  /** What the device calls itself: maker and product, as far as it says them. */
  name: z.string().nullable(),
  maker: z.string().nullable(),
  product: z.string().nullable(),
  vendorId: z.string().nullable(),
  productId: z.string().nullable(),
  serialNumber: z.string().nullable(),
  /** What it probably is, by who made it. */
  guess: z
    .object({
      kind: z.enum(['terminal', 'adapter']),
      maker: z.string(),
      protocols: z.array(protocolNameSchema).readonly(),
    })
    .nullable(),
  /** The running bridge uses it. */
  inUse: z.boolean(),
  /** Another program that has it open, where this user may see that. */
  holder: z.object({ program: z.string(), processId: z.number() }).nullable(),
  /** This user may not open it; the members of `group` may. */
  denied: z.boolean(),
  group: z.string().nullable(),
  /**
   * `here`: a terminal of the settings is at it now, whatever port they name. `unsure`: the settings name it, and the
   * device is not the one that was there before; it is used once a person accepts it.
   */
  terminal: z.enum(['here', 'unsure']).nullable(),
  /** Which terminal that is, where it is not the main one. */
  ofTerminal: z.string().optional(),
});
export type SerialPortView = z.infer<typeof serialPortSchema>;

const { shape } = bridgeSettingsSchema;

type BridgeShape = typeof shape;
type TerminalKey = 'protocol' | 'serial' | 'currency' | Extract<keyof BridgeShape, ProtocolName>;
/** Which terminal there is and how to speak to it, with the settings of every protocol. */
const terminalKeys = (['protocol', 'serial', 'currency', ...protocolNames] as const).filter(
  (key): key is TerminalKey => key in shape,
);
const terminalShape = Object.fromEntries(terminalKeys.map((key) => [key, shape[key]])) as Pick<
  BridgeShape,
  TerminalKey
>;

/** What the form of the terminal edits. */
export const terminalSettingsSchema = z.object({ terminal: shape.terminal, ...terminalShape });
export type TerminalSettings = z.infer<typeof terminalSettingsSchema>;

/** What is tried; never anything that carries an amount. */
export const connectionTestRequestSchema = z.object({ terminal: z.string().max(300), ...terminalShape });
export const connectionTestSchema = z.discriminatedUnion('kind', [
  /** It registered, says that it is ready, and could be asked for its last record. */
  z.object({ kind: z.literal('ready'), terminalId: z.string().nullable(), text: z.string() }),
  /** It answers, but a person must do something first; `text` says what (English). */
  z.object({ kind: z.literal('attention'), terminalId: z.string().nullable(), text: z.string() }),
  /** `line`: port or address cannot be opened. `silent`: opened, and no sensible answer came. */
  z.object({ kind: z.enum(['line', 'silent', 'busy', 'in_use']), text: z.string() }),
  /** The bridge has this line with other values, so that these cannot be tried before they are saved. */
  z.object({ kind: z.literal('not_saved'), text: z.string() }),
]);
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

export const posTokenSchema = z.object({ name: z.string(), createdAt: z.string() });
export type PosToken = z.infer<typeof posTokenSchema>;

/** Where a terminal answered. */
const foundTerminalSchema = z.object({
  /** As `--terminal` takes it. */
  terminal: z.string(),
  protocol: protocolNameSchema,
  /** What the device behind the port calls itself. */
  device: z.string().nullable(),
  terminalId: z.string().nullable(),
  /** What a person must do first (English); null: it is ready. */
  text: z.string().nullable(),
  /** False: something answers there, and that is all. */
  sure: z.boolean(),
});
export type FoundTerminal = z.infer<typeof foundTerminalSchema>;

/** A search for terminals, as far as it is. */
export const terminalSearchSchema = z.object({
  /** `payment`: a payment began, so it was ended. */
  state: z.enum(['none', 'running', 'done', 'stopped', 'payment']),
  /** Ports and addresses. */
  done: z.number().int(),
  total: z.number().int(),
  /** What is asked at this moment. */
  asking: z.array(z.string()),
  found: z.array(foundTerminalSchema),
  /** Another program uses them, so they were not asked. */
  taken: z.array(z.string()),
  /** This user may not open them, so they were not asked. */
  denied: z.array(z.string()),
});
export type TerminalSearch = z.infer<typeof terminalSearchSchema>;
