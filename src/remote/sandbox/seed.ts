/** Data for a demonstration: something of every resource, made the way a customer would make it. */
import { idFieldOf } from '../catalogue/index.ts';
import type { Engine } from './engine.ts';
import { confirmIntent, createIntent, isIntent } from './intents.ts';
import { minorOf } from './money.ts';
import { openClearingEntry } from './rules/clearing.ts';
import { createFile } from './rules/files.ts';
import { receiveTransfer } from './rules/transfers.ts';
import { newFields } from './samples.ts';
import type { Fields, StoredRecord } from './store/records.ts';
import { recordSchemaOf, resourceOfField, resourcesOf, rowOf, textOf, type World } from './world.ts';

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
export function addDemonstration(engine: Engine): void {
  engine.transaction((world) => {
    if (world.records.first('account-holder') !== null) return;
    addTreasury(world);
    addCompliance(world);
    addRest(world);
  });
}

/** An intent, created and confirmed; gives the record that it yields. */
function carryOut(world: World, intentResource: string, yielded: string, request: Fields): StoredRecord {
  const intent = createIntent(world, intentResource, request);
  const confirmed = confirmIntent(world, intentResource, intent);
  if (confirmed['life_cycle'] !== 'completed')
    throw new Error(`${intentResource}: ${String(confirmed['fail_reason'])}`);
  return first(world, yielded, { id: textOf(confirmed, idFieldOf(yielded)) });
}

function first(world: World, resource: string, where: Record<string, string> = {}): StoredRecord {
  const record = world.records.first(resource, where);
  if (record === null) throw new Error(`there is no ${resource}`);
  return record;
}

function addTreasury(world: World): void {
  const holder = carryOut(world, 'account-holder-creation-intent', 'account-holder', {
    know_your_customer: { type: 'travel-rule', detail: { type: 'individual', detail: person } },
  });
  const second = carryOut(world, 'account-holder-creation-intent', 'account-holder', {
    know_your_customer: { type: 'cms', detail: { cms_id: 'demo-2' } },
  });
  const account = (holderId: string, currency_code: string) =>
    first(world, 'account', { account_holder_id: holderId, currency_code }).id;
  const euro = account(holder.id, 'EUR');
  const dollar = account(holder.id, 'USD');
  const virtual = carryOut(world, 'virtual-account-creation-intent', 'virtual-account', {
    account_id: euro,
    account_name: 'Invoices',
  });
  receiveTransfer(world, {
    account_id: euro,
    currency_code: 'EUR',
    amount: '10000.00',
    reference: 'First money',
  });
  receiveTransfer(world, {
    account_id: dollar,
    currency_code: 'USD',
    amount: '5000.00',
    reference: 'First money',
  });
  receiveTransfer(world, {
    virtual_account_id: virtual.id,
    currency_code: 'EUR',
    amount: '119.00',
    external_account: outsideAccount,
    reference: 'Invoice 2026-0001',
  });
  const beneficiary = carryOut(world, 'beneficiary-creation-intent', 'beneficiary', {
    type: 'company',
    name: 'Beispiel GmbH',
    country: 'DE',
    address: person.address,
  });
  const beneficiaryAccount = carryOut(world, 'beneficiary-account-creation-intent', 'beneficiary-account', {
    beneficiary_id: beneficiary.id,
    currency_code: 'EUR',
    external_account: outsideAccount,
  });
  carryOut(world, 'outgoing-transfer-creation-intent', 'outgoing-transfer', {
    account_id: euro,
    beneficiary_account_id: beneficiaryAccount.id,
    currency_code: 'EUR',
    amount: '250.00',
    reference: 'Rent',
  });
  carryOut(world, 'internal-transfer-creation-intent', 'internal-transfer', {
    source_account_id: euro,
    destination_account_id: account(second.id, 'EUR'),
    currency_code: 'EUR',
    amount: '1000.00',
    reference: 'Share',
  });
  const price = { sell_currency_code: 'EUR', buy_currency_code: 'USD', fixed_side: 'sell', amount: '100.00' };
  const quote = carryOut(world, 'quote-creation-intent', 'quote', price);
  carryOut(world, 'trade-creation-intent', 'trade', {
    quote_id: quote.id,
    sell_account_id: euro,
    buy_account_id: dollar,
  });
  openClearingEntry(world, 'EUR', minorOf('300.00', 'EUR'));
}

function addCompliance(world: World): void {
  const party = carryOut(world, 'party-creation-intent', 'party', {
    customer_party_ref: 'demo-party',
    type: 'individual',
    individual: person,
  });
  createFile(world, {
    name: 'passport.txt',
    content_type: 'text/plain',
    purpose: 'evidence',
    content: Buffer.from('A passport, for demonstration.').toString('base64'),
  });
  carryOut(world, 'party-attribute-creation-intent', 'party-attribute', {
    party_id: party.id,
    name: 'occupation',
    value: 'engineer',
  });
  const address = carryOut(world, 'crypto-address-creation-intent', 'crypto-address', {
    party_id: party.id,
    network: 'bitcoin',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    hosting: 'self-hosted',
  });
  carryOut(world, 'crypto-address-declaration-intent', 'crypto-address-declaration', {
    crypto_address_id: address.id,
    ownership: 'own',
    method: 'signature',
  });
  carryOut(world, 'partner-access-creation-intent', 'partner-access', {
    partner_id: first(world, 'partner').id,
    party_id: party.id,
    scopes: ['identity'],
  });
  // Waits for its requirement to be answered.
  createIntent(world, 'verification-creation-intent', {
    customer_party_ref: 'demo-party',
    requested_capabilities: ['hold-account'],
  });
}

/** Of every resource that has no record by now, one with sample values that names records that there are. */
function addRest(world: World): void {
  for (const resource of resourcesOf(world.catalogue)) {
    const isKept = rowOf(world.catalogue, resource)?.operations['retrieve'] !== undefined;
    if (!isKept || isIntent(world, resource) || world.records.first(resource) !== null) continue;
    const schema = recordSchemaOf(world.catalogue, resource);
    const links = Object.keys(schema.shape).flatMap((name) => {
      const linked = name.endsWith('_id') ? resourceOfField(world.catalogue, name) : null;
      const record = linked === null ? null : world.records.first(linked);
      return record === null ? [] : [[name, record.id] as const];
    });
    world.records.insert(
      resource,
      newFields(schema, { customer_id: world.customerId, ...Object.fromEntries(links) }),
    );
  }
}
