/** Fields and objects that several records share. */
import { z } from 'zod';
import { anyObject, countryCode, date, entityTag, name, optional, text, timestamp, uuid } from './formats.ts';
import { allAssumed, assumed, openEnum, documented } from './marks.ts';

/** What the document's conventions give every record. */
export const recordShape = {
  id: documented(uuid),
  create_time: documented(timestamp),
  update_time: documented(timestamp),
  token: documented(text),
  etag: documented(entityTag),
};

export const lifeCycles = [
  'pending-confirmation',
  'pending-approval',
  'pending-completion',
  'completed',
  'failed',
] as const;

export const failReasons = [
  'insufficient-funds',
  'account-not-usable',
  'currency-mismatch',
  'quote-expired',
  'quote-used',
  'trade-not-cancellable',
  'requirement-rejected',
  'share-token-rejected',
  'screening-hit',
  'not-approved',
] as const;

/** The intent record: what all intents share. */
export const intentShape = {
  ...recordShape,
  life_cycle: documented(openEnum(['pending-requirements'], lifeCycles)),
  result: documented(openEnum(['pending'], ['succeeded', 'failed'])),
  fail_reason: documented(openEnum([], failReasons).nullable()),
  customer_id: documented(text),
  confirm_time: documented(timestamp.nullable()),
  approve_time: documented(timestamp.nullable()),
  complete_time: documented(timestamp.nullable()),
};

export const requirementReference = z.object({
  requirement_id: documented(text),
  revision: documented(z.int()),
});

export const address = z.object({
  city: documented(text),
  country: documented(countryCode),
  dependent_locality: documented(optional(text)),
  postal_code: documented(text),
  region: documented(optional(text)),
  address_lines: documented(z.array(text)),
});

export const individual = z.object({
  name: documented(text),
  id: documented(
    z.object({ type: documented(text), value: documented(text), country_of_issue: documented(countryCode) }),
  ),
  address: documented(address),
  date_of_birth: documented(date),
  place_of_birth: documented(text),
});

export const company = z.object({
  name: assumed(name),
  registration_number: assumed(text.min(1)),
  country_of_registration: assumed(countryCode),
  address: assumed(address),
});

const byCms = z.object({
  type: documented(z.literal('cms')),
  detail: documented(z.object({ cms_id: documented(text) })),
});
const byTravelRule = {
  type: documented(z.literal('travel-rule')),
  detail: documented(z.object({ type: documented(z.literal('individual')), detail: documented(individual) })),
};

export const knowYourCustomer = z.discriminatedUnion('type', [byCms, z.object(byTravelRule)]);

/** In a request the document shows the first alone: "allowed values in requests: not shown". */
export const requestedKnowYourCustomer = z.discriminatedUnion('type', [
  byCms,
  z.object(allAssumed(byTravelRule)),
]);

const bankAccount = {
  type: documented(z.literal('bank-account')),
  detail: documented(
    z.object({
      bank_identifier_code: documented(text),
      bank_account_number: documented(text),
      bank_account_name: documented(text),
    }),
  ),
};

const cryptoAccount = {
  type: documented(z.literal('crypto-account')),
  detail: documented(z.object({ network: documented(text), address: documented(text) })),
};

/** An account outside: at a bank, or an address on a blockchain. `seen`: the one that the document shows for the record. */
export function externalAccountOf(seen: 'bank-account' | 'crypto-account') {
  return z.discriminatedUnion('type', [
    z.object(seen === 'bank-account' ? bankAccount : allAssumed(bankAccount)),
    z.object(seen === 'crypto-account' ? cryptoAccount : allAssumed(cryptoAccount)),
  ]);
}

/** Of records that the document does not show. */
export const externalAccount = externalAccountOf('bank-account');

/** Arrays and objects of which the document gives the name and no more. */
export const undocumentedElements = z.array(anyObject);

export const originatorType = openEnum(['individual']);
