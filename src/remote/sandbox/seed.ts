/**
 * What a new sandbox has from the start: reference data, which no operation of the interface can make and others need,
 * and on request data for a demonstration, something of every resource, made the way a customer would make it.
 */
import { idFieldOf } from '../catalogue/index.ts';
import type { Executor } from './executor.ts';
import { confirmIntent, createIntent, isIntent } from './intents.ts';
import { minorOf } from './money.ts';
import { openClearingEntry } from './rules/clearing.ts';
import { createFile } from './rules/files.ts';
import { receiveTransfer } from './rules/transfers.ts';
import { newFields } from './samples.ts';
import type { Fields, StoredRecord } from './store/records.ts';
import {
  insertNew,
  recordSchemaOf,
  resourceOfField,
  resourcesOf,
  rowOf,
  textOf,
  type SandboxContext,
} from './sandbox-context.ts';

const requirementTypes = [
  ['identity', 'Identity', 'Who the party is, shown by a document.', ['document']],
  ['address', 'Address', 'Where the party lives.', ['document', 'answer']],
  ['source-of-funds', 'Source of funds', 'Where the money comes from.', ['answer']],
] as const;

/** Name, meaning, requirements. */
const capabilities = [
  ['hold-account', 'Have an account.', ['identity']],
  ['receive-payments', 'Have money come in.', ['identity']],
  ['send-payments', 'Send money.', ['identity', 'address']],
  ['trade', 'Exchange currencies.', ['identity', 'address']],
  ['crypto-transfers', 'Send and receive crypto assets.', ['identity', 'address', 'source-of-funds']],
] as const;

export function addReferenceData(executor: Executor): void {
  executor.transaction((context) => {
    if (context.records.first('requirement-type') !== null) return;
    const typeIds = addRequirementTypes(context);
    for (const [name, description, needs] of capabilities) {
      const requirement_type_ids = needs.map((code) => typeIds.get(code));
      insertNew(context, 'capability', { name, description, requirement_type_ids });
    }
    for (const name of ['Sandbox Bank', 'Sandbox Exchange']) {
      insertNew(context, 'partner', { name, country: 'DE', status: 'active' });
    }
    for (const currency_code of ['EUR', 'USD']) {
      for (const name of ['Collections', 'Merchants', 'Fees']) {
        insertNew(context, 'clearing-account', {
          name: `${name} ${currency_code}`,
          currency_code,
          balance: '0.00',
          status: 'active',
        });
      }
    }
  });
}

function addRequirementTypes(context: SandboxContext): Map<string, string> {
  return new Map(
    requirementTypes.map(([code, name, description, evidence_types]) => {
      const capabilityNames = capabilities.filter(([, , needs]) =>
        (needs as readonly string[]).includes(code),
      );
      const type = insertNew(context, 'requirement-type', {
        code,
        name,
        description,
        evidence_types,
        capabilities: capabilityNames.map(([capability]) => capability),
      });
      return [code, type.id];
    }),
  );
}

const person = {
  name: 'Erika Mustermann',
  id: { type: 'passport', value: 'C01X00T47', country_of_issue: 'DE' },
  address: {
    city: 'Köln',
    country: 'DE',
    dependent_locality: null,
    postal_code: '51147',
    region: null,
    address_lines: ['Heidestraße 17'],
  },
  date_of_birth: '1984-08-12',
  place_of_birth: 'Berlin',
};

const outsideAccount = {
  type: 'bank-account',
  detail: {
    bank_identifier_code: 'COBADEFFXXX',
    bank_account_number: 'DE89370400440532013000',
    bank_account_name: 'Beispiel GmbH',
  },
};

/** Does nothing where there is an account holder already. */
export function addDemonstration(executor: Executor): void {
  executor.transaction((context) => {
    if (context.records.first('account-holder') !== null) return;
    addTreasury(context);
    addCompliance(context);
    addRest(context);
  });
}

/** An intent, created and confirmed; gives the record that it yields. */
function carryOut(
  context: SandboxContext,
  intentResource: string,
  yielded: string,
  request: Fields,
): StoredRecord {
  const intent = createIntent(context, intentResource, request);
  const confirmed = confirmIntent(context, intentResource, intent);
  if (confirmed['life_cycle'] !== 'completed')
    throw new Error(`${intentResource}: ${String(confirmed['fail_reason'])}`);
  return first(context, yielded, { id: textOf(confirmed, idFieldOf(yielded)) });
}

function first(context: SandboxContext, resource: string, where: Record<string, string> = {}): StoredRecord {
  const record = context.records.first(resource, where);
  if (record === null) throw new Error(`there is no ${resource}`);
  return record;
}

