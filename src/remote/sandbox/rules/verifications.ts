/**
 * Verifications. An intent of origin "direct" opens the requirements of the capabilities that it asks for, and waits
 * for their answers. One of origin "donor-reuse" waits for its share token instead, of which nothing is kept: only that
 * it came, and whether it was good.
 */
import { RequestError, unusable } from '../request-error.ts';
import { saysReject } from '../life-cycle.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { insertNew, textOf, textOrNull, type SandboxContext } from '../sandbox-context.ts';
import { done, fails, type FamilyRules } from './rules.ts';

interface Reference {
  requirement_id: string;
  revision: number;
}

const sessionLifeMs = 7 * 24 * 3_600_000;

function capabilitiesOf(fields: Fields): string[] {
  return fields['requested_capabilities'] as string[];
}

function openOf(intent: StoredRecord): Reference[] {
  return intent['requirements'] as Reference[];
}

function capabilityRecords(context: SandboxContext, names: readonly string[]): StoredRecord[] {
  return names.map((name, index) => {
    const capability = context.records.first('capability', { name });
    if (capability === null) throw unusable(`requested_capabilities.${index}`, 'there is no such capability');
    return capability;
  });
}

/** One requirement for each type that the capabilities need, and that the party has not met yet. */
function openRequirements(
  context: SandboxContext,
  names: readonly string[],
  partyId: string,
  verificationId: string,
): Reference[] {
  const typeIds = capabilityRecords(context, names).flatMap(
    (capability) => capability['requirement_type_ids'] as string[],
  );
  const open = [...new Set(typeIds)].filter(
    (typeId) =>
      context.records.first('requirement', {
        party_id: partyId,
        requirement_type_id: typeId,
        status: 'accepted',
      }) === null,
  );
  return open.map((typeId) => {
    const requirement = insertNew(context, 'requirement', {
      party_id: partyId,
      verification_id: verificationId,
      requirement_type_id: typeId,
      revision: 1,
      status: 'open',
    });
    return { requirement_id: requirement.id, revision: 1 };
  });
}

function answerRequirement(context: SandboxContext, intent: StoredRecord, request: Fields): Fields {
  const id = textOf(request, 'requirement_id');
  const open = openOf(intent);
  const asked = open.find(({ requirement_id }) => requirement_id === id);
  if (asked === undefined) throw unusable('requirement_id', 'this intent does not wait for this requirement');
  if (asked.revision !== request['revision']) {
    throw new RequestError('state_conflict', `The requirement is at revision ${asked.revision} now.`);
  }
  const requirement = context.records.get('requirement', id);
  const files = (request['file_ids'] ?? []) as string[];
  const rejected = saysReject(request['answer']);
  for (const fileId of files.length === 0 ? [null] : files) {
    insertNew(context, 'evidence', {
      party_id: requirement?.['party_id'],
      requirement_id: id,
      revision: asked.revision,
      file_id: fileId,
      type: fileId === null ? 'answer' : 'document',
      status: rejected ? 'rejected' : 'pending',
    });
  }
  if (rejected) {
    const revision = asked.revision + 1;
    context.records.update('requirement', id, { revision, status: 'open', reject_reason: 'Asked again.' });
    return { requirements: open.map((entry) => (entry === asked ? { ...entry, revision } : entry)) };
  }
  context.records.update('requirement', id, { status: 'answered', reject_reason: null });
  const requirements = open.filter((entry) => entry !== asked);
  return requirements.length === 0 ? { requirements, life_cycle: 'pending-confirmation' } : { requirements };
}

/** The requirements are met, the party may use the capabilities. */
function grant(
  context: SandboxContext,
  partyId: string,
  verificationId: string,
  names: readonly string[],
): void {
  for (const requirement of context.records.all('requirement', { verification_id: verificationId })) {
    if (requirement['status'] === 'answered') {
      context.records.update('requirement', requirement.id, { status: 'accepted' });
    }
  }
  for (const capability of names) {
    if (context.records.first('capability-grant', { party_id: partyId, capability, status: 'active' }))
      continue;
    insertNew(context, 'capability-grant', {
      party_id: partyId,
      verification_id: verificationId,
      capability,
      status: 'active',
      grant_time: context.time(),
    });
  }
}

function missing(intent: StoredRecord): string | null {
  const open = openOf(intent).length;
  if (open > 0) return `${open} requirements are open; answer them first.`;
  return intent['origin'] === 'donor-reuse' && intent['_share_token'] === undefined
    ? 'The intent waits for its share token; set it first.'
    : null;
}

