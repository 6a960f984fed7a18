/** Compliance resources of the latest version. The document names them; their fields are assumed. */
import { z } from 'zod';
import { resource } from '../entries.ts';
import { amount, anyObject, countryCode, currencyCode, name, text, timestamp, uuid } from '../formats.ts';
import { assumed, openEnum } from '../marks.ts';
import { company, individual, requirementReference } from '../shapes.ts';
import { partyTypes } from './treasury.ts';

const area = 'compliance';
const customer = assumed(text);
export const hostings = ['self-hosted', 'hosted'] as const;
export const ownerships = ['own', 'third-party'] as const;
export const proofMethods = ['signature', 'small-transfer', 'screenshot', 'statement'] as const;
const reviewStatus = assumed(openEnum([], ['pending', 'accepted', 'rejected', 'expired']));

export const compliance = {
  party: resource({
    area,
    meaning: 'A person or a company that compliance knows.',
    fields: {
      customer_id: customer,
      customer_party_ref: assumed(text),
      type: assumed(openEnum([], partyTypes)),
      individual: assumed(individual.nullable()),
      company: assumed(company.nullable()),
      status: assumed(openEnum([], ['active', 'blocked'])),
    },
    filters: { customer_party_ref: assumed(text), type: assumed(text), status: assumed(text) },
  }),
  'party-attribute': resource({
    area,
    meaning: 'One fact about a party, as an occupation or a source of funds.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      name: assumed(name),
      value: assumed(text),
      status: reviewStatus,
    },
    filters: { party_id: assumed(uuid), name: assumed(text) },
  }),
  verification: resource({
    area,
    meaning: 'That a party is who it says, for some capabilities.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      requested_capabilities: assumed(z.array(text)),
      origin: assumed(openEnum([], ['direct', 'donor-reuse'])),
      status: assumed(openEnum([], ['pending', 'verified', 'rejected', 'expired'])),
      verify_time: assumed(timestamp.nullable()),
      expire_time: assumed(timestamp.nullable()),
    },
    filters: { party_id: assumed(uuid), status: assumed(text) },
  }),
  'disclosure-consent': resource({
    area,
    meaning: 'A party’s consent that a partner sees what is known of it.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      partner_id: assumed(uuid),
      purposes: assumed(z.array(text)),
      status: assumed(openEnum([], ['given', 'revoked', 'expired'])),
      give_time: assumed(timestamp),
      revoke_time: assumed(timestamp.nullable()),
      expire_time: assumed(timestamp.nullable()),
    },
    filters: { party_id: assumed(uuid), partner_id: assumed(uuid), status: assumed(text) },
  }),
  requirement: resource({
    area,
    meaning: 'What a party still has to tell or to show.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      verification_id: assumed(uuid.nullable()),
      requirement_type_id: assumed(uuid),
      revision: assumed(z.int().min(1)),
      status: assumed(openEnum([], ['open', 'answered', 'accepted', 'rejected', 'waived'])),
      reject_reason: assumed(text.nullable()),
    },
    filters: { party_id: assumed(uuid), verification_id: assumed(uuid), status: assumed(text) },
  }),
  'capability-grant': resource({
    area,
    meaning: 'That a party may use a capability.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      verification_id: assumed(uuid.nullable()),
      capability: assumed(text),
      status: assumed(openEnum([], ['active', 'suspended', 'expired'])),
      grant_time: assumed(timestamp),
      expire_time: assumed(timestamp.nullable()),
    },
    filters: { party_id: assumed(uuid), capability: assumed(text), status: assumed(text) },
  }),
  'collection-session': resource({
    area,
    meaning: 'A visit in which a party answers requirements.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      verification_creation_intent_id: assumed(uuid.nullable()),
      collection_channel: assumed(anyObject.nullable()),
      status: assumed(openEnum([], ['open', 'completed', 'expired'])),
      expire_time: assumed(timestamp.nullable()),
    },
    filters: { party_id: assumed(uuid), status: assumed(text) },
  }),
  evidence: resource({
    area,
    meaning: 'What was handed in to answer a requirement.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      requirement_id: assumed(uuid.nullable()),
      revision: assumed(z.int().min(1).nullable()),
      file_id: assumed(uuid.nullable()),
      type: assumed(openEnum([], ['document', 'answer', 'shared-profile'])),
      status: reviewStatus,
    },
    filters: { party_id: assumed(uuid), requirement_id: assumed(uuid), status: assumed(text) },
  }),
  screening: resource({
    area,
    meaning: 'A look at lists of sanctions and of exposed persons, or at a crypto address.',
    fields: {
      customer_id: customer,
      subject_type: assumed(openEnum([], ['party', 'crypto-address', 'transfer'])),
      subject_id: assumed(uuid),
      type: assumed(openEnum([], ['sanctions', 'political-exposure', 'adverse-media', 'blockchain'])),
      status: assumed(openEnum([], ['pending', 'completed'])),
      result: assumed(openEnum([], ['clear', 'possible-hit', 'hit']).nullable()),
      complete_time: assumed(timestamp.nullable()),
    },
    filters: { subject_id: assumed(uuid), status: assumed(text), result: assumed(text) },
  }),
  'crypto-address': resource({
    area,
    meaning: 'An address on a blockchain that a party uses.',
    fields: {
      customer_id: customer,
      party_id: assumed(uuid),
      network: assumed(text),
      address: assumed(text),
      hosting: assumed(openEnum([], hostings)),
      status: assumed(openEnum([], ['undeclared', 'declared', 'blocked'])),
    },
    filters: { party_id: assumed(uuid), network: assumed(text), status: assumed(text) },
  }),
  'travel-rule-message': resource({
    area,
    meaning: 'What goes with a crypto transfer about who sends and who receives.',
    fields: {
      customer_id: customer,
      direction: assumed(openEnum([], ['incoming', 'outgoing'])),
      transfer_id: assumed(uuid.nullable()),
      crypto_address_id: assumed(uuid.nullable()),
      network: assumed(text),
      currency_code: assumed(currencyCode),
      amount: assumed(amount),
      originator: assumed(individual.nullable()),
      beneficiary: assumed(individual.nullable()),
      status: assumed(openEnum([], ['pending', 'sent', 'received', 'accepted', 'rejected'])),
    },
    filters: { transfer_id: assumed(uuid), direction: assumed(text), status: assumed(text) },
  }),
  'partner-access': resource({
    area,
    meaning: 'What a partner may see of a party.',
    fields: {
      customer_id: customer,
      partner_id: assumed(uuid),
      party_id: assumed(uuid),
      scopes: assumed(z.array(text)),
      status: assumed(openEnum([], ['active', 'revoked', 'expired'])),
      expire_time: assumed(timestamp.nullable()),
    },
    filters: { partner_id: assumed(uuid), party_id: assumed(uuid), status: assumed(text) },
  }),
  'crypto-address-declaration': resource({
    area,
    meaning: 'A party’s word, with its proof, whose a crypto address is.',
    fields: {
      customer_id: customer,
      crypto_address_id: assumed(uuid),
      ownership: assumed(openEnum([], ownerships)),
      method: assumed(openEnum([], proofMethods)),
      proof: assumed(text.nullable()),
      status: reviewStatus,
    },
    filters: { crypto_address_id: assumed(uuid), status: assumed(text) },
  }),
  'requirement-type': resource({
    area,
    meaning: 'A kind of requirement.',
    fields: {
      code: assumed(text),
      name: assumed(name),
      description: assumed(text),
      evidence_types: assumed(z.array(text)),
      capabilities: assumed(z.array(text)),
    },
    filters: { code: assumed(text) },
  }),
  capability: resource({
    area,
    meaning: 'Something that a party may be allowed to do.',
    fields: {
      name: assumed(text),
      description: assumed(text),
      requirement_type_ids: assumed(z.array(uuid)),
    },
    filters: { name: assumed(text) },
    // The document names its check, and does not say whether it can be retrieved and listed too.
    assumptions: {
      retrieve: ['operation', 'method', 'path', 'response', 'scope'],
      list: ['operation', 'method', 'path', 'query', 'response', 'scope'],
    },
    more: {
      check: {
        kind: 'retrieve',
        segment: 'check',
        request: null,
        query: z.object({ party_id: assumed(uuid) }),
        response: z.object({
          capability_id: assumed(uuid),
          capability: assumed(text),
          party_id: assumed(uuid),
          granted: assumed(z.boolean()),
          capability_grant_id: assumed(uuid.nullable()),
          open_requirements: assumed(z.array(requirementReference)),
        }),
        scopeAction: 'check',
        needsIfMatch: false,
        assumptions: ['method', 'path', 'query', 'response', 'scope'],
      },
    },
  }),
  partner: resource({
    area,
    meaning: 'Another service that may see or lend what is known of a party.',
    fields: {
      name: assumed(name),
      country: assumed(countryCode),
      status: assumed(openEnum([], ['active', 'inactive'])),
    },
    filters: { status: assumed(text) },
  }),
};
