/**
 * Every setting of the bridge, one row each. From here come the configuration's schema and its messages
 * (`configuration.ts`), the flags and their help, the variables, the keys of configuration files, the table in
 * `docs/configuration.md`, the console's settings (`console/settings.ts`) and the fields of its form.
 *
 * A new setting is a row here and, where the console offers it, its label in each file of `src/locales`. A protocol's own
 * settings are rows of its descriptor.
 */
import { z } from 'zod';
import { logLevelSchema } from './log.ts';
import { currencySchema } from './money.ts';
import { protocolNameSchema, protocolSettings } from './protocols.ts';
import type { SettingRow } from './setting-row.ts';
import { terminalAddressSchema, terminalAddressTextSchema } from './terminal-address.ts';
import { terminalsSchema } from './terminals.ts';

/** Plain http only on this computer: for tests, and for a feed behind a proxy of the shop's own. */
const feedAddress =
  /^(https:\/\/[^\s/?#@]+|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?)(\/[^\s?#]*)?$/;
const feedRule = 'must be an https address, such as "https://updates.example/tillbridge/"';
/** In a network of the chain's own an office may have no certificate; the log warns of it. */
const officeAddress = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/;
const officeRule = 'must be an https or http address, such as "https://office.example"';
/** As `enrolmentCodePattern` of `office.ts`, but as people type it. */
const officeCode = /^([A-HJ-NP-Z2-9]{4}-?){3}[A-HJ-NP-Z2-9]{4}$/i;

const baudRateSchema = z.number().int().min(300).max(921_600);
const dataBitsSchema = z.union([z.literal(7), z.literal(8)]);
const paritySchema = z.enum(['none', 'even', 'odd']);
const stopBitsSchema = z.union([z.literal(1), z.literal(2)]);

/** By key, in the order in which help and docs list them. A point in a key makes a group: `zvt.password`. */
export const settingsTable = {
  terminal: {
    schema: terminalAddressSchema,
    flag: '--terminal',
    argument: 'TERMINAL',
    meaning: 'The card terminal: simulator, serial:PATH, tcp:HOST:PORT or http:HOST:PORT.',
    console: { section: 'terminal', schema: terminalAddressTextSchema },
  },
  protocol: {
    schema: protocolNameSchema.default('zvt'),
    flag: '--protocol',
    argument: 'NAME',
    meaning: 'The protocol that the terminal speaks.',
    console: { section: 'terminal' },
  },
  terminals: {
    schema: terminalsSchema.default({}),
    flag: '--add-terminal',
    argument: 'NAME=TERMINAL',
    meaning:
      'A further terminal, such as bar=tcp:192.168.1.21:20007. Can be repeated; a file can give each one settings of its own.',
  },
  port: {
    schema: z.number().int().min(0).max(65535).default(8080),
    flag: '--port',
    argument: 'NUMBER',
    meaning: 'The port for the POS software; 0 takes a free one.',
    console: {
      section: 'listener',
      field: { label: 'settings.listener.port', hint: 'settings.listener.portHint' },
      problem: 'settings.problem.port',
    },
  },
  host: {
    // Null: loopback only (127.0.0.1 and ::1).
    schema: z.string().min(1).nullable().default(null),
    flag: '--host',
    argument: 'ADDRESS',
    meaning:
      'The address to listen on, if not loopback only. Other machines can then take payments: see the docs.',
  },
  allowedHosts: {
    schema: z.array(z.string().min(1)).default([]),
    flag: '--allow-host',
    argument: 'NAME',
    meaning:
      'A further name that callers may use in the Host header, such as till-1.example:8080. Can be repeated.',
  },
  allowedOrigins: {
    schema: z
      .array(
        z.string().regex(/^https?:\/\/[^/*\s]+$/, 'must be a whole origin, such as "https://pos.example"'),
      )
      .default([]),
    flag: '--allow-origin',
    argument: 'ORIGIN',
    meaning: 'The origin of a web page that may call, such as https://pos.example. Can be repeated.',
    appliesAtOnce: true,
    console: { section: 'callers', problem: 'settings.problem.origin' },
  },
  dataDir: {
    schema: z.string().min(1),
    flag: '--data-dir',
    argument: 'FOLDER',
    meaning: 'Where the journal and the log are kept.',
  },
  currency: {
    schema: currencySchema.default('EUR'),
    flag: '--currency',
    argument: 'CODE',
    meaning: 'The currency of all amounts, as in ISO 4217.',
    console: { section: 'terminal' },
  },
  makeReferences: {
    schema: z.boolean().default(false),
    flag: '--make-references',
    argument: 'YES|NO',
    meaning:
      'Make a reference for POS software that sends none. A repeated request is then a second payment.',
    console: {
      section: 'listener',
      field: { label: 'settings.listener.references', hint: 'settings.listener.referencesHint' },
    },
  },
  maxTipPercent: {
    schema: z.number().min(0).max(100).default(0),
    flag: '--max-tip-percent',
    argument: 'PERCENT',
    meaning: 'How much more than asked the terminal may approve, as a tip; 0 allows none.',
    console: {
      section: 'terminal',
      field: { label: 'settings.terminal.maxTip', hint: 'settings.terminal.maxTipHint' },
      problem: 'settings.problem.maxTip',
    },
  },
  pace: {
    schema: z.number().min(0).max(100).default(1),
    flag: '--pace',
    argument: 'FACTOR',
    meaning: 'Simulator: 1 is a payment of about a second, 0 is at once.',
  },
  logLevel: {
    schema: logLevelSchema.default('info'),
    flag: '--log-level',
    argument: 'LEVEL',
    meaning: 'The least important level that the log keeps.',
    console: {
      section: 'about',
      field: {
        label: 'settings.about.logLevel',
        hint: 'settings.about.logLevelHint',
        choiceLabels: 'log.atLeast',
      },
    },
  },
  capture: {
    schema: z.boolean().default(false),
    flag: '--capture',
    argument: 'YES|NO',
    meaning:
      'Record the line to the terminal, card data masked: "tillbridge replay" plays it again. See docs/terminals.md.',
    console: {
      section: 'about',
      field: { label: 'settings.about.capture', hint: 'settings.about.captureHint' },
    },
  },
  'updates.feed': {
    schema: z.string().max(500).regex(feedAddress, feedRule).nullable().default(null),
    flag: '--updates-feed',
    argument: 'URL',
    meaning: 'Where new versions are published: an https address. Without one nothing is ever asked.',
    appliesAtOnce: true,
    console: {
      section: 'updates',
      field: { label: 'settings.updates.feed', hint: 'settings.updates.feedHint' },
      problem: 'settings.problem.feed',
    },
  },
  'updates.key': {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64 (44 characters)')
      .nullable()
      .default(null),
    flag: '--updates-key',
    argument: 'KEY',
    meaning: 'The public key that signs the feed (Ed25519, base64). A feed without its key is not asked.',
    appliesAtOnce: true,
    console: {
      section: 'updates',
      field: { label: 'settings.updates.key', hint: 'settings.updates.keyHint' },
      problem: 'settings.problem.feedKey',
    },
  },
  'updates.channel': {
    schema: z.enum(['latest', 'beta']).default('latest'),
    flag: '--updates-channel',
    argument: 'NAME',
    meaning: 'Which versions: latest, or beta with those that are still being tried.',
    appliesAtOnce: true,
    console: {
      section: 'updates',
      field: { label: 'settings.updates.channel', choiceLabels: 'settings.updates.channels' },
    },
  },
  'updates.hours': {
    schema: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'must be a span such as "22:00-06:00"')
      .nullable()
      .default(null),
    flag: '--updates-hours',
    argument: 'SPAN',
    meaning: 'When a version may be installed, such as 22:00-06:00 (local time); without it, at any time.',
    appliesAtOnce: true,
    console: {
      section: 'updates',
      field: { label: 'settings.updates.hours', hint: 'settings.updates.hoursHint' },
      problem: 'settings.problem.hours',
    },
  },
  'updates.mode': {
    schema: z.enum(['off', 'tell', 'install']).default('tell'),
    flag: '--updates-mode',
    argument: 'MODE',
    meaning:
      'What happens with a new version: off (nothing is asked), tell, or install. A bridge without a window only tells.',
    appliesAtOnce: true,
    console: {
      section: 'updates',
      field: { label: 'settings.updates.mode', choiceLabels: 'settings.updates.modes' },
    },
  },
  office: {
    schema: z.string().max(500).regex(officeAddress, officeRule).nullable().default(null),
    flag: '--office',
    argument: 'URL',
    meaning:
      'The head office that gets a copy of the journals, such as https://office.example. Without one nothing is sent.',
  },
  officeCode: {
    schema: z
      .string()
      .regex(officeCode, 'must be a code of the head office, such as "ABCD-EFGH-JKLM-NPQR"')
      .nullable()
      .default(null),
    flag: '--office-code',
    argument: 'CODE',
    meaning:
      'The code with which the head office takes this bridge in. It counts once; later it is not looked at.',
    secret: true,
  },
  // Null: as usual for the protocol (`serial-settings.ts`). The console shows what that is.
  'serial.baudRate': {
    schema: baudRateSchema.nullable().default(null),
    flag: '--baud-rate',
    argument: 'NUMBER',
    meaning: 'Serial line: bits per second, if not those that are usual for the protocol.',
    console: { section: 'terminal', schema: baudRateSchema },
  },
  'serial.dataBits': {
    schema: z.union([...dataBitsSchema.options, z.null()]).default(null),
    flag: '--data-bits',
    argument: 'NUMBER',
    meaning: 'Serial line: data bits, if not those that are usual for the protocol.',
    console: { section: 'terminal', schema: dataBitsSchema },
  },
  'serial.parity': {
    schema: paritySchema.nullable().default(null),
    flag: '--parity',
    argument: 'PARITY',
    meaning: 'Serial line: parity, if not the one that is usual for the protocol.',
    console: { section: 'terminal', schema: paritySchema },
  },
  'serial.stopBits': {
    schema: z.union([...stopBitsSchema.options, z.null()]).default(null),
    flag: '--stop-bits',
    argument: 'NUMBER',
    meaning: 'Serial line: stop bits, if not those that are usual for the protocol.',
    console: { section: 'terminal', schema: stopBitsSchema },
  },
  heartbeatMs: {
    schema: z.number().int().min(1_000).max(3_600_000).default(30_000),
    flag: '--heartbeat-ms',
    argument: 'MILLISECONDS',
    meaning: 'How often the idle terminal is asked whether it is still there.',
  },
  stopTimeoutMs: {
    schema: z.number().int().min(0).max(600_000).default(60_000),
    flag: '--stop-timeout-ms',
    argument: 'MILLISECONDS',
    meaning: 'How long a stop waits for the current operation.',
  },
  ...protocolSettings,
} as const satisfies Record<string, SettingRow>;
export type SettingsTable = typeof settingsTable;
