/** The rules that the catalogue cannot give, by what they are about. */
import type { Fields, StoredRecord } from '../store/records.ts';
import type { SandboxContext } from '../sandbox-context.ts';
import { accountRules, activateVirtualAccount } from './accounts.ts';
import { clearingRules } from './clearing.ts';
import { complianceRules } from './compliance.ts';
import { exchangeRules, expireQuote, settleTrade } from './exchange.ts';
import { createFile, fileContent } from './files.ts';
import type { FamilyRules, IntentRules } from './rules.ts';
import { receiveTransfer, transferRules } from './transfers.ts';
import { checkCapability, verificationRules } from './verifications.ts';

const families: FamilyRules = {
  ...accountRules,
  ...clearingRules,
  ...complianceRules,
  ...exchangeRules,
  ...transferRules,
  ...verificationRules,
};

const noRules: IntentRules = {};

export function rulesOf(resource: string): IntentRules {
  return families[resource] ?? noRules;
}

/** `create` of what is no intent, by resource. */
export const creates: Partial<Record<string, (context: SandboxContext, request: Fields) => StoredRecord>> = {
  file: createFile,
  'simulator-incoming-transfer': receiveTransfer,
};

/** Reads below a record, by operation id. */
export const lookups: Partial<
  Record<string, (context: SandboxContext, record: StoredRecord, query: Fields) => Fields>
> = {
  'file.content': fileContent,
  'capability.check': checkCapability,
};

/** What time does to a record, by resource; must do nothing when it was done already. */
export const dueActions: Partial<
  Record<string, (context: SandboxContext, record: StoredRecord) => StoredRecord>
> = {
  quote: expireQuote,
  'virtual-account': activateVirtualAccount,
  trade: settleTrade,
};
