/** Account holders with their accounts, and virtual accounts. */
import { newFields } from '../samples.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { recordSchemaOf, textOf, textOrNull, type SandboxContext } from '../sandbox-context.ts';
import { showBalance } from './books.ts';
import { done, fails, type Completion, type FamilyRules } from './rules.ts';

/** The interface has no way to open an account, so a new account holder gets one of each. */
const openedCurrencies = ['EUR', 'USD'] as const;

function openAccount(context: SandboxContext, fields: Fields): StoredRecord {
  const account = context.records.insert(
    'account',
    newFields(recordSchemaOf(context.catalogue, 'account'), {
      customer_id: context.customerId,
      type: 'operating',
      status: 'active',
      ...fields,
    }),
  );
  showBalance(context, account);
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

/** Where money of a crypto account comes from has to be looked at first; the document shows such an account as pending. */
function isCryptoAccount(externalAccount: unknown): boolean {
  return (externalAccount as { type?: unknown } | null | undefined)?.type === 'crypto-account';
}

/** Somebody has looked. */
export function activateVirtualAccount(context: SandboxContext, account: StoredRecord): StoredRecord {
  return account['status'] === 'pending'
    ? context.records.update('virtual-account', account.id, { status: 'active' })
    : account;
}

function changeVirtualAccount(
  change: (context: SandboxContext, intent: StoredRecord) => Fields,
): (context: SandboxContext, intent: StoredRecord) => Completion {
  return (context, intent) => {
    const account = context.records.get('virtual-account', textOf(intent, 'virtual_account_id'));
    if (account === null || account['status'] === 'closed') return fails('account-not-usable');
    context.records.update('virtual-account', account.id, change(context, intent));
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
    complete(context, intent) {
      const holder = context.records.insert(
        'account-holder',
        newFields(recordSchemaOf(context.catalogue, 'account-holder'), {
          customer_id: context.customerId,
          know_your_customer: intent['know_your_customer'],
        }),
      );
      for (const currencyCode of openedCurrencies) {
        openAccount(context, {
          account_holder_id: holder.id,
          name: `${currencyCode} account`,
          currency_code: currencyCode,
        });
      }
      return done({ account_holder_id: holder.id });
    },
  },
  'virtual-account-creation-intent': {
    complete(context, intent) {
      const account = context.records.get('account', textOf(intent, 'account_id'));
      if (!isUsable(account)) return fails('account-not-usable');
      const name = textOrNull(intent, 'account_name');
      const created = context.records.insert(
        'virtual-account',
        newFields(recordSchemaOf(context.catalogue, 'virtual-account'), {
          ...intent,
          account_holder_id: intent['account_holder_id'] ?? account['account_holder_id'],
          status: isCryptoAccount(intent['external_account']) ? 'pending' : 'active',
        }),
      );
      if (created['external_account'] === null) {
        context.records.update('virtual-account', created.id, {
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
    complete: changeVirtualAccount((_context, intent) =>
      intent['account_name'] === null ? {} : { account_name: intent['account_name'] },
    ),
  },
  'virtual-account-closure-intent': {
    complete: changeVirtualAccount((context) => ({ status: 'closed', close_time: context.time() })),
  },
};

export const travelRule = 'virtual-account-creation-travel-rule';

/** A record of its own, one for each intent: v20250225 answers it. */
function writeTravelRule(context: SandboxContext, intent: StoredRecord, request: Fields): Fields {
  const fields = {
    customer_id: context.customerId,
    account_id: intent['account_id'],
    virtual_account_creation_intent_id: intent.id,
    ...request,
  };
  const before = context.records.first(travelRule, { virtual_account_creation_intent_id: intent.id });
  if (before === null) context.records.insert(travelRule, fields);
  else context.records.update(travelRule, before.id, fields);
  return {};
}
