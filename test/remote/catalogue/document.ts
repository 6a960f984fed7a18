/**
 * What the interface's document names and shows, as data: resources, intent families, operations, versions, fields.
 * Null stands for its dash: "the content of that cell is not shown".
 */

export const versions = ['v20260326', 'v20250225', 'v20250212'];
export const latest = 'v20260326';

export const resources = {
  treasury: [
    'account',
    'balance',
    'transaction',
    'virtual account',
    'account holder',
    'outgoing transfer',
    'incoming transfer',
    'internal transfer',
    'beneficiary',
    'beneficiary account',
    'quote',
    'trade',
  ],
  compliance: [
    'party',
    'party attribute',
    'verification',
    'disclosure consent',
    'requirement',
    'capability grant',
    'collection session',
    'evidence',
    'screening',
    'crypto address',
    'travel rule message',
    'partner access',
    'crypto address declaration',
    'requirement type',
    'partner',
  ],
  storage: ['file'],
};

export const intentFamilies = {
  treasury: [
    'account holder creation',
    'outgoing transfer creation',
    'virtual account creation',
    'virtual account update',
    'virtual account closure',
    'beneficiary creation',
    'beneficiary account creation',
    'quote creation',
    'trade creation',
    'trade cancellation',
    'internal transfer creation',
  ],
  compliance: [
    'verification creation',
    'verification update',
    'party creation',
    'party attribute creation',
    'party attribute update',
    'crypto address creation',
    'partner access creation',
    'crypto address declaration',
  ],
};

/** Operations beyond create, confirm, retrieve and list. */
export const furtherOperations: [version: string, resource: string, action: string][] = [
  [latest, 'verification-creation-intent', 'set-share-token'],
  [latest, 'verification-creation-intent', 'answer-requirement'],
  [latest, 'verification-update-intent', 'answer-requirement'],
  [latest, 'virtual-account-creation-intent', 'set-account-holder'],
  [latest, 'virtual-account-creation-intent', 'set-account-name'],
  [latest, 'virtual-account-creation-intent', 'set-external-account'],
  [latest, 'virtual-account-update-intent', 'set-account-name'],
  [latest, 'capability', 'check'],
  [latest, 'file', 'create'],
  [latest, 'file', 'content'],
  [latest, 'simulator-incoming-transfer', 'create'],
];

/** "Earlier versions also list retrieve and list operations for" these; in which version is not said. */
export const earlierReads = ['account', 'balance', 'transaction', 'clearing account', 'clearing entry'];

export interface EndpointRow {
  /** "deprecated" is the document's word where it names no version. */
  version: string;
  id: string;
  method: string;
  path: string | null;
  /** Null: not shown. "none": there is no body. */
  request: 'documented' | 'none' | null;
  response: 'documented' | null;
  query?: string[];
}