function addTreasury(context: SandboxContext): void {
  const holder = carryOut(context, 'account-holder-creation-intent', 'account-holder', {
    know_your_customer: { type: 'travel-rule', detail: { type: 'individual', detail: person } },
  });
  const second = carryOut(context, 'account-holder-creation-intent', 'account-holder', {
    know_your_customer: { type: 'cms', detail: { cms_id: 'demo-2' } },
  });
  const account = (holderId: string, currency_code: string) =>
    first(context, 'account', { account_holder_id: holderId, currency_code }).id;
  const euro = account(holder.id, 'EUR');
  const dollar = account(holder.id, 'USD');
  const virtual = carryOut(context, 'virtual-account-creation-intent', 'virtual-account', {
    account_id: euro,
    account_name: 'Invoices',
  });
  receiveTransfer(context, {
    account_id: euro,
    currency_code: 'EUR',
    amount: '10000.00',
    reference: 'First money',
  });
  receiveTransfer(context, {
    account_id: dollar,
    currency_code: 'USD',
    amount: '5000.00',
    reference: 'First money',
  });
  receiveTransfer(context, {
    virtual_account_id: virtual.id,
    currency_code: 'EUR',
    amount: '119.00',
    external_account: outsideAccount,
    reference: 'Invoice 2026-0001',
  });
  const beneficiary = carryOut(context, 'beneficiary-creation-intent', 'beneficiary', {
    type: 'company',
    name: 'Beispiel GmbH',
    country: 'DE',
    address: person.address,
  });
  const beneficiaryAccount = carryOut(context, 'beneficiary-account-creation-intent', 'beneficiary-account', {
    beneficiary_id: beneficiary.id,
    currency_code: 'EUR',
    external_account: outsideAccount,
  });
  carryOut(context, 'outgoing-transfer-creation-intent', 'outgoing-transfer', {
    account_id: euro,
    beneficiary_account_id: beneficiaryAccount.id,
    currency_code: 'EUR',
    amount: '250.00',
    reference: 'Rent',
  });
  carryOut(context, 'internal-transfer-creation-intent', 'internal-transfer', {
    source_account_id: euro,
    destination_account_id: account(second.id, 'EUR'),
    currency_code: 'EUR',
    amount: '1000.00',
    reference: 'Share',
  });
  const price = { sell_currency_code: 'EUR', buy_currency_code: 'USD', fixed_side: 'sell', amount: '100.00' };
  const quote = carryOut(context, 'quote-creation-intent', 'quote', price);
  carryOut(context, 'trade-creation-intent', 'trade', {
    quote_id: quote.id,
    sell_account_id: euro,
    buy_account_id: dollar,
  });
  openClearingEntry(context, 'EUR', minorOf('300.00', 'EUR'));
}

function addCompliance(context: SandboxContext): void {
  const party = carryOut(context, 'party-creation-intent', 'party', {
    customer_party_ref: 'demo-party',
    type: 'individual',
    individual: person,
  });
  createFile(context, {
    name: 'passport.txt',
    content_type: 'text/plain',
    purpose: 'evidence',
    content: Buffer.from('A passport, for demonstration.').toString('base64'),
  });
  carryOut(context, 'party-attribute-creation-intent', 'party-attribute', {
    party_id: party.id,
    name: 'occupation',
    value: 'engineer',
  });
  const address = carryOut(context, 'crypto-address-creation-intent', 'crypto-address', {
    party_id: party.id,
    network: 'bitcoin',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    hosting: 'self-hosted',
  });
  carryOut(context, 'crypto-address-declaration-intent', 'crypto-address-declaration', {
    crypto_address_id: address.id,
    ownership: 'own',
    method: 'signature',
  });
  carryOut(context, 'partner-access-creation-intent', 'partner-access', {
    partner_id: first(context, 'partner').id,
    party_id: party.id,
    scopes: ['identity'],
  });
  // Waits for its requirement to be answered.
  createIntent(context, 'verification-creation-intent', {
    customer_party_ref: 'demo-party',
    requested_capabilities: ['hold-account'],
  });
}

/** Of every resource that has no record by now, one with sample values that names records that there are. */
function addRest(context: SandboxContext): void {
  for (const resource of resourcesOf(context.catalogue)) {
    const isKept = rowOf(context.catalogue, resource)?.operations['retrieve'] !== undefined;
    if (!isKept || isIntent(context, resource) || context.records.first(resource) !== null) continue;
    const schema = recordSchemaOf(context.catalogue, resource);
    const links = Object.keys(schema.shape).flatMap((name) => {
      const linked = name.endsWith('_id') ? resourceOfField(context.catalogue, name) : null;
      const record = linked === null ? null : context.records.first(linked);
      return record === null ? [] : [[name, record.id] as const];
    });
    context.records.insert(
      resource,
      newFields(schema, { customer_id: context.customerId, ...Object.fromEntries(links) }),
    );
  }
}
