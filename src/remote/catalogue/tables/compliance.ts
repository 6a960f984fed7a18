/** Compliance resources of the latest version. The document names them; their fields were decided. */
import { z } from 'zod';
import { resource } from '../entries.ts';
import { amount, anyObject, countryCode, currencyCode, name, text, timestamp, uuid } from '../formats.ts';
import { decided, openWord } from '../marks.ts';
import { company, individual, requirementReference } from '../shapes.ts';
import { partyTypes } from './treasury.ts';

const area = 'compliance';
const customer = decided(text);
export const hostings = ['self-hosted', 'hosted'] as const;
export const ownerships = ['own', 'third-party'] as const;
export const proofMethods = ['signature', 'small-transfer', 'screenshot', 'statement'] as const;
const reviewStatus = decided(openWord([], ['pending', 'accepted', 'rejected', 'expired']));

export const compliance = {
  party: resource({
    area,
    meaning: 'A person or a company that compliance knows.',
    fields: {
      customer_id: customer,
      customer_party_ref: decided(text),
      type: decided(openWord([], partyTypes)),
      individual: decided(individual.nullable()),
      company: decided(company.nullable()),
      status: decided(openWord([], ['active', 'blocked'])),
    },
    filters: { customer_party_ref: decided(text), type: decided(text), status: decided(text) },
  }),
  'party-attribute': resource({
    area,
    meaning: 'One fact about a party, as an occupation or a source of funds.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      name: decided(name),
      value: decided(text),
      status: reviewStatus,
    },
    filters: { party_id: decided(uuid), name: decided(text) },
  }),
  verification: resource({
    area,
    meaning: 'That a party is who it says, for some capabilities.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      requested_capabilities: decided(z.array(text)),
      origin: decided(openWord([], ['direct', 'donor-reuse'])),
      status: decided(openWord([], ['pending', 'verified', 'rejected', 'expired'])),
      verify_time: decided(timestamp.nullable()),
      expire_time: decided(timestamp.nullable()),
    },
    filters: { party_id: decided(uuid), status: decided(text) },
  }),
  'disclosure-consent': resource({
    area,
    meaning: 'A party’s consent that a partner sees what is known of it.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      partner_id: decided(uuid),
      purposes: decided(z.array(text)),
      status: decided(openWord([], ['given', 'revoked', 'expired'])),
      give_time: decided(timestamp),
      revoke_time: decided(timestamp.nullable()),
      expire_time: decided(timestamp.nullable()),
    },
    filters: { party_id: decided(uuid), partner_id: decided(uuid), status: decided(text) },
  }),
  requirement: resource({
    area,
    meaning: 'What a party still has to tell or to show.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      verification_id: decided(uuid.nullable()),
      requirement_type_id: decided(uuid),
      revision: decided(z.int().min(1)),
      status: decided(openWord([], ['open', 'answered', 'accepted', 'rejected', 'waived'])),
      reject_reason: decided(text.nullable()),
    },
    filters: { party_id: decided(uuid), verification_id: decided(uuid), status: decided(text) },
  }),
  'capability-grant': resource({
    area,
    meaning: 'That a party may use a capability.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      verification_id: decided(uuid.nullable()),
      capability: decided(text),
      status: decided(openWord([], ['active', 'suspended', 'expired'])),
      grant_time: decided(timestamp),
      expire_time: decided(timestamp.nullable()),
    },
    filters: { party_id: decided(uuid), capability: decided(text), status: decided(text) },
  }),
  'collection-session': resource({
    area,
    meaning: 'A visit in which a party answers requirements.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      verification_creation_intent_id: decided(uuid.nullable()),
      collection_channel: decided(anyObject.nullable()),
      status: decided(openWord([], ['open', 'completed', 'expired'])),
      expire_time: decided(timestamp.nullable()),
    },
    filters: { party_id: decided(uuid), status: decided(text) },
  }),
  evidence: resource({
    area,
    meaning: 'What was handed in to answer a requirement.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      requirement_id: decided(uuid.nullable()),
      revision: decided(z.int().min(1).nullable()),
      file_id: decided(uuid.nullable()),
      type: decided(openWord([], ['document', 'answer', 'shared-profile'])),
      status: reviewStatus,
    },
    filters: { party_id: decided(uuid), requirement_id: decided(uuid), status: decided(text) },
  }),
  screening: resource({
    area,
    meaning: 'A look at lists of sanctions and of exposed persons, or at a crypto address.',
    fields: {
      customer_id: customer,
      subject_type: decided(openWord([], ['party', 'crypto-address', 'transfer'])),
      subject_id: decided(uuid),
      type: decided(openWord([], ['sanctions', 'political-exposure', 'adverse-media', 'blockchain'])),
      status: decided(openWord([], ['pending', 'completed'])),
      result: decided(openWord([], ['clear', 'possible-hit', 'hit']).nullable()),
      complete_time: decided(timestamp.nullable()),
    },
    filters: { subject_id: decided(uuid), status: decided(text), result: decided(text) },
  }),
  'crypto-address': resource({
    area,
    meaning: 'An address on a blockchain that a party uses.',
    fields: {
      customer_id: customer,
      party_id: decided(uuid),
      network: decided(text),
      address: decided(text),
      hosting: decided(openWord([], hostings)),
      status: decided(openWord([], ['undeclared', 'declared', 'blocked'])),
    },
    filters: { party_id: decided(uuid), network: decided(text), status: decided(text) },
  }),
  'travel-rule-message': resource({
    area,
    meaning: 'What goes with a crypto transfer about who sends and who receives.',
    fields: {
      customer_id: customer,
      direction: decided(openWord([], ['incoming', 'outgoing'])),
      transfer_id: decided(uuid.nullable()),
      crypto_address_id: decided(uuid.nullable()),
      network: decided(text),
      currency_code: decided(currencyCode),
      amount: decided(amount),
      originator: decided(individual.nullable()),
      beneficiary: decided(individual.nullable()),
      status: decided(openWord([], ['pending', 'sent', 'received', 'accepted', 'rejected'])),
    },
    filters: { transfer_id: decided(uuid), direction: decided(text), status: decided(text) },
  }),
  'partner-access': resource({
    area,
    meaning: 'What a partner may see of a party.',
    fields: {
      customer_id: customer,
      partner_id: decided(uuid),
      party_id: decided(uuid),
      scopes: decided(z.array(text)),
      status: decided(openWord([], ['active', 'revoked', 'expired'])),
      expire_time: decided(timestamp.nullable()),
    },
    filters: { partner_id: decided(uuid), party_id: decided(uuid), status: decided(text) },
  }),
  'crypto-address-declaration': resource({
    area,
    meaning: 'A party’s word, with its proof, whose a crypto address is.',
    fields: {
      customer_id: customer,
      crypto_address_id: decided(uuid),
      ownership: decided(openWord([], ownerships)),
      method: decided(openWord([], proofMethods)),
      proof: decided(text.nullable()),
      status: reviewStatus,
    },
    filters: { crypto_address_id: decided(uuid), status: decided(text) },
  }),
  'requirement-type': resource({
    area,
    meaning: 'A kind of requirement.',
    fields: {
      code: decided(text),
      name: decided(name),
      description: decided(text),
      evidence_types: decided(z.array(text)),
      capabilities: decided(z.array(text)),
    },
    filters: { code: decided(text) },
  }),
  capability: resource({
    area,
    meaning: 'Something that a party may be allowed to do.',
    fields: {
      name: decided(text),
      description: decided(text),
      requirement_type_ids: decided(z.array(uuid)),
    },
    filters: { name: decided(text) },
    // The document names its check, and does not say whether it can be retrieved and listed too.
    decisions: {
      retrieve: ['operation', 'method', 'path', 'response', 'scope'],
      list: ['operation', 'method', 'path', 'query', 'response', 'scope'],
    },
    more: {
      check: {
        kind: 'retrieve',
        segment: 'check',
        request: null,
        query: z.object({ party_id: decided(uuid) }),
        response: z.object({
          capability_id: decided(uuid),
          capability: decided(text),
          party_id: decided(uuid),
          granted: decided(z.boolean()),
          capability_grant_id: decided(uuid.nullable()),
          open_requirements: decided(z.array(requirementReference)),
        }),
        scopeAction: 'check',
        needsIfMatch: false,
        decisions: ['method', 'path', 'query', 'response', 'scope'],
      },
    },
  }),
  partner: resource({
    area,
    meaning: 'Another service that may see or lend what is known of a party.',
    fields: {
      name: decided(name),
      country: decided(countryCode),
      status: decided(openWord([], ['active', 'inactive'])),
    },
    filters: { status: decided(text) },
  }),
};
