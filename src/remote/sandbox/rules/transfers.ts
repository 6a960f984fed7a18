/** Transfers: out, between accounts, and in (by the simulator). */
import { minorOf, writeAmount } from '../money.ts';
import { RequestError, unusable, wrongField } from '../request-error.ts';
import { newFields } from '../samples.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { recordSchemaOf, textOf, textOrNull, type SandboxContext } from '../sandbox-context.ts';
import { isUsable } from './accounts.ts';
import { fundsOf, move } from './books.ts';
import { openClearingEntry } from './clearing.ts';
import { done, fails, type FamilyRules } from './rules.ts';

/** What is common to both directions within the sandbox: whether `account` can give this money. Null: it can. */
function whyNot(context: SandboxContext, account: StoredRecord | null, intent: Fields): string | null {
  const currencyCode = textOf(intent, 'currency_code');
  if (!isUsable(account)) return 'account-not-usable';
  if (account['currency_code'] !== currencyCode) return 'currency-mismatch';
  if (fundsOf(context, account) < minorOf(textOf(intent, 'amount'), currencyCode))
    return 'insufficient-funds';
  return null;
}

export const transferRules: FamilyRules = {
  'outgoing-transfer-creation-intent': {
    complete(context, intent) {
      const account = context.records.get('account', textOf(intent, 'account_id'));
      const target = context.records.get('beneficiary-account', textOf(intent, 'beneficiary_account_id'));
      const currencyCode = textOf(intent, 'currency_code');
      const reason = whyNot(context, account, intent);
      if (reason !== null || account === null) return fails(reason ?? 'account-not-usable');
      if (target?.['status'] !== 'active') return fails('account-not-usable');
      if (target['currency_code'] !== currencyCode) return fails('currency-mismatch');
      const minor = minorOf(textOf(intent, 'amount'), currencyCode);
      const booked = move(context, [{ from: { account }, to: 'outside', minor, currencyCode }], {
        type: 'outgoing-transfer',
        remark: textOrNull(intent, 'reference'),
        externalAccount: target['external_account'],
      });
      const transfer = context.records.insert(
        'outgoing-transfer',
        newFields(recordSchemaOf(context.catalogue, 'outgoing-transfer'), {
          ...intent,
          status: 'completed',
          charge_bearer: intent['charge_bearer'] ?? 'shared',
          fee_amount: writeAmount(0n, currencyCode),
          complete_time: context.time(),
          transaction_id: booked.get(account.id)?.id,
        }),
      );
      return done({ outgoing_transfer_id: transfer.id });
    },
  },
  'internal-transfer-creation-intent': {
    check(_context, request) {
      if (request['source_account_id'] === request['destination_account_id']) {
        throw wrongField('destination_account_id', 'must be another account than source_account_id');
      }
    },
    complete(context, intent) {
      const source = context.records.get('account', textOf(intent, 'source_account_id'));
      const destination = context.records.get('account', textOf(intent, 'destination_account_id'));
      const currencyCode = textOf(intent, 'currency_code');
      const reason = whyNot(context, source, intent);
      if (reason !== null || source === null) return fails(reason ?? 'account-not-usable');
      if (!isUsable(destination)) return fails('account-not-usable');
      if (destination['currency_code'] !== currencyCode) return fails('currency-mismatch');
      const minor = minorOf(textOf(intent, 'amount'), currencyCode);
      const movement = { from: { account: source }, to: { account: destination }, minor, currencyCode };
      const booked = move(context, [movement], {
        type: 'internal-transfer',
        remark: textOrNull(intent, 'reference'),
      });
      const transfer = context.records.insert(
        'internal-transfer',
        newFields(recordSchemaOf(context.catalogue, 'internal-transfer'), {
          ...intent,
          status: 'completed',
          complete_time: context.time(),
          debit_transaction_id: booked.get(source.id)?.id,
          credit_transaction_id: booked.get(destination.id)?.id,
        }),
      );
      return done({ internal_transfer_id: transfer.id });
    },
  },
};

const unnamedSender = {
  type: 'bank-account',
  detail: {
    bank_identifier_code: 'SANDDEFFXXX',
    bank_account_number: 'DE00000000000000000000',
    bank_account_name: 'Sandbox sender',
  },
};

/** In a reference: the money is no transfer of somebody's, but a correction of the books. */
const adjustmentWord = 'sandbox:adjustment';

/** In a reference: the money goes to a clearing account and waits there as a clearing entry. */
const clearingWord = 'sandbox:clearing';

/** The simulator's `create`. Throws RequestError. */
export function receiveTransfer(context: SandboxContext, request: Fields): StoredRecord {
  const { account, virtualAccountId } = receiverOf(context, request);
  const currencyCode = textOf(request, 'currency_code');
  if (!isUsable(account))
    throw new RequestError('state_conflict', 'The account takes no money: it is not active.');
  if (account['currency_code'] !== currencyCode) {
    throw unusable(
      'account_id',
      `the account is in ${textOf(account, 'currency_code')}, not in ${currencyCode}`,
    );
  }
  const minor = minorOf(textOf(request, 'amount'), currencyCode);
  const externalAccount = request['external_account'] ?? unnamedSender;
  const remark = textOrNull(request, 'reference');
  const booked = move(context, [{ from: 'outside', to: { account }, minor, currencyCode }], {
    type: remark?.includes(adjustmentWord) === true ? 'adjustment' : 'incoming-transfer',
    remark,
    externalAccount,
  });
  const time = context.time();
  const transfer = context.records.insert(
    'incoming-transfer',
    newFields(recordSchemaOf(context.catalogue, 'incoming-transfer'), {
      customer_id: context.customerId,
      account_id: account.id,
      virtual_account_id: virtualAccountId,
      currency_code: currencyCode,
      amount: request['amount'],
      status: 'completed',
      reference: remark,
      complete_time: time,
      receive_time: time,
      transaction_id: booked.get(account.id)?.id,
      external_account: externalAccount,
    }),
  );
  if (remark?.includes(clearingWord) === true) openClearingEntry(context, currencyCode, minor);
  return transfer;
}

function receiverOf(
  context: SandboxContext,
  request: Fields,
): { account: StoredRecord | null; virtualAccountId: string | null } {
  const accountId = textOrNull(request, 'account_id');
  const virtualAccountId = textOrNull(request, 'virtual_account_id');
  if (accountId !== null && virtualAccountId === null) {
    return { account: context.records.get('account', accountId), virtualAccountId: null };
  }
  if (virtualAccountId === null || accountId !== null) {
    throw wrongField('account_id', 'name either account_id or virtual_account_id');
  }
  const virtual = context.records.get('virtual-account', virtualAccountId);
  if (virtual === null || virtual['status'] !== 'active') {
    throw new RequestError('state_conflict', 'The virtual account takes no money: it is not active.');
  }
  return { account: context.records.get('account', textOf(virtual, 'account_id')), virtualAccountId };
}
