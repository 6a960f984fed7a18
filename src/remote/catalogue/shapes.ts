/** Fields and objects that several records share. */
import { z } from 'zod';
import { anyObject, countryCode, date, entityTag, name, text, timestamp, uuid } from './formats.ts';
import { allDecided, decided, openWord, shown } from './marks.ts';

/** What the document's conventions give every record. */
export const recordShape = {
  id: shown(uuid),
  create_time: shown(timestamp),
  update_time: shown(timestamp),
  token: shown(text),
  etag: shown(entityTag),
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
  life_cycle: shown(openWord(['pending-requirements'], lifeCycles)),
  result: shown(openWord(['pending'], ['succeeded', 'failed'])),
  fail_reason: shown(openWord([], failReasons).nullable()),
  customer_id: shown(text),
  confirm_time: shown(timestamp.nullable()),
  approve_time: shown(timestamp.nullable()),
  complete_time: shown(timestamp.nullable()),
};

export const requirementReference = z.object({
  requirement_id: shown(text),
  revision: shown(z.int()),
});

export const address = z.object({
  city: shown(text),
  country: shown(countryCode),
  dependent_locality: shown(text.nullable()),
  postal_code: shown(text),
  region: shown(text.nullable()),
  address_lines: shown(z.array(text)),
});

export const individual = z.object({
  name: shown(text),
  id: shown(z.object({ type: shown(text), value: shown(text), country_of_issue: shown(countryCode) })),
  address: shown(address),
  date_of_birth: shown(date),
  place_of_birth: shown(text),
});

export const company = z.object({
  name: decided(name),
  registration_number: decided(text.min(1)),
  country_of_registration: decided(countryCode),
  address: decided(address),
});

const byCms = z.object({
  type: shown(z.literal('cms')),
  detail: shown(z.object({ cms_id: shown(text) })),
});
const byTravelRule = {
  type: shown(z.literal('travel-rule')),
  detail: shown(z.object({ type: shown(z.literal('individual')), detail: shown(individual) })),
};

export const knowYourCustomer = z.discriminatedUnion('type', [byCms, z.object(byTravelRule)]);

/** In a request the document shows the first alone: "allowed values in requests: not shown". */
export const requestedKnowYourCustomer = z.discriminatedUnion('type', [
  byCms,
  z.object(allDecided(byTravelRule)),
]);

const bankAccount = {
  type: shown(z.literal('bank-account')),
  detail: shown(
    z.object({
      bank_identifier_code: shown(text),
      bank_account_number: shown(text),
      bank_account_name: shown(text),
    }),
  ),
};

const cryptoAccount = {
  type: shown(z.literal('crypto-account')),
  detail: shown(z.object({ network: shown(text), address: shown(text) })),
};

/** An account outside: at a bank, or an address on a blockchain. `seen`: the one that the document shows for the record. */
export function externalAccountOf(seen: 'bank-account' | 'crypto-account') {
  return z.discriminatedUnion('type', [
    z.object(seen === 'bank-account' ? bankAccount : allDecided(bankAccount)),
    z.object(seen === 'crypto-account' ? cryptoAccount : allDecided(cryptoAccount)),
  ]);
}

/** Of records that the document does not show. */
export const externalAccount = externalAccountOf('bank-account');

/** Arrays and objects of which the document gives the name and no more. */
export const unshownElements = z.array(anyObject);

export const originatorType = openWord(['individual']);