/** The rows of the endpoint tables that show at least a method. */
export const endpoints: EndpointRow[] = [
  row(latest, 'verification-creation-intent.create', 'POST', null, null, 'documented'),
  row(
    latest,
    'verification-creation-intent.set-share-token',
    'PATCH',
    '/verification-creation-intents/{verification_creation_intent_id}/share-token',
    'documented',
    'documented',
  ),
  row(latest, 'verification-creation-intent.answer-requirement', 'PATCH', null, null, null),
  row(latest, 'verification-creation-intent.confirm', 'PATCH', null, null, null),
  row(latest, 'verification-creation-intent.retrieve', 'GET', null, 'none', 'documented'),
  row(latest, 'verification-creation-intent.list', 'GET', null, 'none', null),
  row(
    latest,
    'account-holder-creation-intent.create',
    'POST',
    '/account-holder-creation-intents',
    'documented',
    'documented',
  ),
  row(latest, 'account-holder-creation-intent.confirm', 'PATCH', null, null, null),
  row(latest, 'account-holder-creation-intent.retrieve', 'GET', null, 'none', null),
  row(latest, 'account-holder-creation-intent.list', 'GET', null, 'none', null),
  row('v20250225', 'virtual-account-creation-intent.create', 'POST', null, null, null),
  row(
    'v20250225',
    'virtual-account-creation-intent.update-travel-rule',
    'PATCH',
    '/intents/virtual-account-creation/{virtual_account_creation_intent_id}/travel-rule',
    'documented',
    'documented',
  ),
  row('v20250225', 'virtual-account-creation-intent.retrieve', 'GET', null, 'none', null),
  row('v20250225', 'virtual-account-creation-intent.confirm', 'PATCH', null, null, null),
  row('v20250225', 'clearing-entry-execution-intent.create', 'POST', null, null, null),
  row('v20250225', 'clearing-entry-execution-intent.update-clearing-account', 'PATCH', null, null, null),
  row(
    'v20250225',
    'clearing-entry-execution-intent.update-transfers',
    'PATCH',
    '/payment/intents/clearing-entry-execution/{clearing_entry_execution_intent_id}/transfers',
    'documented',
    'documented',
  ),
  row('v20250225', 'clearing-entry-execution-intent.confirm', 'PATCH', null, null, null),
  row('v20250225', 'clearing-entry-execution-intent.retrieve', 'GET', null, 'none', null),
  {
    ...row('v20250212', 'virtual-account.list', 'GET', '/virtual-accounts', 'none', 'documented'),
    query: ['token', 'count', 'account_id'],
  },
  row('v20250212', 'virtual-account.retrieve', 'GET', null, 'none', 'documented'),
  {
    ...row('deprecated', 'transaction.list', 'GET', '/transactions', 'none', 'documented'),
    query: [
      'token',
      'count',
      'since_time',
      'until_time',
      'time_column',
      'account_id',
      'balance_id',
      'debit_credit_indicator',
      'pending',
    ],
  },
];

function row(
  version: string,
  id: string,
  method: string,
  path: string | null,
  request: EndpointRow['request'],
  response: EndpointRow['response'],
): EndpointRow {
  return { version, id, method, path, request, response };
}

/** The one scope that is shown. */
export const shownScope = {
  operation: 'verification-creation-intent.set-share-token',
  scope: 'verification-creation-intent:update',
};

/** Field by field, with types; a question mark: or null; in brackets: of the variant with this `type`. */
const record = {
  id: 'id',
  create_time: 'timestamp',
  update_time: 'timestamp',
  token: 'string',
  etag: 'string',
};
const intent = {
  ...record,
  life_cycle: 'string',
  result: 'string',
  fail_reason: 'string?',
  customer_id: 'string',
  confirm_time: 'timestamp?',
  approve_time: 'timestamp?',
  complete_time: 'timestamp?',
};
const address = {
  city: 'string',
  country: 'string',
  dependent_locality: 'string?',
  postal_code: 'string',
  region: 'string?',
  address_lines: 'array of string',
};
const individual = {
  name: 'string',
  id: 'object',
  'id.type': 'string',
  'id.value': 'string',
  'id.country_of_issue': 'string',
  address: 'object',
  ...below('address', address),
  date_of_birth: 'date',
  place_of_birth: 'string',
};
/** "In the create request, the know_your_customer shape seen has type cms and detail.cms_id." */
const requestedKnowYourCustomer = {
  know_your_customer: 'object',
  'know_your_customer[cms].type': 'string',
  'know_your_customer[cms].detail': 'object',
  'know_your_customer[cms].detail.cms_id': 'string',
};
const knowYourCustomer = {
  ...requestedKnowYourCustomer,
  'know_your_customer[travel-rule].type': 'string',
  'know_your_customer[travel-rule].detail': 'object',
  'know_your_customer[travel-rule].detail.type': 'string',
  'know_your_customer[travel-rule].detail.detail': 'object',
  ...below('know_your_customer[travel-rule].detail.detail', individual),
};
const verificationCreationIntent = {
  ...intent,
  customer_party_ref: 'string',
  party_id: 'string',
  requested_capabilities: 'array of string',
  origin: 'string',
  collection_channel: 'object?',
  requirements: 'array of object',
  'requirements.requirement_id': 'string',
  'requirements.revision': 'integer',
  verification_id: 'string',
  collection_session_id: 'string',
};
const accountHolderCreationIntent = {
  ...intent,
  ...knowYourCustomer,
  requirements: 'array of object',
  submitted_requirements: 'array of object',
  account_holder_id: 'string?',
  supporting_information: 'array of object',
};
const originator = { originator_type: 'string', originator: 'object', ...below('originator', individual) };
const travelRule = {
  ...record,
  customer_id: 'string',
  account_id: 'string',
  virtual_account_creation_intent_id: 'string',
  ...originator,
};
const transfers = {
  transfers: 'array of object',
  'transfers.clearing_account_id': 'string',
  'transfers.discounts': 'array of object',
  'transfers.discounts.rate': 'string',
};
const virtualAccount = {
  ...record,
  status: 'string',
  customer_id: 'string',
  account_id: 'string',
  external_account: 'object',
  'external_account[crypto-account].type': 'string',
  'external_account[crypto-account].detail': 'object',
  'external_account[crypto-account].detail.network': 'string',
  'external_account[crypto-account].detail.address': 'string',
};
const transaction = {
  ...record,
  ...all('string', [
    'debit_credit_indicator',
    'currency_code',
    'amount',
    'debit_amount',
    'credit_amount',
    'transaction_code',
    'balance',
    'post_time',
    'value_time',
    'account_id',
    'balance_id',
    'customer_id',
    'foreign_currency_code',
    'foreign_amount',
    'remark',
    'type',
  ]),
  pending: 'boolean',
  detail: 'object',
  external_account: 'object',
  'external_account[bank-account].type': 'string',
  'external_account[bank-account].detail': 'object',
  'external_account[bank-account].detail.bank_identifier_code': 'string',
  'external_account[bank-account].detail.bank_account_number': 'string',
  'external_account[bank-account].detail.bank_account_name': 'string',
};

