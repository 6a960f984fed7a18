/** Parties and what is around them: screenings, consents, declarations. Verifications have a file of their own. */
import { wrongField } from '../request-error.ts';
import { insertNew, textOf, type SandboxContext } from '../sandbox-context.ts';
import { done, type FamilyRules } from './rules.ts';

function screen(context: SandboxContext, subjectType: string, subjectId: string, type: string): void {
  insertNew(context, 'screening', {
    subject_type: subjectType,
    subject_id: subjectId,
    type,
    status: 'completed',
    result: 'clear',
    complete_time: context.time(),
  });
}

export const complianceRules: FamilyRules = {
  'party-creation-intent': {
    check(_context, request) {
      const type = textOf(request, 'type');
      if ((request[type] ?? null) === null) throw wrongField(type, `a party of type ${type} needs this`);
    },
    complete(context, intent) {
      const party = insertNew(context, 'party', { ...intent, status: 'active' });
      screen(context, 'party', party.id, 'sanctions');
      return done({ party_id: party.id });
    },
  },
  'crypto-address-creation-intent': {
    complete(context, intent) {
      const address = insertNew(context, 'crypto-address', { ...intent, status: 'undeclared' });
      screen(context, 'crypto-address', address.id, 'blockchain');
      return done({ crypto_address_id: address.id });
    },
  },
  'partner-access-creation-intent': {
    complete(context, intent) {
      const access = insertNew(context, 'partner-access', { ...intent, status: 'active' });
      insertNew(context, 'disclosure-consent', {
        party_id: intent['party_id'],
        partner_id: intent['partner_id'],
        purposes: intent['scopes'],
        status: 'given',
        give_time: context.time(),
      });
      return done({ partner_access_id: access.id });
    },
  },
  'crypto-address-declaration-intent': {
    complete(context, intent) {
      const declaration = insertNew(context, 'crypto-address-declaration', { ...intent, status: 'accepted' });
      context.records.update('crypto-address', textOf(intent, 'crypto_address_id'), { status: 'declared' });
      return done({ crypto_address_declaration_id: declaration.id });
    },
  },
};
