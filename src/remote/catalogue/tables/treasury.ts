/** Treasury resources of the latest version. The document names them; their fields were decided. */
import { z } from 'zod';
import { resource } from '../entries.ts';
import {
  amount,
  anyObject,
  countryCode,
  currencyCode,
  name,
  rate,
  remark,
  signedAmount,
  text,
  timestamp,
  uuid,
} from '../formats.ts';
import { decided, openWord } from '../marks.ts';
import { address, externalAccount, knowYourCustomer } from '../shapes.ts';

const area = 'treasury';
const customer = decided(text);

const transferStatus = decided(openWord([], ['pending', 'processing', 'completed', 'failed', 'returned']));
export const partyTypes = ['individual', 'company'] as const;
export const chargeBearers = ['shared', 'sender', 'receiver'] as const;
export const sides = ['sell', 'buy'] as const;

/** A transfer to or from outside. */
const transfer = {
  customer_id: customer,
  account_id: decided(uuid),
  currency_code: decided(currencyCode),
  amount: decided(amount),
  status: transferStatus,
  fail_reason: decided(text.nullable()),
  reference: decided(remark.nullable()),
  complete_time: decided(timestamp.nullable()),
  transaction_id: decided(uuid.nullable()),
};

const exchange = {
  customer_id: customer,
  sell_currency_code: decided(currencyCode),
  sell_amount: decided(amount),
  buy_currency_code: decided(currencyCode),
  buy_amount: decided(amount),
  rate: decided(rate),
};

