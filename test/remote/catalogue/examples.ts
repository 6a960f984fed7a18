/** One object for each field table of the document, with the values that the document has seen. */
export const record = {
  id: '7f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b',
  create_time: '2026-03-26T08:15:30.123456Z',
  update_time: '2026-03-26T08:15:31.5+00:00',
  token: 'MTc0Mjk3',
  etag: '"33a64df551425fcc"',
};

const address = {
  city: 'Berlin',
  country: 'DE',
  dependent_locality: null,
  postal_code: '10115',
  region: null,
  address_lines: ['Invalidenstraße 1', '2. OG'],
};

export const individual = {
  name: 'Erika Mustermann',
  id: { type: 'passport', value: 'C01X00T47', country_of_issue: 'DE' },
  address,
  date_of_birth: '1964-08-12',
  place_of_birth: 'Berlin',
};

const intent = {
  ...record,
  life_cycle: 'pending-requirements',
  result: 'pending',
  fail_reason: null,
  customer_id: 'c1',
  confirm_time: null,
  approve_time: null,
  complete_time: null,
};

export const verificationCreationIntent = {
  ...intent,
  customer_party_ref: 'customer-17',
  party_id: 'p1',
  requested_capabilities: ['hold-funds'],
  origin: 'donor-reuse',
  collection_channel: null,
  requirements: [{ requirement_id: 'r1', revision: 1 }],
  verification_id: 'v1',
  collection_session_id: 's1',
};

export const cms = { type: 'cms', detail: { cms_id: '4711' } } as const;
export const travelRuleCustomer = {
  type: 'travel-rule',
  detail: { type: 'individual', detail: individual },
} as const;

export const accountHolderCreationIntent = {
  ...intent,
  know_your_customer: cms,
  requirements: [],
  submitted_requirements: [],
  account_holder_id: null,
  supporting_information: [],
};

export const originator = { originator_type: 'individual', originator: individual };

export const travelRule = {
  ...record,
  customer_id: 'c1',
  account_id: 'a1',
  virtual_account_creation_intent_id: 'i1',
  ...originator,
};

export const transfers = {
  transfers: [{ clearing_account_id: 'ca1', discounts: [{ rate: '0.015' }, { rate: '0' }] }],
};

export const virtualAccount = {
  ...record,
  status: 'pending',
  customer_id: 'c1',
  account_id: 'a1',
  external_account: { type: 'crypto-account', detail: { network: 'ethereum', address: '0xabc' } },
};

export const transaction = {
  ...record,
  debit_credit_indicator: 'debit',
  currency_code: 'EUR',
  amount: '10.00',
  debit_amount: '10.00',
  credit_amount: '0.00',
  pending: false,
  transaction_code: 'ADJ',
  balance: '90.00',
  post_time: '2026-03-26T08:15:30.123456Z',
  value_time: '2026-03-26T08:15:30.123456Z',
  account_id: 'a1',
  balance_id: 'b1',
  customer_id: 'c1',
  foreign_currency_code: 'EUR',
  foreign_amount: '10.00',
  remark: 'correction',
  type: 'adjustment',
  detail: {},
  external_account: {
    type: 'bank-account',
    detail: {
      bank_identifier_code: 'DEUTDEFF',
      bank_account_number: '1234567890',
      bank_account_name: 'Erika Mustermann',
    },
  },
};
