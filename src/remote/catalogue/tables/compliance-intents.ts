/** The compliance intent families of the latest version. */
import { z } from 'zod';
import { intent } from '../entries.ts';
import { anyObject, name, optional, remark, text, uuid } from '../formats.ts';
import { decided, openWord, secret, shown } from '../marks.ts';
import { company, individual, requirementReference } from '../shapes.ts';
import { hostings, ownerships, proofMethods } from './compliance.ts';
import { partyTypes } from './treasury.ts';

const area = 'compliance';

const origin = openWord(['direct', 'donor-reuse']);
const capabilities = z.array(text);

/** Which requirement, in which revision, and what answers it. */
const answerRequirement = {
  segment: 'requirement-answer',
  request: {
    requirement_id: decided(text),
    revision: decided(z.int().min(1)),
    answer: decided(anyObject),
    file_ids: decided(optional(z.array(uuid))),
  },
};

export const complianceIntents = {
  'verification-creation-intent': intent({
    area,
    meaning: 'Asks to verify a party.',
    yields: 'verification',
    effect: 'create',
    request: {
      customer_party_ref: decided(text.min(1)),
      party_id: decided(optional(uuid)),
      requested_capabilities: decided(capabilities.min(1)),
      origin: decided(optional(origin)),
      collection_channel: decided(optional(anyObject)),
    },
    fields: {
      customer_party_ref: shown(text),
      party_id: shown(text),
      requested_capabilities: shown(capabilities),
      origin: shown(origin),
      collection_channel: shown(anyObject.nullable()),
      requirements: shown(z.array(requirementReference)),
      verification_id: shown(text),
      collection_session_id: shown(text),
    },
    recordShown: true,
    steps: {
      'set-share-token': {
        segment: 'share-token',
        request: { share_token: shown(secret(text.min(1))) },
        // That it carries If-Match is shown, the value is not.
        decisions: ['if-match'],
      },
      'answer-requirement': {
        ...answerRequirement,
        decisions: ['path', 'request', 'response', 'scope', 'if-match'],
      },
    },
    decisions: {
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
    request: { verification_id: decided(uuid), requested_capabilities: decided(capabilities.min(1)) },
    fields: { requirements: decided(z.array(requirementReference)) },
    steps: { 'answer-requirement': answerRequirement },
  }),
  'party-creation-intent': intent({
    area,
    meaning: 'Asks for a party.',
    yields: 'party',
    effect: 'create',
    request: {
      customer_party_ref: decided(text.min(1)),
      type: decided(openWord([], partyTypes)),
      individual: decided(optional(individual)),
      company: decided(optional(company)),
    },
  }),
  'party-attribute-creation-intent': intent({
    area,
    meaning: 'Asks to write down a fact about a party.',
    yields: 'party-attribute',
    effect: 'create',
    request: { party_id: decided(uuid), name: decided(name), value: decided(text) },
  }),
  'party-attribute-update-intent': intent({
    area,
    meaning: 'Asks to change a fact about a party.',
    yields: 'party-attribute',
    effect: 'update',
    request: { party_attribute_id: decided(uuid), value: decided(text) },
  }),
  'crypto-address-creation-intent': intent({
    area,
    meaning: 'Asks to write down a crypto address of a party.',
    yields: 'crypto-address',
    effect: 'create',
    request: {
      party_id: decided(uuid),
      network: decided(text.min(1)),
      address: decided(text.min(1)),
      hosting: decided(openWord([], hostings)),
    },
  }),
  'partner-access-creation-intent': intent({
    area,
    meaning: 'Asks to let a partner see a party.',
    yields: 'partner-access',
    effect: 'create',
    request: { partner_id: decided(uuid), party_id: decided(uuid), scopes: decided(capabilities.min(1)) },
  }),
  'crypto-address-declaration-intent': intent({
    area,
    meaning: 'Asks to take a declaration whose a crypto address is.',
    yields: 'crypto-address-declaration',
    effect: 'create',
    request: {
      crypto_address_id: decided(uuid),
      ownership: decided(openWord([], ownerships)),
      method: decided(openWord([], proofMethods)),
      proof: decided(optional(remark)),
    },
  }),
};
