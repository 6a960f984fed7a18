/** Storage and the simulator of the latest version. */
import { z } from 'zod';
import { resource, unshownRecord, type OperationEntry } from '../entries.ts';
import { amount, currencyCode, name, optional, remark, text, uuid } from '../formats.ts';
import { decided, openWord } from '../marks.ts';
import { externalAccount } from '../shapes.ts';
import { treasury } from './treasury.ts';

/** In base64, since bodies are application/json: 10 MiB of bytes. */
const maxContentCharacters = 13_981_016;

const fileFields = {
  customer_id: decided(text),
  name: decided(name),
  content_type: decided(text),
  purpose: decided(openWord([], ['evidence', 'supporting-information', 'other'])),
  size: decided(z.int().min(0)),
  sha256: decided(z.string().regex(/^[0-9a-f]{64}$/)),
};
const fileRecord = unshownRecord(fileFields);
const content = decided(z.base64().max(maxContentCharacters));

const createFile: OperationEntry<
  'create',
  z.ZodObject<{
    name: typeof name;
    content_type: typeof text;
    purpose: z.ZodOptional<z.ZodNullable<typeof fileFields.purpose>>;
    content: typeof content;
  }>,
  null,
  typeof fileRecord
> = {
  kind: 'create',
  segment: null,
  request: z.object({
    name: decided(name),
    content_type: decided(text.regex(/^[\w.+-]+\/[\w.+-]+$/)),
    purpose: decided(optional(fileFields.purpose)),
    content,
  }),
  query: null,
  response: fileRecord,
  scopeAction: 'create',
  needsIfMatch: false,
  decisions: ['method', 'path', 'request', 'response', 'scope'],
};

export const storage = {
  file: resource({
    area: 'storage',
    meaning: 'A document, as a copy of a passport.',
    fields: fileFields,
    filters: { purpose: decided(text) },
    more: {
      create: createFile,
      content: {
        kind: 'retrieve',
        segment: 'content',
        request: null,
        query: null,
        response: z.object({ file_id: decided(uuid), content_type: decided(text), content }),
        scopeAction: 'read',
        needsIfMatch: false,
        decisions: ['method', 'path', 'response', 'scope'],
      },
    },
  }),
};

const incomingTransfer = treasury['incoming-transfer'].record;

export const simulator = {
  'simulator-incoming-transfer': {
    area: 'simulator',
    meaning: 'Pretends that money came in.',
    path: '/simulator/incoming-transfers',
    record: incomingTransfer,
    operations: {
      create: {
        kind: 'create',
        segment: null,
        request: z.object({
          account_id: decided(optional(uuid)),
          virtual_account_id: decided(optional(uuid)),
          currency_code: decided(currencyCode),
          amount: decided(amount),
          external_account: decided(optional(externalAccount)),
          reference: decided(optional(remark)),
        }),
        query: null,
        response: incomingTransfer,
        scopeAction: 'create',
        needsIfMatch: false,
        decisions: ['method', 'path', 'request', 'response', 'scope'],
      },
    },
    yields: { resource: 'incoming-transfer', effect: 'create' },
  },
} as const;
