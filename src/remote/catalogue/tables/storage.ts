/** Storage and the simulator of the latest version. */
import { z } from 'zod';
import { resource, undocumentedRecord, type OperationEntry } from '../entries.ts';
import { amount, currencyCode, name, optional, remark, text, uuid } from '../formats.ts';
import { assumed, openEnum } from '../marks.ts';
import { externalAccount } from '../shapes.ts';
import { treasury } from './treasury.ts';

/** In base64, since bodies are application/json: 10 MiB of bytes. */
const maxContentCharacters = 13_981_016;

const fileFields = {
  customer_id: assumed(text),
  name: assumed(name),
  content_type: assumed(text),
  purpose: assumed(openEnum([], ['evidence', 'supporting-information', 'other'])),
  size: assumed(z.int().min(0)),
  sha256: assumed(z.string().regex(/^[0-9a-f]{64}$/)),
};
const fileRecord = undocumentedRecord(fileFields);
const content = assumed(z.base64().max(maxContentCharacters));

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
    name: assumed(name),
    content_type: assumed(text.regex(/^[\w.+-]+\/[\w.+-]+$/)),
    purpose: assumed(optional(fileFields.purpose)),
    content,
  }),
  query: null,
  response: fileRecord,
  scopeAction: 'create',
  needsIfMatch: false,
  assumptions: ['method', 'path', 'request', 'response', 'scope'],
};

export const storage = {
  file: resource({
    area: 'storage',
    meaning: 'A document, as a copy of a passport.',
    fields: fileFields,
    filters: { purpose: assumed(text) },
    more: {
      create: createFile,
      content: {
        kind: 'retrieve',
        segment: 'content',
        request: null,
        query: null,
        response: z.object({ file_id: assumed(uuid), content_type: assumed(text), content }),
        scopeAction: 'read',
        needsIfMatch: false,
        assumptions: ['method', 'path', 'response', 'scope'],
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
          account_id: assumed(optional(uuid)),
          virtual_account_id: assumed(optional(uuid)),
          currency_code: assumed(currencyCode),
          amount: assumed(amount),
          external_account: assumed(optional(externalAccount)),
          reference: assumed(optional(remark)),
        }),
        query: null,
        response: incomingTransfer,
        scopeAction: 'create',
        needsIfMatch: false,
        assumptions: ['method', 'path', 'request', 'response', 'scope'],
      },
    },
    yields: { resource: 'incoming-transfer', effect: 'create' },
  },
} as const;