export const treasury = {
  account: resource({
    area,
    meaning: 'Money of the customer in one currency.',
    fields: {
      customer_id: customer,
      account_holder_id: decided(uuid.nullable()),
      name: decided(name),
      type: decided(openWord([], ['operating', 'settlement', 'client-money'])),
      currency_code: decided(currencyCode),
      status: decided(openWord([], ['pending', 'active', 'frozen', 'closed'])),
    },
    filters: {
      account_holder_id: decided(uuid),
      currency_code: decided(currencyCode),
      status: decided(text),
    },
  }),
  balance: resource({
    area,
    meaning: 'What an account holds.',
    fields: {
      customer_id: customer,
      account_id: decided(uuid),
      currency_code: decided(currencyCode),
      amount: decided(signedAmount),
      available_amount: decided(signedAmount),
      pending_amount: decided(signedAmount),
      as_of_time: decided(timestamp),
    },
    filters: { account_id: decided(uuid), currency_code: decided(currencyCode) },
  }),
  transaction: resource({
    area,
    meaning: 'One posting on an account.',
    fields: {
      customer_id: customer,
      account_id: decided(uuid),
      balance_id: decided(uuid),
      type: decided(
        openWord(
          [],
          [
            'adjustment',
            'incoming-transfer',
            'outgoing-transfer',
            'internal-transfer',
            'trade',
            'fee',
            'clearing',
          ],
        ),
      ),
      debit_credit_indicator: decided(openWord([], ['debit', 'credit'])),
      currency_code: decided(currencyCode),
      amount: decided(amount),
      debit_amount: decided(amount.nullable()),
      credit_amount: decided(amount.nullable()),
      balance: decided(signedAmount),
      pending: decided(z.boolean()),
      transaction_code: decided(text),
      post_time: decided(timestamp),
      value_time: decided(timestamp),
      foreign_currency_code: decided(currencyCode.nullable()),
      foreign_amount: decided(amount.nullable()),
      remark: decided(remark.nullable()),
      detail: decided(anyObject),
      external_account: decided(externalAccount.nullable()),
    },
    filters: {
      account_id: decided(uuid),
      balance_id: decided(uuid),
      debit_credit_indicator: decided(text),
      pending: decided(z.boolean()),
      since_time: decided(timestamp),
      until_time: decided(timestamp),
    },
  }),
  'virtual-account': resource({
    area,
    meaning: 'An address of its own for money that comes in to an account.',
    fields: {
      customer_id: customer,
      account_id: decided(uuid),
      account_holder_id: decided(uuid.nullable()),
      account_name: decided(name.nullable()),
      status: decided(openWord([], ['pending', 'active', 'closed'])),
      external_account: decided(externalAccount.nullable()),
      close_time: decided(timestamp.nullable()),
    },
    filters: { account_id: decided(uuid), account_holder_id: decided(uuid), status: decided(text) },
  }),
  'account-holder': resource({
    area,
    meaning: 'Who stands behind accounts, known by know your customer.',
    fields: {
      customer_id: customer,
      know_your_customer: decided(knowYourCustomer),
      status: decided(openWord([], ['active', 'suspended', 'closed'])),
    },
    filters: { status: decided(text) },
  }),
  'outgoing-transfer': resource({
    area,
    meaning: 'Money that leaves an account to a beneficiary.',
    fields: {
      ...transfer,
      beneficiary_account_id: decided(uuid),
      charge_bearer: decided(openWord([], chargeBearers)),
      purpose_code: decided(text.nullable()),
      fee_amount: decided(signedAmount),
    },
    filters: { account_id: decided(uuid), beneficiary_account_id: decided(uuid), status: decided(text) },
  }),
  'incoming-transfer': resource({
    area,
    meaning: 'Money that came in to an account.',
    fields: {
      ...transfer,
      virtual_account_id: decided(uuid.nullable()),
      external_account: decided(externalAccount),
      receive_time: decided(timestamp),
    },
    filters: { account_id: decided(uuid), virtual_account_id: decided(uuid), status: decided(text) },
  }),
  'internal-transfer': resource({
    area,
    meaning: 'Money that goes from one account of the customer to another.',
    fields: {
      customer_id: customer,
      source_account_id: decided(uuid),
      destination_account_id: decided(uuid),
      currency_code: decided(currencyCode),
      amount: decided(amount),
      status: transferStatus,
      fail_reason: decided(text.nullable()),
      reference: decided(remark.nullable()),
      complete_time: decided(timestamp.nullable()),
      debit_transaction_id: decided(uuid.nullable()),
      credit_transaction_id: decided(uuid.nullable()),
    },
    filters: {
      source_account_id: decided(uuid),
      destination_account_id: decided(uuid),
      status: decided(text),
    },
  }),
  beneficiary: resource({
    area,
    meaning: 'Somebody to whom money is sent.',
    fields: {
      customer_id: customer,
      type: decided(openWord([], partyTypes)),
      name: decided(name),
      country: decided(countryCode),
      address: decided(address.nullable()),
      status: decided(openWord([], ['active', 'blocked'])),
    },
    filters: { status: decided(text) },
  }),
  'beneficiary-account': resource({
    area,
    meaning: 'Where a beneficiary takes money.',
    fields: {
      customer_id: customer,
      beneficiary_id: decided(uuid),
      currency_code: decided(currencyCode),
      external_account: decided(externalAccount),
      status: decided(openWord([], ['active', 'blocked'])),
    },
    filters: { beneficiary_id: decided(uuid), currency_code: decided(currencyCode), status: decided(text) },
  }),
  quote: resource({
    area,
    meaning: 'A price for one currency in another, for a short time.',
    fields: {
      ...exchange,
      fixed_side: decided(openWord([], sides)),
      status: decided(openWord([], ['open', 'used', 'expired'])),
      expire_time: decided(timestamp),
    },
    filters: { status: decided(text) },
  }),
  trade: resource({
    area,
    meaning: 'An exchange of one currency for another at a quote.',
    fields: {
      ...exchange,
      quote_id: decided(uuid),
      sell_account_id: decided(uuid),
      buy_account_id: decided(uuid),
      status: decided(openWord([], ['pending', 'settled', 'cancelled', 'failed'])),
      settle_time: decided(timestamp.nullable()),
      cancel_time: decided(timestamp.nullable()),
    },
    filters: { quote_id: decided(uuid), status: decided(text) },
  }),
};
