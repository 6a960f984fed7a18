/** Treasury resources of the latest version. The document names them; their fields are assumed. */
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
import { assumed, openEnum } from '../marks.ts';
import { address, externalAccount, knowYourCustomer } from '../shapes.ts';

const area = 'treasury';
const customer = assumed(text);

const transferStatus = assumed(openEnum([], ['pending', 'processing', 'completed', 'failed', 'returned']));
export const partyTypes = ['individual', 'company'] as const;
export const chargeBearers = ['shared', 'sender', 'receiver'] as const;
export const sides = ['sell', 'buy'] as const;

/** A transfer to or from outside. */
const transfer = {
  customer_id: customer,
  account_id: assumed(uuid),
  currency_code: assumed(currencyCode),
  amount: assumed(amount),
  status: transferStatus,
  fail_reason: assumed(text.nullable()),
  reference: assumed(remark.nullable()),
  complete_time: assumed(timestamp.nullable()),
  transaction_id: assumed(uuid.nullable()),
};

const exchange = {
  customer_id: customer,
  sell_currency_code: assumed(currencyCode),
  sell_amount: assumed(amount),
  buy_currency_code: assumed(currencyCode),
  buy_amount: assumed(amount),
  rate: assumed(rate),
};

export const treasury = {
  account: resource({
    area,
    meaning: 'Money of the customer in one currency.',
    fields: {
      customer_id: customer,
      account_holder_id: assumed(uuid.nullable()),
      name: assumed(name),
      type: assumed(openEnum([], ['operating', 'settlement', 'client-money'])),
      currency_code: assumed(currencyCode),
      status: assumed(openEnum([], ['pending', 'active', 'frozen', 'closed'])),
    },
    filters: {
      account_holder_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      status: assumed(text),
    },
  }),
  balance: resource({
    area,
    meaning: 'What an account holds.',
    fields: {
      customer_id: customer,
      account_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      amount: assumed(signedAmount),
      available_amount: assumed(signedAmount),
      pending_amount: assumed(signedAmount),
      as_of_time: assumed(timestamp),
    },
    filters: { account_id: assumed(uuid), currency_code: assumed(currencyCode) },
  }),
  transaction: resource({
    area,
    meaning: 'One posting on an account.',
    fields: {
      customer_id: customer,
      account_id: assumed(uuid),
      balance_id: assumed(uuid),
      type: assumed(
        openEnum(
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
      debit_credit_indicator: assumed(openEnum([], ['debit', 'credit'])),
      currency_code: assumed(currencyCode),
      amount: assumed(amount),
      debit_amount: assumed(amount.nullable()),
      credit_amount: assumed(amount.nullable()),
      balance: assumed(signedAmount),
      pending: assumed(z.boolean()),
      transaction_code: assumed(text),
      post_time: assumed(timestamp),
      value_time: assumed(timestamp),
      foreign_currency_code: assumed(currencyCode.nullable()),
      foreign_amount: assumed(amount.nullable()),
      remark: assumed(remark.nullable()),
      detail: assumed(anyObject),
      external_account: assumed(externalAccount.nullable()),
    },
    filters: {
      account_id: assumed(uuid),
      balance_id: assumed(uuid),
      debit_credit_indicator: assumed(text),
      pending: assumed(z.boolean()),
      since_time: assumed(timestamp),
      until_time: assumed(timestamp),
    },
  }),
  'virtual-account': resource({
    area,
    meaning: 'An address of its own for money that comes in to an account.',
    fields: {
      customer_id: customer,
      account_id: assumed(uuid),
      account_holder_id: assumed(uuid.nullable()),
      account_name: assumed(name.nullable()),
      status: assumed(openEnum([], ['pending', 'active', 'closed'])),
      external_account: assumed(externalAccount.nullable()),
      close_time: assumed(timestamp.nullable()),
    },
    filters: { account_id: assumed(uuid), account_holder_id: assumed(uuid), status: assumed(text) },
  }),
  'account-holder': resource({
    area,
    meaning: 'Who stands behind accounts, known by know your customer.',
    fields: {
      customer_id: customer,
      know_your_customer: assumed(knowYourCustomer),
      status: assumed(openEnum([], ['active', 'suspended', 'closed'])),
    },
    filters: { status: assumed(text) },
  }),
  'outgoing-transfer': resource({
    area,
    meaning: 'Money that leaves an account to a beneficiary.',
    fields: {
      ...transfer,
      beneficiary_account_id: assumed(uuid),
      charge_bearer: assumed(openEnum([], chargeBearers)),
      purpose_code: assumed(text.nullable()),
      fee_amount: assumed(signedAmount),
    },
    filters: { account_id: assumed(uuid), beneficiary_account_id: assumed(uuid), status: assumed(text) },
  }),
  'incoming-transfer': resource({
    area,
    meaning: 'Money that came in to an account.',
    fields: {
      ...transfer,
      virtual_account_id: assumed(uuid.nullable()),
      external_account: assumed(externalAccount),
      receive_time: assumed(timestamp),
    },
    filters: { account_id: assumed(uuid), virtual_account_id: assumed(uuid), status: assumed(text) },
  }),
  'internal-transfer': resource({
    area,
    meaning: 'Money that goes from one account of the customer to another.',
    fields: {
      customer_id: customer,
      source_account_id: assumed(uuid),
      destination_account_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      amount: assumed(amount),
      status: transferStatus,
      fail_reason: assumed(text.nullable()),
      reference: assumed(remark.nullable()),
      complete_time: assumed(timestamp.nullable()),
      debit_transaction_id: assumed(uuid.nullable()),
      credit_transaction_id: assumed(uuid.nullable()),
    },
    filters: {
      source_account_id: assumed(uuid),
      destination_account_id: assumed(uuid),
      status: assumed(text),
    },
  }),
  beneficiary: resource({
    area,
    meaning: 'Somebody to whom money is sent.',
    fields: {
      customer_id: customer,
      type: assumed(openEnum([], partyTypes)),
      name: assumed(name),
      country: assumed(countryCode),
      address: assumed(address.nullable()),
      status: assumed(openEnum([], ['active', 'blocked'])),
    },
    filters: { status: assumed(text) },
  }),
  'beneficiary-account': resource({
    area,
    meaning: 'Where a beneficiary takes money.',
    fields: {
      customer_id: customer,
      beneficiary_id: assumed(uuid),
      currency_code: assumed(currencyCode),
      external_account: assumed(externalAccount),
      status: assumed(openEnum([], ['active', 'blocked'])),
    },
    filters: { beneficiary_id: assumed(uuid), currency_code: assumed(currencyCode), status: assumed(text) },
  }),
  quote: resource({
    area,
    meaning: 'A price for one currency in another, for a short time.',
    fields: {
      ...exchange,
      fixed_side: assumed(openEnum([], sides)),
      status: assumed(openEnum([], ['open', 'used', 'expired'])),
      expire_time: assumed(timestamp),
    },
    filters: { status: assumed(text) },
  }),
  trade: resource({
    area,
    meaning: 'An exchange of one currency for another at a quote.',
    fields: {
      ...exchange,
      quote_id: assumed(uuid),
      sell_account_id: assumed(uuid),
      buy_account_id: assumed(uuid),
      status: assumed(openEnum([], ['pending', 'settled', 'cancelled', 'failed'])),
      settle_time: assumed(timestamp.nullable()),
      cancel_time: assumed(timestamp.nullable()),
    },
    filters: { quote_id: assumed(uuid), status: assumed(text) },
  }),
};
