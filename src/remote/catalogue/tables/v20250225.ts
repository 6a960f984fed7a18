/** Version v20250225: virtual account creation with its travel rule, and the payment clearing area. */
import { z } from 'zod';
import {
  unshownRecord,
  unshownStep,
  writes,
  reads,
  type Decision,
  type OperationEntry,
  type ResourceEntry,
} from '../entries.ts';
import { currencyCode, name, signedAmount, text, timestamp, uuid } from '../formats.ts';
import { allDecided, decided, openWord, shown } from '../marks.ts';
import { individual, intentShape, originatorType, recordShape } from '../shapes.ts';
import { accountAndBalance, readRow, transaction, transactionFilters, unshownVersion } from './v20250212.ts';

const clearing = 'clearing';

const travelRule = z.object({
  ...recordShape,
  customer_id: shown(text),
  account_id: shown(text),
  virtual_account_creation_intent_id: shown(text),
  originator_type: shown(originatorType),
  originator: shown(individual),
});

const virtualAccountCreationIntent = z.object({
  ...allDecided(intentShape),
  account_id: decided(uuid),
  virtual_account_id: decided(uuid.nullable()),
});

/** A fraction of one: "0.015" is one and a half per cent. */
const decimalFraction = z.string().regex(/^\d+(?:\.\d+)?$/, 'must be a decimal fraction, as a string');

const transfers = z.object({
  transfers: shown(
    z.array(
      z.object({
        clearing_account_id: shown(text),
        discounts: shown(z.array(z.object({ rate: shown(decimalFraction) }))),
      }),
    ),
  ),
});

const clearingEntryExecutionIntent = z.object({
  ...allDecided(intentShape),
  clearing_entry_id: decided(uuid),
  clearing_account_id: decided(uuid.nullable()),
  transfers: decided(transfers.shape.transfers),
});

/** This version's intents: no If-Match is shown for any of them. */
const stepDecisions = unshownStep.filter((decision) => decision !== 'method');

function step<Request extends z.ZodObject, Answer extends z.ZodType>(
  segment: string,
  request: Request,
  response: Answer,
  decisions: readonly Decision[],
): OperationEntry<'step', Request, null, Answer> {
  return {
    kind: 'step',
    segment,
    request,
    query: null,
    response,
    scopeAction: 'update',
    needsIfMatch: false,
    decisions,
  };
}

/** Create, confirm and retrieve; the document names no list. */
function earlierIntent<Request extends z.ZodObject, Answer extends z.ZodObject>(
  request: Request,
  record: Answer,
) {
  const { create, confirm } = writes(request, record, {
    create: ['path', 'request', 'response', 'scope'],
    confirm: stepDecisions,
  });
  const { retrieve } = reads(record, {}, { retrieve: ['path', 'response', 'scope'] });
  return { create, confirm: { ...confirm, needsIfMatch: false }, retrieve };
}

const virtualAccountCreation = earlierIntent(
  z.object({ account_id: decided(uuid) }),
  virtualAccountCreationIntent,
);
const clearingEntryExecution = earlierIntent(
  z.object({ clearing_entry_id: decided(uuid) }),
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
        z.object({ originator_type: shown(originatorType), originator: shown(individual) }),
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
        z.object({ clearing_account_id: decided(uuid) }),
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
    record: unshownRecord({
      customer_id: decided(text),
      name: decided(name),
      currency_code: decided(currencyCode),
      balance: decided(signedAmount),
      status: decided(openWord([], ['active', 'closed'])),
    }),
    filters: { currency_code: decided(text) },
    decisions: unshownVersion,
  }),
  'clearing-entry': readRow({
    area: clearing,
    meaning: 'Money that waits to be cleared.',
    path: '/payment/clearing-entries',
    record: unshownRecord({
      customer_id: decided(text),
      clearing_account_id: decided(uuid.nullable()),
      currency_code: decided(currencyCode),
      amount: decided(signedAmount),
      status: decided(openWord([], ['open', 'executed', 'failed'])),
      execute_time: decided(timestamp.nullable()),
    }),
    filters: { clearing_account_id: decided(text), status: decided(text) },
    decisions: unshownVersion,
  }),
  ...accountAndBalance,
  transaction: readRow({
    area: 'treasury',
    meaning: 'One posting on an account.',
    record: transaction,
    filters: transactionFilters,
    decisions: unshownVersion,
  }),
} as const satisfies Record<string, ResourceEntry>;
