/** What all intent families have: create, steps, confirm, and on from there. */
import type { z } from 'zod';
import { idFieldOf, isSecret, type Operation } from '../catalogue/index.ts';
import {
  isConfirmed,
  transition,
  initialState,
  type IntentState,
  type IntentEvent,
  type Stage,
  outcomeOf,
} from './life-cycle.ts';
import { RequestError } from './request-error.ts';
import { rulesOf } from './rules/index.ts';
import { done, fails, type Completion } from './rules/rules.ts';
import { newFields } from './samples.ts';
import type { Fields, StoredRecord } from './store/records.ts';
import { recordSchemaOf, rowOf, textOf, type SandboxContext } from './sandbox-context.ts';

export function isIntent(context: SandboxContext, resource: string): boolean {
  return rowOf(context.catalogue, resource)?.record.shape['life_cycle'] !== undefined;
}

export function createIntent(context: SandboxContext, resource: string, request: Fields): StoredRecord {
  const rules = rulesOf(resource);
  outcomeOf(request);
  rules.check?.(context, request);
  const begun = rules.begin?.(context, request) ?? {};
  const schema = recordSchemaOf(context.catalogue, resource);
  const source = { ...initialState, customer_id: context.customerId, ...request, ...begun };
  return context.records.insert(resource, newFields(schema, source));
}

/** An `action` other than confirm. Without a rule of its own, what the request gives goes into the record. */
export function stepIntent(
  context: SandboxContext,
  operation: Operation,
  intent: StoredRecord,
  request: Fields,
): StoredRecord {
  if (isConfirmed(stageOf(intent))) {
    throw new RequestError(
      'state_conflict',
      `The intent is ${stageOf(intent)}; it can no longer be changed.`,
    );
  }
  outcomeOf(request);
  const step = rulesOf(operation.resource).steps?.[operation.action];
  const changes = step === undefined ? kept(context, operation, request) : step(context, intent, request);
  return context.records.update(operation.resource, intent.id, changes);
}

/** What is written only is not kept. */
function kept(context: SandboxContext, operation: Operation, request: Fields): Fields {
  const open = Object.entries(request).filter(([name]) => {
    const field = operation.request?.shape[name] as z.ZodType | undefined;
    return field !== undefined && !isSecret(field);
  });
  return inShape(Object.fromEntries(open), recordSchemaOf(context.catalogue, operation.resource).shape);
}

/** `_confirmed_at_etag`: the tag under which it was confirmed, so that the same request may come twice. */
const confirmedAt = '_confirmed_at_etag';

/**
 * Whether this If-Match names the intent as it was when it was confirmed: then the request is the one that did it, sent
 * again because its answer was lost.
 */
export function isRepeatOfConfirm(intent: StoredRecord, tags: readonly string[]): boolean {
  const tag = intent[confirmedAt];
  return typeof tag === 'string' && tags.includes(tag);
}

export function confirmIntent(context: SandboxContext, resource: string, intent: StoredRecord): StoredRecord {
  if (isConfirmed(stageOf(intent))) return intent;
  const missing = rulesOf(resource).missing?.(intent) ?? null;
  if (missing !== null) throw new RequestError('state_conflict', missing);
  const confirmed = change(context, resource, intent, { kind: 'confirmed' }, { [confirmedAt]: intent.etag });
  return goOn(context, resource, confirmed, false);
}

/** The sandbox's own way on, for an intent that was held. */
export function advanceIntent(context: SandboxContext, resource: string, intent: StoredRecord): StoredRecord {
  const stage = stageOf(intent);
  if (stage !== 'pending-approval' && stage !== 'pending-completion') {
    throw new RequestError('state_conflict', `The intent is ${stage}; there is nothing to advance.`);
  }
  return goOn(context, resource, intent, true);
}

/** Until it is done, or until the outcome that was asked for. `released`: it is no longer held where it stands. */
function goOn(
  context: SandboxContext,
  resource: string,
  intent: StoredRecord,
  released: boolean,
): StoredRecord {
  const outcome = outcomeOf(intent);
  const held = (stage: Stage) => !released && outcome.kind === 'hold' && outcome.at === stage;
  let now = intent;
  if (stageOf(now) === 'pending-approval') {
    if (held('pending-approval')) return now;
    if (outcome.kind === 'fail' && outcome.reason === 'not-approved') {
      return fail(context, resource, now, outcome.reason);
    }
    now = change(context, resource, now, { kind: 'approved' });
  }
  if (held('pending-completion')) return now;
  const completion = outcome.kind === 'fail' ? fails(outcome.reason) : complete(context, resource, now);
  if (!completion.done) return fail(context, resource, now, completion.reason);
  return change(context, resource, now, { kind: 'completed' }, completion.changes);
}

function fail(context: SandboxContext, resource: string, intent: StoredRecord, reason: string): StoredRecord {
  const failed = change(context, resource, intent, { kind: 'failed', reason });
  rulesOf(resource).failed?.(context, failed, reason);
  return failed;
}

function complete(context: SandboxContext, resource: string, intent: StoredRecord): Completion {
  return rulesOf(resource).complete?.(context, intent) ?? completeByCatalogue(context, resource, intent);
}

/** Makes, changes, closes or cancels the resource that the catalogue says the intent is for. */
function completeByCatalogue(context: SandboxContext, resource: string, intent: StoredRecord): Completion {
  const yields = rowOf(context.catalogue, resource)?.yields ?? null;
  if (yields === null) return done({});
  const idField = idFieldOf(yields.resource);
  const schema = recordSchemaOf(context.catalogue, yields.resource);
  if (yields.effect === 'create') {
    const created = context.records.insert(
      yields.resource,
      newFields(schema, { ...intent, status: undefined, customer_id: context.customerId }),
    );
    return done({ [idField]: created.id });
  }
  const target = context.records.get(yields.resource, textOf(intent, idField));
  if (target === null) throw new Error(`${yields.resource} ${textOf(intent, idField)} is gone`);
  context.records.update(yields.resource, target.id, effectOn(context, resource, schema.shape, intent));
  return done({});
}

function effectOn(context: SandboxContext, resource: string, shape: object, intent: StoredRecord): Fields {
  const effect = rowOf(context.catalogue, resource)?.yields?.effect;
  if (effect === 'close' || effect === 'cancel') {
    const times = Object.fromEntries([[`${effect}_time`, context.time()]]);
    return { status: effect === 'close' ? 'closed' : 'cancelled', ...inShape(times, shape) };
  }
  const { id: _id, create_time: _made, update_time: _changed, token: _token, etag: _etag, ...told } = intent;
  const given = Object.entries(told).filter(([name, value]) => !name.startsWith('_') && value !== null);
  return inShape(Object.fromEntries(given), shape);
}

function inShape(fields: Fields, shape: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(shape, name)));
}

function change(
  context: SandboxContext,
  resource: string,
  intent: StoredRecord,
  event: IntentEvent,
  more: Fields = {},
): StoredRecord {
  const state = transition(stateOf(intent), event, context.time());
  return context.records.update(resource, intent.id, { ...state, ...more });
}

function stageOf(intent: StoredRecord): Stage {
  return intent['life_cycle'] as Stage;
}

/** The store has them as `live` made them. */
function stateOf(intent: StoredRecord): IntentState {
  const { life_cycle, result, fail_reason, confirm_time, approve_time, complete_time } = intent;
  return { life_cycle, result, fail_reason, confirm_time, approve_time, complete_time } as IntentState;
}
