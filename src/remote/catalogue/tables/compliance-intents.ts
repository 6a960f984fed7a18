/** The compliance intent families of the latest version. */
import { z } from 'zod';
import { intent } from '../entries.ts';
import { anyObject, name, optional, remark, text, uuid } from '../formats.ts';
import { assumed, openEnum, secret, documented } from '../marks.ts';
import { company, individual, requirementReference } from '../shapes.ts';
import { hostings, ownerships, proofMethods } from './compliance.ts';
import { partyTypes } from './treasury.ts';

const area = 'compliance';

const origin = openEnum(['direct', 'donor-reuse']);
const capabilities = z.array(text);

/** Which requirement, in which revision, and what answers it. */
const answerRequirement = {
  segment: 'requirement-answer',
  request: {
    requirement_id: assumed(text),
    revision: assumed(z.int().min(1)),
    answer: assumed(anyObject),
    file_ids: assumed(optional(z.array(uuid))),
  },
};

export const complianceIntents = {
  'verification-creation-intent': intent({
    area,
    meaning: 'Asks to verify a party.',
    yields: 'verification',
    effect: 'create',
    request: {
      customer_party_ref: assumed(text.min(1)),
      party_id: assumed(optional(uuid)),
      requested_capabilities: assumed(capabilities.min(1)),
      origin: assumed(optional(origin)),
      collection_channel: assumed(optional(anyObject)),
    },
    fields: {
      customer_party_ref: documented(text),
      party_id: documented(text),
      requested_capabilities: documented(capabilities),
      origin: documented(origin),
      collection_channel: documented(anyObject.nullable()),
      requirements: documented(z.array(requirementReference)),
      verification_id: documented(text),
      collection_session_id: documented(text),
    },
    recordDocumented: true,
    steps: {
      'set-share-token': {
        segment: 'share-token',
        request: { share_token: documented(secret(text.min(1))) },
        // That it carries If-Match is documented, the value is not.
        assumptions: ['if-match'],
      },
      'answer-requirement': {
        ...answerRequirement,
        assumptions: ['path', 'request', 'response', 'scope', 'if-match'],
      },
    },
    assumptions: {
      create: ['path', 'request', 'scope'],
      confirm: ['path', 'request', 'response', 'scope', 'if-match'],
      retrieve: ['path', 'scope'],
      list: ['path', 'query', 'response', 'scope'],
    },
  }),
  'verification-update-intent': intent({
    area,
    meaning: 'Asks to widen or to renew a verification.',
    yields: 'verification',
    effect: 'update',
    request: { verification_id: assumed(uuid), requested_capabilities: assumed(capabilities.min(1)) },
    fields: { requirements: assumed(z.array(requirementReference)) },
    steps: { 'answer-requirement': answerRequirement },
  }),
  'party-creation-intent': intent({
    area,
    meaning: 'Asks for a party.',
    yields: 'party',
    effect: 'create',
    request: {
      customer_party_ref: assumed(text.min(1)),
      type: assumed(openEnum([], partyTypes)),
      individual: assumed(optional(individual)),
      company: assumed(optional(company)),
    },
  }),
  'party-attribute-creation-intent': intent({
    area,
    meaning: 'Asks to write down a fact about a party.',
    yields: 'party-attribute',
    effect: 'create',
    request: { party_id: assumed(uuid), name: assumed(name), value: assumed(text) },
  }),
  'party-attribute-update-intent': intent({
    area,
    meaning: 'Asks to change a fact about a party.',
    yields: 'party-attribute',
    effect: 'update',
    request: { party_attribute_id: assumed(uuid), value: assumed(text) },
  }),
  'crypto-address-creation-intent': intent({
    area,
    meaning: 'Asks to write down a crypto address of a party.',
    yields: 'crypto-address',
    effect: 'create',
    request: {
      party_id: assumed(uuid),
      network: assumed(text.min(1)),
      address: assumed(text.min(1)),
      hosting: assumed(openEnum([], hostings)),
    },
  }),
  'partner-access-creation-intent': intent({
    area,
    meaning: 'Asks to let a partner see a party.',
    yields: 'partner-access',
    effect: 'create',
    request: { partner_id: assumed(uuid), party_id: assumed(uuid), scopes: assumed(capabilities.min(1)) },
  }),
  'crypto-address-declaration-intent': intent({
    area,
    meaning: 'Asks to take a declaration whose a crypto address is.',
    yields: 'crypto-address-declaration',
    effect: 'create',
    request: {
      crypto_address_id: assumed(uuid),
      ownership: assumed(openEnum([], ownerships)),
      method: assumed(openEnum([], proofMethods)),
      proof: assumed(optional(remark)),
    },
  }),
};
