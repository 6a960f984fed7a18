/** Version v20250225: virtual account creation with its travel rule, and the payment clearing area. */
import { z } from 'zod';
import {
  undocumentedRecord,
  writes,
  reads,
  type Assumption,
  type OperationEntry,
  type ResourceEntry,
} from '../entries.ts';
import { currencyCode, name, signedAmount, text, timestamp, uuid } from '../formats.ts';
import { allAssumed, assumed, openEnum, documented } from '../marks.ts';
import { individual, intentShape, originatorType, recordShape } from '../shapes.ts';
import { accountAndBalance, readRow, transaction, transactionFilters, unshownVersion } from './v20250212.ts';

const clearing = 'clearing';

const travelRule = z.object({
  ...recordShape,
  customer_id: documented(text),
  account_id: documented(text),
  virtual_account_creation_intent_id: documented(text),
  originator_type: documented(originatorType),
  originator: documented(individual),
});

const virtualAccountCreationIntent = z.object({
  ...allAssumed(intentShape),
  account_id: assumed(uuid),
  virtual_account_id: assumed(uuid.nullable()),
});

/** A fraction of one: "0.015" is one and a half per cent. */
const decimalFraction = z.string().regex(/^\d+(?:\.\d+)?$/, 'must be a decimal fraction, as a string');

const transfers = z.object({
  transfers: documented(
    z.array(
      z.object({
        clearing_account_id: documented(text),
        discounts: documented(z.array(z.object({ rate: documented(decimalFraction) }))),
      }),
    ),
  ),
});

const clearingEntryExecutionIntent = z.object({
  ...allAssumed(intentShape),
  clearing_entry_id: assumed(uuid),
  clearing_account_id: assumed(uuid.nullable()),
  transfers: assumed(transfers.shape.transfers),
});

/** This version's intents: no If-Match is documented for any of them. */
const stepDecisions = ['path', 'request', 'response', 'scope', 'if-match'] as const;

function step<Request extends z.ZodObject, Response extends z.ZodType, Assumed extends Assumption>(
  segment: string,
  request: Request,
  response: Response,
  assumptions: readonly Assumed[],
): OperationEntry<'step', Request, null, Response, Assumed> {
  return {
    kind: 'step',
    segment,
    request,
    query: null,
    response,
    scopeAction: 'update',
    needsIfMatch: false,
    assumptions,
  };
}

/** Create, confirm and retrieve; the document names no list. */
function earlierIntent<Request extends z.ZodObject, Response extends z.ZodObject>(
  request: Request,
  record: Response,
) {
  const { create, confirm } = writes(request, record, {
    create: ['path', 'request', 'response', 'scope'],
    confirm: stepDecisions,
  });
  const { retrieve } = reads(record, {}, { retrieve: ['path', 'response', 'scope'] });
  return { create, confirm: { ...confirm, needsIfMatch: false }, retrieve };
}

const virtualAccountCreation = earlierIntent(
  z.object({ account_id: assumed(uuid) }),
  virtualAccountCreationIntent,
);
const clearingEntryExecution = earlierIntent(
  z.object({ clearing_entry_id: assumed(uuid) }),
  clearingEntryExecutionIntent,
);

export const v20250225 = {
  'virtual-account-creation-intent': {
    area: 'treasury',
    meaning: 'Asks for a virtual account.',
    path: '/intents/virtual-account-creation',
    record: virtualAccountCreationIntent,
    operations: {
      ...virtualAccountCreation,
      'update-travel-rule': step(
        'travel-rule',
        z.object({ originator_type: documented(originatorType), originator: documented(individual) }),
        travelRule,
        ['scope', 'if-match'],
      ),
    },
    yields: { resource: 'virtual-account', effect: 'create' },
  },
  'clearing-entry-execution-intent': {
    area: clearing,
    meaning: 'Asks to carry out a clearing entry: to spread its money over clearing accounts.',
    path: '/payment/intents/clearing-entry-execution',
    record: clearingEntryExecutionIntent,
    operations: {
      ...clearingEntryExecution,
      'update-clearing-account': step(
        'clearing-account',
        z.object({ clearing_account_id: assumed(uuid) }),
        clearingEntryExecutionIntent,
        stepDecisions,
      ),
      'update-transfers': step('transfers', transfers, transfers, ['scope', 'if-match']),
    },
    yields: { resource: 'clearing-entry', effect: 'update' },
  },
  'clearing-account': readRow({
    area: clearing,
    meaning: 'An account between those who clear with each other.',
    path: '/payment/clearing-accounts',
    record: undocumentedRecord({
      customer_id: assumed(text),
      name: assumed(name),
      currency_code: assumed(currencyCode),
      balance: assumed(signedAmount),
      status: assumed(openEnum([], ['active', 'closed'])),
    }),
    filters: { currency_code: assumed(text) },
    assumptions: unshownVersion,
  }),
  'clearing-entry': readRow({
    area: clearing,
    meaning: 'Money that waits to be cleared.',
    path: '/payment/clearing-entries',
    record: undocumentedRecord({
      customer_id: assumed(text),
      clearing_account_id: assumed(uuid.nullable()),
      currency_code: assumed(currencyCode),
      amount: assumed(signedAmount),
      status: assumed(openEnum([], ['open', 'executed', 'failed'])),
      execute_time: assumed(timestamp.nullable()),
    }),
    filters: { clearing_account_id: assumed(text), status: assumed(text) },
    assumptions: unshownVersion,
  }),
  ...accountAndBalance,
  transaction: readRow({
    area: 'treasury',
    meaning: 'One posting on an account.',
    record: transaction,
    filters: transactionFilters,
    assumptions: unshownVersion,
  }),
} as const satisfies Record<string, ResourceEntry>;
