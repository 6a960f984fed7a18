/** Account holders with their accounts, and virtual accounts. */
import { newFields } from '../samples.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { recordSchemaOf, textOf, textOrNull, type World } from '../world.ts';
import { showBalance } from './books.ts';
import { done, fails, type Completion, type FamilyRules } from './rules.ts';

/** The interface has no way to open an account, so a new account holder gets one of each. */
export const openedCurrencies = ['EUR', 'USD'] as const;

export function openAccount(world: World, fields: Fields): StoredRecord {
  const account = world.records.insert(
    'account',
    newFields(recordSchemaOf(world.catalogue, 'account'), {
      customer_id: world.customerId,
      type: 'operating',
      status: 'active',
      ...fields,
    }),
  );
  showBalance(world, account);
  return account;
}

/** What money can be moved on. */
export function isUsable(account: StoredRecord | null): account is StoredRecord {
  return account?.['status'] === 'active';
}

/** Where money for this virtual account is sent to, unless the customer names an address of its own. */
function allottedAccount(virtualAccountId: string, accountName: string | null): Fields {
  return {
    type: 'bank-account',
    detail: {
      bank_identifier_code: 'SANDDEFFXXX',
      bank_account_number: `DE00${BigInt(`0x${virtualAccountId.slice(0, 13).replaceAll('-', '')}`)
        .toString()
        .padStart(18, '0')
        .slice(0, 18)}`,
      bank_account_name: accountName ?? 'Sandbox',
    },
  };
}

function changeVirtualAccount(
  change: (world: World, intent: StoredRecord) => Fields,
): (world: World, intent: StoredRecord) => Completion {
  return (world, intent) => {
    const account = world.records.get('virtual-account', textOf(intent, 'virtual_account_id'));
    if (account === null || account['status'] === 'closed') return fails('account-not-usable');
    world.records.update('virtual-account', account.id, change(world, intent));
    return done({});
  };
}

export const accountRules: FamilyRules = {
  'account-holder-creation-intent': {
    // As the document shows it: pending-requirements, with none open.
    begin: () => ({
      life_cycle: 'pending-requirements',
      requirements: [],
      submitted_requirements: [],
      supporting_information: [],
    }),
    complete(world, intent) {
      const holder = world.records.insert(
        'account-holder',
        newFields(recordSchemaOf(world.catalogue, 'account-holder'), {
          customer_id: world.customerId,
          know_your_customer: intent['know_your_customer'],
        }),
      );
      for (const currencyCode of openedCurrencies) {
        openAccount(world, {
          account_holder_id: holder.id,
          name: `${currencyCode} account`,
          currency_code: currencyCode,
        });
      }
      return done({ account_holder_id: holder.id });
    },
  },
  'virtual-account-creation-intent': {
    complete(world, intent) {
      const account = world.records.get('account', textOf(intent, 'account_id'));
      if (!isUsable(account)) return fails('account-not-usable');
      const name = textOrNull(intent, 'account_name');
      const created = world.records.insert(
        'virtual-account',
        newFields(recordSchemaOf(world.catalogue, 'virtual-account'), {
          ...intent,
          account_holder_id: intent['account_holder_id'] ?? account['account_holder_id'],
          status: 'active',
        }),
      );
      if (created['external_account'] === null) {
        world.records.update('virtual-account', created.id, {
          external_account: allottedAccount(created.id, name),
        });
      }
      return done({ virtual_account_id: created.id });
    },
    steps: {
      'update-travel-rule': writeTravelRule,
    },
  },
  'virtual-account-update-intent': {
    complete: changeVirtualAccount((_world, intent) =>
      intent['account_name'] === null ? {} : { account_name: intent['account_name'] },
    ),
  },
  'virtual-account-closure-intent': {
    complete: changeVirtualAccount((world) => ({ status: 'closed', close_time: world.time() })),
  },
};

export const travelRule = 'virtual-account-creation-travel-rule';

/** A record of its own, one for each intent: v20250225 answers it. */
function writeTravelRule(world: World, intent: StoredRecord, request: Fields): Fields {
  const fields = {
    customer_id: world.customerId,
    account_id: intent['account_id'],
    virtual_account_creation_intent_id: intent.id,
    ...request,
  };
  const before = world.records.first(travelRule, { virtual_account_creation_intent_id: intent.id });
  if (before === null) world.records.insert(travelRule, fields);
  else world.records.update(travelRule, before.id, fields);
  return {};
}
