/** ZVT for everybody outside of this folder. */
import { z } from 'zod';
import type { ProtocolDescriptor } from '../../../contract/protocol-descriptor.ts';

const milliseconds = z.number().int().min(1).max(3_600_000);
const password = z.string().regex(/^\d{6}$/, 'must be six digits, such as "000000"');

export const descriptor = {
  name: 'zvt',
  title: 'ZVT',
  countries: ['DE', 'AT', 'CH'],
  connections: {
    serial: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 },
    tcp: { usualPort: 20_007 },
  },
  settings: {
    'zvt.password': {
      schema: password.default('000000'),
      flag: '--zvt-password',
      argument: 'DIGITS',
      meaning:
        'ZVT: the password that the terminal wants. Every user can read it on a command line; see --zvt-password-file.',
      secret: true,
      console: {
        section: 'terminal',
        // Null: leave it as it is.
        schema: password.nullable(),
        texts: {
          en: {
            label: 'Terminal password',
            hint: 'Six digits. If empty: 000000, the usual password.',
            problem: 'The password has six digits, such as 000000.',
          },
          de: {
            label: 'Terminal-Passwort',
            hint: 'Sechs Ziffern. Wenn leer: 000000, das übliche Passwort.',
            problem: 'Das Passwort hat sechs Ziffern, etwa 000000.',
          },
        },
      },
    },
    'zvt.configurationByte': {
      // Null takes the usual value for `zvt.receipts` (terminal: 18, pos: BE).
      schema: z
        .string()
        .regex(/^[0-9a-fA-F]{2}$/, 'must be two hex digits, such as "18"')
        .nullable()
        .default(null),
      flag: '--zvt-config-byte',
      argument: 'HEX',
      meaning:
        'ZVT: the configuration byte of the registration, if not the usual one for who prints (18 or BE).',
    },
    'zvt.textEncoding': {
      schema: z.enum(['cp437', 'latin1', 'utf8', 'ascii']).default('cp437'),
      flag: '--zvt-encoding',
      argument: 'NAME',
      meaning: 'ZVT: the character set of texts.',
      console: {
        section: 'terminal',
        advanced: true,
        texts: {
          en: {
            label: 'Character set',
            choices: { cp437: 'CP437 (usual)', latin1: 'Latin-1', utf8: 'UTF-8', ascii: 'ASCII' },
          },
          de: {
            label: 'Zeichensatz',
            choices: { cp437: 'CP437 (üblich)', latin1: 'Latin-1', utf8: 'UTF-8', ascii: 'ASCII' },
          },
        },
      },
    },
    'zvt.receipts': {
      schema: z.enum(['terminal', 'pos']).default('terminal'),
      flag: '--zvt-receipts',
      argument: 'WHO',
      meaning: 'ZVT: who prints, the terminal or the POS (from the lines that QueryPayment answers).',
      console: { section: null },
    },
    'zvt.timers.byteGapMs': {
      schema: milliseconds.default(200),
      flag: '--zvt-byte-gap-ms',
      argument: 'MILLISECONDS',
      meaning: 'ZVT timer T1: longest gap between two bytes of one frame.',
    },
    'zvt.timers.ackTimeoutMs': {
      schema: milliseconds.default(5_000),
      flag: '--zvt-ack-timeout-ms',
      argument: 'MILLISECONDS',
      meaning: 'ZVT timer T2: longest wait for the acknowledgement of a frame.',
    },
    'zvt.timers.answerTimeoutMs': {
      schema: milliseconds.default(5_000),
      flag: '--zvt-answer-timeout-ms',
      argument: 'MILLISECONDS',
      meaning: 'ZVT timer T3: longest wait for the answer to a command.',
    },
    'zvt.timers.completionTimeoutMs': {
      // 04 FF of the terminal can lengthen it.
      schema: milliseconds.default(180_000),
      flag: '--zvt-completion-timeout-ms',
      argument: 'MILLISECONDS',
      meaning: 'ZVT timer T4: longest silence of the terminal while it works.',
    },
    'zvt.timers.silenceCheckMs': {
      schema: z.number().int().min(0).max(3_600_000).default(20_000),
      flag: '--zvt-silence-check-ms',
      argument: 'MILLISECONDS',
      meaning: 'Silence of a working terminal after which it is asked for its state (05 01); 0: never.',
    },
  },
  decode: { framings: ['serial', 'apdu'] },
  hasSimulator: true,
} as const satisfies ProtocolDescriptor;
