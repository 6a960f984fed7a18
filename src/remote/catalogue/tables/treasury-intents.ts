/** The treasury intent families of the latest version. */
import { intent } from '../entries.ts';
import { amount, countryCode, currencyCode, name, optional, remark, text, uuid } from '../formats.ts';
import { assumed, openEnum, documented } from '../marks.ts';
import {
  address,
  externalAccount,
  knowYourCustomer,
  requestedKnowYourCustomer,
  undocumentedElements,
} from '../shapes.ts';
import { chargeBearers, partyTypes, sides } from './treasury.ts';

const area = 'treasury';

const setAccountName = {
  segment: 'account-name',
  request: { account_name: assumed(name) },
};

export const treasuryIntents = {
  'account-holder-creation-intent': intent({
    area,
    meaning: 'Asks for an account holder.',
    yields: 'account-holder',
    effect: 'create',
    request: { know_your_customer: documented(requestedKnowYourCustomer) },
    fields: {
      know_your_customer: documented(knowYourCustomer),
      requirements: documented(undocumentedElements),
      submitted_requirements: documented(undocumentedElements),
      account_holder_id: documented(text.nullable()),
      supporting_information: documented(undocumentedElements),
    },
    recordDocumented: true,
    assumptions: {
      create: ['scope'],
      confirm: ['path', 'request', 'response', 'scope', 'if-match'],
      retrieve: ['path', 'response', 'scope'],
      list: ['path', 'query', 'response', 'scope'],
    },
  }),
  'outgoing-transfer-creation-intent': intent({
    area,
    meaning: 'Asks to send money to a beneficiary.',
    yields: 'outgoing-transfer',
    effect: 'create',
    request: {
      account_id: assumed(uuid),
      beneficiary_account_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      amount: assumed(amount),
      charge_bearer: assumed(optional(openEnum([], chargeBearers))),
      purpose_code: assumed(optional(text)),
      reference: assumed(optional(remark)),
    },
  }),
  'virtual-account-creation-intent': intent({
    area,
    meaning: 'Asks for a virtual account.',
    yields: 'virtual-account',
    effect: 'create',
    request: { account_id: assumed(uuid) },
    fields: {
      account_holder_id: assumed(uuid.nullable()),
      account_name: assumed(name.nullable()),
      external_account: assumed(externalAccount.nullable()),
    },
    steps: {
      'set-account-holder': { segment: 'account-holder', request: { account_holder_id: assumed(uuid) } },
      'set-account-name': setAccountName,
      'set-external-account': {
        segment: 'external-account',
        request: { external_account: assumed(externalAccount) },
      },
    },
  }),
  'virtual-account-update-intent': intent({
    area,
    meaning: 'Asks to change a virtual account.',
    yields: 'virtual-account',
    effect: 'update',
    request: { virtual_account_id: assumed(uuid) },
    fields: { account_name: assumed(name.nullable()) },
    steps: { 'set-account-name': setAccountName },
  }),
  'virtual-account-closure-intent': intent({
    area,
    meaning: 'Asks to close a virtual account.',
    yields: 'virtual-account',
    effect: 'close',
    request: { virtual_account_id: assumed(uuid), reason: assumed(optional(remark)) },
  }),
  'beneficiary-creation-intent': intent({
    area,
    meaning: 'Asks for a beneficiary.',
    yields: 'beneficiary',
    effect: 'create',
    request: {
      type: assumed(openEnum([], partyTypes)),
      name: assumed(name),
      country: assumed(countryCode),
      address: assumed(optional(address)),
    },
  }),
  'beneficiary-account-creation-intent': intent({
    area,
    meaning: 'Asks for an account of a beneficiary.',
    yields: 'beneficiary-account',
    effect: 'create',
    request: {
      beneficiary_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      external_account: assumed(externalAccount),
    },
  }),
  'quote-creation-intent': intent({
    area,
    meaning: 'Asks for a price.',
    yields: 'quote',
    effect: 'create',
    request: {
      sell_currency_code: assumed(currencyCode),
      buy_currency_code: assumed(currencyCode),
      fixed_side: assumed(openEnum([], sides)),
      amount: assumed(amount),
    },
  }),
  'trade-creation-intent': intent({
    area,
    meaning: 'Asks to trade at a quote.',
    yields: 'trade',
    effect: 'create',
    request: {
      quote_id: assumed(uuid),
      sell_account_id: assumed(uuid),
      buy_account_id: assumed(uuid),
    },
  }),
  'trade-cancellation-intent': intent({
    area,
    meaning: 'Asks to cancel a trade that has not settled.',
    yields: 'trade',
    effect: 'cancel',
    request: { trade_id: assumed(uuid), reason: assumed(optional(remark)) },
  }),
  'internal-transfer-creation-intent': intent({
    area,
    meaning: 'Asks to move money between two accounts of the customer.',
    yields: 'internal-transfer',
    effect: 'create',
    request: {
      source_account_id: assumed(uuid),
      destination_account_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      amount: assumed(amount),
      reference: assumed(optional(remark)),
    },
  }),
};