export const verificationRules: FamilyRules = {
  'verification-creation-intent': {
    check: (context, request) => void capabilityRecords(context, capabilitiesOf(request)),
    begin(context, request) {
      const reference = textOf(request, 'customer_party_ref');
      const origin = textOrNull(request, 'origin') ?? 'direct';
      const named = textOrNull(request, 'party_id');
      const party =
        (named === null
          ? context.records.first('party', { customer_party_ref: reference })
          : context.records.get('party', named)) ??
        insertNew(context, 'party', { customer_party_ref: reference, type: 'individual', status: 'active' });
      const verification = insertNew(context, 'verification', {
        ...request,
        party_id: party.id,
        origin,
        status: 'pending',
      });
      const session = insertNew(context, 'collection-session', {
        party_id: party.id,
        collection_channel: request['collection_channel'],
        status: 'open',
        expire_time: context.time(sessionLifeMs),
      });
      const requirements =
        origin === 'direct'
          ? openRequirements(context, capabilitiesOf(request), party.id, verification.id)
          : [];
      return {
        party_id: party.id,
        origin,
        collection_channel: request['collection_channel'] ?? null,
        requirements,
        verification_id: verification.id,
        collection_session_id: session.id,
        life_cycle: 'pending-requirements',
      };
    },
    missing,
    steps: {
      'set-share-token'(context, intent, request) {
        if (intent['origin'] !== 'donor-reuse') {
          throw new RequestError(
            'state_conflict',
            'Only an intent of origin donor-reuse takes a share token.',
          );
        }
        insertNew(context, 'evidence', {
          party_id: intent['party_id'],
          type: 'shared-profile',
          status: 'pending',
        });
        const verdict = saysReject(request['share_token']) ? 'rejected' : 'good';
        return { _share_token: verdict, life_cycle: 'pending-confirmation' };
      },
      'answer-requirement': answerRequirement,
    },
    complete(context, intent) {
      if (intent['_share_token'] === 'rejected') return fails('share-token-rejected');
      const verificationId = textOf(intent, 'verification_id');
      context.records.update('verification', verificationId, {
        status: 'verified',
        verify_time: context.time(),
      });
      context.records.update('collection-session', textOf(intent, 'collection_session_id'), {
        status: 'completed',
        verification_creation_intent_id: intent.id,
      });
      grant(context, textOf(intent, 'party_id'), verificationId, capabilitiesOf(intent));
      return done({});
    },
    failed: (context, intent) =>
      void context.records.update('verification', textOf(intent, 'verification_id'), { status: 'rejected' }),
  },
  'verification-update-intent': {
    check: (context, request) => void capabilityRecords(context, capabilitiesOf(request)),
    begin(context, request) {
      const verification = context.records.get('verification', textOf(request, 'verification_id'));
      if (verification === null) throw unusable('verification_id', 'there is no such verification');
      const partyId = textOf(verification, 'party_id');
      // Of one that was never completed, the first capabilities are granted with this too.
      const names =
        verification['status'] === 'verified'
          ? capabilitiesOf(request)
          : [...capabilitiesOf(verification), ...capabilitiesOf(request)];
      const requirements = openRequirements(context, names, partyId, verification.id);
      return requirements.length === 0
        ? { requirements }
        : { requirements, life_cycle: 'pending-requirements' };
    },
    missing,
    steps: { 'answer-requirement': answerRequirement },
    complete(context, intent) {
      const verification = context.records.get('verification', textOf(intent, 'verification_id'));
      if (verification === null) return fails('requirement-rejected');
      const names = [...new Set([...capabilitiesOf(verification), ...capabilitiesOf(intent)])];
      context.records.update('verification', verification.id, {
        requested_capabilities: names,
        status: 'verified',
        verify_time: context.time(),
      });
      grant(context, textOf(verification, 'party_id'), verification.id, names);
      return done({});
    },
  },
};

/** `GET /capabilities/{id}/check?party_id=…`. */
export function checkCapability(context: SandboxContext, capability: StoredRecord, query: Fields): Fields {
  const partyId = textOf(query, 'party_id');
  if (context.records.get('party', partyId) === null) throw unusable('party_id', 'there is no such party');
  const name = textOf(capability, 'name');
  const granted = context.records.first('capability-grant', {
    party_id: partyId,
    capability: name,
    status: 'active',
  });
  const typeIds = new Set(capability['requirement_type_ids'] as string[]);
  const open = context.records
    .all('requirement', { party_id: partyId, status: 'open' })
    .filter((requirement) => typeIds.has(textOf(requirement, 'requirement_type_id')));
  return {
    capability_id: capability.id,
    capability: name,
    party_id: partyId,
    granted: granted !== null,
    capability_grant_id: granted?.id ?? null,
    open_requirements: open.map(({ id, revision }) => ({ requirement_id: id, revision })),
  };
}
