/** ECR-EDC for everybody outside of this folder. */
import { z } from 'zod';
import type { ProtocolDescriptor } from '../../../contract/protocol-descriptor.ts';

export const descriptor = {
  name: 'ecr-edc',
  title: 'ECR-EDC',
  countries: ['TH'],
  connections: {
    serial: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 1 },
    // Behind a converter: the terminals have no network port of their own for it.
    tcp: { usualPort: null },
  },
  settings: {
    'ecr-edc.profile': {
      // Those of `wire/profiles/` by which a terminal can be driven.
      schema: z.enum(['generic', 'kbtg']).default('generic'),
      flag: '--ecr-edc-profile',
      argument: 'NAME',
      meaning: 'ECR-EDC: the bank’s variant of the protocol.',
      console: {
        section: 'terminal',
        texts: {
          en: {
            label: 'Bank',
            hint: 'Each bank has a variant of its own. With the general one, what is lost is decided by a person.',
            choices: { generic: 'Any (generic)', kbtg: 'KBank (kbtg)' },
          },
          de: {
            label: 'Bank',
            hint: 'Jede Bank hat ihre eigene Variante. Bei der allgemeinen entscheidet ein Mensch, was verloren geht.',
            choices: { generic: 'Allgemein (generic)', kbtg: 'KBank (kbtg)' },
          },
        },
      },
    },
    'ecr-edc.device': {
      schema: z.number().int().min(0).max(99).default(0),
      flag: '--ecr-edc-device',
      argument: 'NUMBER',
      meaning:
        'ECR-EDC: the number of the device, where a kbtg terminal has one (the last two digits of the header).',
    },
  },
  decode: { framings: ['serial'], profiles: ['generic', 'kbtg', 'ktb'] },
  // The general variant has no question without an amount; to this one's communication test (D0) others may answer, too.
  search: { settings: { 'ecr-edc.profile': 'kbtg' } },
  hasSimulator: true,
} as const satisfies ProtocolDescriptor;
