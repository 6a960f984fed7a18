/** ECR17 for everybody outside of this folder. */
import { z } from 'zod';
import type { ProtocolDescriptor } from '../../../contract/protocol-descriptor.ts';

const eightDigits = z.string().regex(/^\d{8}$/, 'must be eight digits, such as "00000001"');
const eightDigitsTexts = {
  en: { problem: 'Eight digits, such as 00000001.' },
  de: { problem: 'Acht Ziffern, etwa 00000001.' },
};

export const descriptor = {
  name: 'ecr17',
  title: 'ECR17',
  countries: ['IT'],
  connections: {
    serial: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 1 },
    tcp: { usualPort: 8_081 },
  },
  currencies: ['EUR'],
  settings: {
    'ecr17.terminalId': {
      schema: eightDigits.default('00000000'),
      flag: '--ecr17-terminal-id',
      argument: 'DIGITS',
      meaning: 'ECR17: the id of the terminal, where it insists on being called by it; 00000000 is any.',
      console: {
        section: 'terminal',
        texts: {
          en: {
            ...eightDigitsTexts.en,
            label: 'Terminal ID',
            hint: 'Eight digits. 00000000 fits every terminal that does not insist on its own.',
          },
          de: {
            ...eightDigitsTexts.de,
            label: 'Terminal-ID',
            hint: 'Acht Ziffern. 00000000 passt zu jedem Terminal, das nicht auf seiner eigenen besteht.',
          },
        },
      },
    },
    'ecr17.tillId': {
      schema: eightDigits.default('00000001'),
      flag: '--ecr17-till-id',
      argument: 'DIGITS',
      meaning: 'ECR17: the number of this till, which the terminal keeps with each payment.',
      console: {
        section: 'terminal',
        texts: {
          en: { ...eightDigitsTexts.en, label: 'Number of the till', hint: 'Eight digits.' },
          de: { ...eightDigitsTexts.de, label: 'Nummer der Kasse', hint: 'Acht Ziffern.' },
        },
      },
    },
    'ecr17.receipts': {
      schema: z.enum(['terminal', 'pos']).default('terminal'),
      flag: '--ecr17-receipts',
      argument: 'WHO',
      meaning: 'ECR17: who prints, the terminal or the POS (from the lines that QueryPayment answers).',
    },
    'ecr17.lrc': {
      schema: z.enum(['auto', 'stx+etx', 'etx', 'std', 'stx']).default('auto'),
      flag: '--ecr17-lrc',
      argument: 'RANGE',
      meaning:
        'ECR17: what the check byte is taken of beside the message: STX and ETX, ETX, nothing (std), or STX; auto finds out.',
      console: {
        section: 'terminal',
        advanced: true,
        texts: {
          en: {
            label: 'Check byte (LRC)',
            choices: {
              auto: 'Find out (usual)',
              'stx+etx': 'With STX and ETX',
              etx: 'With ETX',
              std: 'Message only',
              stx: 'With STX',
            },
          },
          de: {
            label: 'Prüfbyte (LRC)',
            choices: {
              auto: 'Herausfinden (üblich)',
              'stx+etx': 'Mit STX und ETX',
              etx: 'Mit ETX',
              std: 'Nur die Nachricht',
              stx: 'Mit STX',
            },
          },
        },
      },
    },
  },
  decode: { framings: ['frame'] },
  hasSimulator: true,
} as const satisfies ProtocolDescriptor;
