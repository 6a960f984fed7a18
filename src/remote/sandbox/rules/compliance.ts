/** Parties and what is around them: screenings, consents, declarations. Verifications have a file of their own. */
import { newFields } from '../samples.ts';
import { wrongField } from '../refusal.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { recordSchemaOf, textOf, type World } from '../world.ts';
import { done, type FamilyRules } from './rules.ts';

export function insertNew(world: World, resource: string, fields: Fields): StoredRecord {
  const schema = recordSchemaOf(world.catalogue, resource);
  return world.records.insert(resource, newFields(schema, { customer_id: world.customerId, ...fields }));
}

function screen(world: World, subjectType: string, subjectId: string, type: string): void {
  insertNew(world, 'screening', {
    subject_type: subjectType,
    subject_id: subjectId,
    type,
    status: 'completed',
    result: 'clear',
    complete_time: world.time(),
  });
}

export const complianceRules: FamilyRules = {
  'party-creation-intent': {
    check(_world, request) {
      const type = textOf(request, 'type');
      if ((request[type] ?? null) === null) throw wrongField(type, `a party of type ${type} needs this`);
    },
    complete(world, intent) {
      const party = insertNew(world, 'party', { ...intent, status: 'active' });
      screen(world, 'party', party.id, 'sanctions');
      return done({ party_id: party.id });
    },
  },
  'crypto-address-creation-intent': {
    complete(world, intent) {
      const address = insertNew(world, 'crypto-address', { ...intent, status: 'undeclared' });
      screen(world, 'crypto-address', address.id, 'blockchain');
      return done({ crypto_address_id: address.id });
    },
  },
  'partner-access-creation-intent': {
    complete(world, intent) {
      const access = insertNew(world, 'partner-access', { ...intent, status: 'active' });
      insertNew(world, 'disclosure-consent', {
        party_id: intent['party_id'],
        partner_id: intent['partner_id'],
        purposes: intent['scopes'],
        status: 'given',
        give_time: world.time(),
      });
      return done({ partner_access_id: access.id });
    },
  },
  'crypto-address-declaration-intent': {
    complete(world, intent) {
      const declaration = insertNew(world, 'crypto-address-declaration', { ...intent, status: 'accepted' });
      world.records.update('crypto-address', textOf(intent, 'crypto_address_id'), { status: 'declared' });
      return done({ crypto_address_declaration_id: declaration.id });
    },
  },
};
