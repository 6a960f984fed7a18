/** The treasury intent families of the latest version. */
import { intent } from '../entries.ts';
import { amount, countryCode, currencyCode, name, optional, remark, text, uuid } from '../formats.ts';
import { decided, openWord, shown } from '../marks.ts';
import {
  address,
  externalAccount,
  knowYourCustomer,
  requestedKnowYourCustomer,
  unshownElements,
} from '../shapes.ts';
import { chargeBearers, partyTypes, sides } from './treasury.ts';

const area = 'treasury';

const setAccountName = {
  segment: 'account-name',
  request: { account_name: decided(name) },
};

export const treasuryIntents = {
  'account-holder-creation-intent': intent({
    area,
    meaning: 'Asks for an account holder.',
    yields: 'account-holder',
    effect: 'create',
    request: { know_your_customer: shown(requestedKnowYourCustomer) },
    fields: {
      know_your_customer: shown(knowYourCustomer),
      requirements: shown(unshownElements),
      submitted_requirements: shown(unshownElements),
      account_holder_id: shown(text.nullable()),
      supporting_information: shown(unshownElements),
    },
    recordShown: true,
    decisions: {
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
      account_id: decided(uuid),
      beneficiary_account_id: decided(uuid),
      currency_code: decided(currencyCode),
      amount: decided(amount),
      charge_bearer: decided(optional(openWord([], chargeBearers))),
      purpose_code: decided(optional(text)),
      reference: decided(optional(remark)),
    },
  }),
  'virtual-account-creation-intent': intent({
    area,
    meaning: 'Asks for a virtual account.',
    yields: 'virtual-account',
    effect: 'create',
    request: { account_id: decided(uuid) },
    fields: {
      account_holder_id: decided(uuid.nullable()),
      account_name: decided(name.nullable()),
      external_account: decided(externalAccount.nullable()),
    },
    steps: {
      'set-account-holder': { segment: 'account-holder', request: { account_holder_id: decided(uuid) } },
      'set-account-name': setAccountName,
      'set-external-account': {
        segment: 'external-account',
        request: { external_account: decided(externalAccount) },
      },
    },
  }),
  'virtual-account-update-intent': intent({
    area,
    meaning: 'Asks to change a virtual account.',
    yields: 'virtual-account',
    effect: 'update',
    request: { virtual_account_id: decided(uuid) },
    fields: { account_name: decided(name.nullable()) },
    steps: { 'set-account-name': setAccountName },
  }),
  'virtual-account-closure-intent': intent({
    area,
    meaning: 'Asks to close a virtual account.',
    yields: 'virtual-account',
    effect: 'close',
    request: { virtual_account_id: decided(uuid), reason: decided(optional(remark)) },
  }),
  'beneficiary-creation-intent': intent({
    area,
    meaning: 'Asks for a beneficiary.',
    yields: 'beneficiary',
    effect: 'create',
    request: {
      type: decided(openWord([], partyTypes)),
      name: decided(name),
      country: decided(countryCode),
      address: decided(optional(address)),
    },
  }),
  'beneficiary-account-creation-intent': intent({
    area,
    meaning: 'Asks for an account of a beneficiary.',
    yields: 'beneficiary-account',
    effect: 'create',
    request: {
      beneficiary_id: decided(uuid),
      currency_code: decided(currencyCode),
      external_account: decided(externalAccount),
    },
  }),
  'quote-creation-intent': intent({
    area,
    meaning: 'Asks for a price.',
    yields: 'quote',
    effect: 'create',
    request: {
      sell_currency_code: decided(currencyCode),
      buy_currency_code: decided(currencyCode),
      fixed_side: decided(openWord([], sides)),
      amount: decided(amount),
    },
  }),
  'trade-creation-intent': intent({
    area,
    meaning: 'Asks to trade at a quote.',
    yields: 'trade',
    effect: 'create',
    request: {
      quote_id: decided(uuid),
      sell_account_id: decided(uuid),
      buy_account_id: decided(uuid),
    },
  }),
  'trade-cancellation-intent': intent({
    area,
    meaning: 'Asks to cancel a trade that has not settled.',
    yields: 'trade',
    effect: 'cancel',
    request: { trade_id: decided(uuid), reason: decided(optional(remark)) },
  }),
  'internal-transfer-creation-intent': intent({
    area,
    meaning: 'Asks to move money between two accounts of the customer.',
    yields: 'internal-transfer',
    effect: 'create',
    request: {
      source_account_id: decided(uuid),
      destination_account_id: decided(uuid),
      currency_code: decided(currencyCode),
      amount: decided(amount),
      reference: decided(optional(remark)),
    },
  }),
};
