/** How each setting is called on the command line and in the environment; what it means; what it must be. */
import { settingRules, type SettingRule } from '../../contract/configuration-rules.ts';

export interface Setting extends SettingRule {
  /** `--zvt-password` */
  flag: string;
  /** `TILLBRIDGE_ZVT_PASSWORD`: the flag's name in capitals. */
  variable: string;
  /** What stands for the value in help: `DIGITS`. */
  argument: string;
  /** One sentence for help and docs. */
  meaning: string;
  /** Its value is not repeated in messages. */
  secret: boolean;
}

interface Naming {
  flag: string;
  argument: string;
  meaning: string;
  secret?: boolean;
}

const namings: Record<string, Naming> = {
  terminal: {
    flag: '--terminal',
    argument: 'TERMINAL',
    meaning: 'The card terminal: simulator, serial:PATH or tcp:HOST:PORT.',
  },
  protocol: { flag: '--protocol', argument: 'NAME', meaning: 'The protocol that the terminal speaks.' },
  port: { flag: '--port', argument: 'NUMBER', meaning: 'The port for the POS software; 0 takes a free one.' },
  host: {
    flag: '--host',
    argument: 'ADDRESS',
    meaning:
      'The address to listen on, if not loopback only. Other machines can then take payments: see the docs.',
  },
  allowedHosts: {
    flag: '--allow-host',
    argument: 'NAME',
    meaning:
      'A further name that callers may use in the Host header, such as till-1.example:8080. Can be repeated.',
  },
  allowedOrigins: {
    flag: '--allow-origin',
    argument: 'ORIGIN',
    meaning: 'The origin of a web page that may call, such as https://pos.example. Can be repeated.',
  },
  dataDir: {
    flag: '--data-dir',
    argument: 'FOLDER',
    meaning: 'Where the journal and the log are kept.',
  },
  currency: { flag: '--currency', argument: 'CODE', meaning: 'The currency of all amounts, as in ISO 4217.' },
  makeReferences: {
    flag: '--make-references',
    argument: 'YES|NO',
    meaning:
      'Make a reference for POS software that sends none. A repeated request is then a second payment.',
  },
  maxTipPercent: {
    flag: '--max-tip-percent',
    argument: 'PERCENT',
    meaning: 'How much more than asked the terminal may approve, as a tip; 0 allows none.',
  },
  pace: {
    flag: '--pace',
    argument: 'FACTOR',
    meaning: 'Simulator: 1 is a payment of about a second, 0 is at once.',
  },
  logLevel: {
    flag: '--log-level',
    argument: 'LEVEL',
    meaning: 'The least important level that the log keeps.',
  },
  'serial.baudRate': { flag: '--baud-rate', argument: 'NUMBER', meaning: 'Serial line: bits per second.' },
  'serial.dataBits': { flag: '--data-bits', argument: 'NUMBER', meaning: 'Serial line: data bits.' },
  'serial.parity': { flag: '--parity', argument: 'PARITY', meaning: 'Serial line: parity.' },
  'serial.stopBits': { flag: '--stop-bits', argument: 'NUMBER', meaning: 'Serial line: stop bits.' },
  heartbeatMs: {
    flag: '--heartbeat-ms',
    argument: 'MILLISECONDS',
    meaning: 'How often the idle terminal is asked whether it is still there.',
  },
  stopTimeoutMs: {
    flag: '--stop-timeout-ms',
    argument: 'MILLISECONDS',
    meaning: 'How long a stop waits for the operation in hand.',
  },
  'zvt.password': {
    flag: '--zvt-password',
    argument: 'DIGITS',
    meaning:
      'ZVT: the password that the terminal wants. Every user can read it on a command line; see --zvt-password-file.',
    secret: true,
  },
  'zvt.configurationByte': {
    flag: '--zvt-config-byte',
    argument: 'HEX',
    meaning:
      'ZVT: the configuration byte of the registration, if not the usual one for who prints (18 or BE).',
  },
  'zvt.textEncoding': {
    flag: '--zvt-encoding',
    argument: 'NAME',
    meaning: 'ZVT: the character set of texts.',
  },
  'zvt.receipts': {
    flag: '--zvt-receipts',
    argument: 'WHO',
    meaning: 'ZVT: who prints, the terminal or the POS (from the lines that QueryPayment answers).',
  },
  'zvt.timers.byteGapMs': {
    flag: '--zvt-byte-gap-ms',
    argument: 'MILLISECONDS',
    meaning: 'ZVT timer T1: longest gap between two bytes of one frame.',
  },
  'zvt.timers.ackTimeoutMs': {
    flag: '--zvt-ack-timeout-ms',
    argument: 'MILLISECONDS',
    meaning: 'ZVT timer T2: longest wait for the acknowledgement of a frame.',
  },
  'zvt.timers.answerTimeoutMs': {
    flag: '--zvt-answer-timeout-ms',
    argument: 'MILLISECONDS',
    meaning: 'ZVT timer T3: longest wait for the answer to a command.',
  },
  'zvt.timers.completionTimeoutMs': {
    flag: '--zvt-completion-timeout-ms',
    argument: 'MILLISECONDS',
    meaning: 'ZVT timer T4: longest silence of the terminal while it works.',
  },
  'zvt.timers.silenceCheckMs': {
    flag: '--zvt-silence-check-ms',
    argument: 'MILLISECONDS',
    meaning: 'Silence of a working terminal after which it is asked for its state (05 01); 0: never.',
  },
};

/** Names the JSON file with settings; no setting itself. */
export const configFileFlag = '--config';
export const configFileVariable = 'TILLBRIDGE_CONFIG';

/** Every setting there is. A key of the schema without a name here is a fault that the first test to run meets. */
export const settings: Setting[] = settingRules().map((rule) => {
  const naming = namings[rule.key];
  if (naming === undefined)
    throw new Error(`The setting ${rule.key} has no flag in src/host/settings/settings.ts`);
  return { ...rule, secret: false, ...naming, variable: variableOf(naming.flag) };
});

/** Secrets can also be in a file of their own, which a flag or a variable names. */
export const secretSettings = settings
  .filter((setting) => setting.secret)
  .map((setting) => ({
    ...setting,
    /** As the key of a flag's value. */
    fileKey: `${setting.key}File`,
    fileFlag: `${setting.flag}-file`,
    fileVariable: `${setting.variable}_FILE`,
  }));

export function settingOf(key: string): Setting {
  const found = settings.find((setting) => setting.key === key);
  if (found === undefined) throw new Error(`There is no setting ${key}`);
  return found;
}

function variableOf(flag: string): string {
  return `TILLBRIDGE_${flag.slice('--'.length).replaceAll('-', '_').toUpperCase()}`;
}