export type FieldTable = Record<string, string>;

/** By version and operation: the fields of the request and of one record in the answer. Everything else is not shown. */
export const shownRequests: Record<string, FieldTable> = {
  'v20260326 account-holder-creation-intent.create': requestedKnowYourCustomer,
  'v20260326 verification-creation-intent.set-share-token': { share_token: 'string' },
  'v20250225 virtual-account-creation-intent.update-travel-rule': originator,
  'v20250225 clearing-entry-execution-intent.update-transfers': transfers,
};

export function shownAnswer(version: string, id: string): FieldTable {
  const [resource] = id.split('.');
  const key = `${version} ${resource}`;
  if (`${version} ${id}` === 'v20250225 virtual-account-creation-intent.update-travel-rule')
    return travelRule;
  if (`${version} ${id}` === 'v20250225 clearing-entry-execution-intent.update-transfers') return transfers;
  if (key === 'v20260326 verification-creation-intent') return verificationCreationIntent;
  if (key === 'v20260326 account-holder-creation-intent') return accountHolderCreationIntent;
  if (key === 'v20250212 virtual-account') return virtualAccount;
  if (key === 'v20250212 transaction' || key === 'v20250225 transaction') return transaction;
  return {};
}

/** Values that the document has seen. */
export const seenValues: [version: string, resource: string, field: string, values: string[]][] = [
  [latest, 'verification-creation-intent', 'life_cycle', ['pending-requirements']],
  [latest, 'verification-creation-intent', 'result', ['pending']],
  [latest, 'verification-creation-intent', 'origin', ['direct', 'donor-reuse']],
  [latest, 'account-holder-creation-intent', 'life_cycle', ['pending-requirements']],
  [latest, 'account-holder-creation-intent', 'result', ['pending']],
  ['v20250212', 'virtual-account', 'status', ['pending']],
  ['v20250212', 'transaction', 'debit_credit_indicator', ['debit']],
  ['v20250212', 'transaction', 'type', ['adjustment']],
];

function below(prefix: string, table: FieldTable): FieldTable {
  return Object.fromEntries(Object.entries(table).map(([name, type]) => [`${prefix}.${name}`, type]));
}

function all(type: string, names: string[]): FieldTable {
  return Object.fromEntries(names.map((name) => [name, type]));
}
