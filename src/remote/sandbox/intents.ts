/** What all intent families have: create, steps, confirm, and on from there. */
import type { z } from 'zod';
import { idFieldOf, isSecret, type Operation } from '../catalogue/index.ts';
import { isConfirmed, live, newborn, type Life, type LifeEvent, type Stage } from './life-cycle.ts';
import { outcomeOf } from './outcomes.ts';
import { Refused } from './refusal.ts';
import { rulesOf } from './rules/index.ts';
import { done, fails, type Completion } from './rules/rules.ts';
import { newFields } from './samples.ts';
import type { Fields, StoredRecord } from './store/records.ts';
import { recordSchemaOf, rowOf, textOf, type World } from './world.ts';

export function isIntent(world: World, resource: string): boolean {
  return rowOf(world.catalogue, resource)?.record.shape['life_cycle'] !== undefined;
}

export function createIntent(world: World, resource: string, request: Fields): StoredRecord {
  const rules = rulesOf(resource);
  outcomeOf(request);
  rules.check?.(world, request);
  const begun = rules.begin?.(world, request) ?? {};
  const schema = recordSchemaOf(world.catalogue, resource);
  const source = { ...newborn, customer_id: world.customerId, ...request, ...begun };
  return world.records.insert(resource, newFields(schema, source));
}

/** An `action` other than confirm. Without a rule of its own, what the request gives goes into the record. */
export function stepIntent(
  world: World,
  operation: Operation,
  intent: StoredRecord,
  request: Fields,
): StoredRecord {
  if (isConfirmed(stageOf(intent))) {
    throw new Refused('state_conflict', `The intent is ${stageOf(intent)}; it can no longer be changed.`);
  }
  outcomeOf(request);
  const step = rulesOf(operation.resource).steps?.[operation.action];
  const changes = step === undefined ? kept(world, operation, request) : step(world, intent, request);
  return world.records.update(operation.resource, intent.id, changes);
}

/** What is written only is not kept. */
function kept(world: World, operation: Operation, request: Fields): Fields {
  const open = Object.entries(request).filter(([name]) => {
    const field = operation.request?.shape[name] as z.ZodType | undefined;
    return field !== undefined && !isSecret(field);
  });
  return inShape(Object.fromEntries(open), recordSchemaOf(world.catalogue, operation.resource).shape);
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

export function confirmIntent(world: World, resource: string, intent: StoredRecord): StoredRecord {
  if (isConfirmed(stageOf(intent))) return intent;
  const missing = rulesOf(resource).missing?.(intent) ?? null;
  if (missing !== null) throw new Refused('state_conflict', missing);
  const confirmed = change(world, resource, intent, { kind: 'confirmed' }, { [confirmedAt]: intent.etag });
  return goOn(world, resource, confirmed, false);
}

/** The sandbox's own way on, for an intent that was held. */
export function advanceIntent(world: World, resource: string, intent: StoredRecord): StoredRecord {
  const stage = stageOf(intent);
  if (stage !== 'pending-approval' && stage !== 'pending-completion') {
    throw new Refused('state_conflict', `The intent is ${stage}; there is nothing to advance.`);
  }
  return goOn(world, resource, intent, true);
}

/** Until it is done, or until the outcome that was asked for. `released`: it is no longer held where it stands. */
function goOn(world: World, resource: string, intent: StoredRecord, released: boolean): StoredRecord {
  const outcome = outcomeOf(intent);
  const held = (stage: Stage) => !released && outcome.kind === 'hold' && outcome.at === stage;
  let now = intent;
  if (stageOf(now) === 'pending-approval') {
    if (held('pending-approval')) return now;
    if (outcome.kind === 'fail' && outcome.reason === 'not-approved') {
      return fail(world, resource, now, outcome.reason);
    }
    now = change(world, resource, now, { kind: 'approved' });
  }
  if (held('pending-completion')) return now;
  const completion = outcome.kind === 'fail' ? fails(outcome.reason) : complete(world, resource, now);
  if (!completion.done) return fail(world, resource, now, completion.reason);
  return change(world, resource, now, { kind: 'completed' }, completion.changes);
}

function fail(world: World, resource: string, intent: StoredRecord, reason: string): StoredRecord {
  const failed = change(world, resource, intent, { kind: 'failed', reason });
  rulesOf(resource).failed?.(world, failed, reason);
  return failed;
}

function complete(world: World, resource: string, intent: StoredRecord): Completion {
  return rulesOf(resource).complete?.(world, intent) ?? completeByCatalogue(world, resource, intent);
}

/** Makes, changes, closes or cancels the resource that the catalogue says the intent is for. */
function completeByCatalogue(world: World, resource: string, intent: StoredRecord): Completion {
  const yields = rowOf(world.catalogue, resource)?.yields ?? null;
  if (yields === null) return done({});
  const idField = idFieldOf(yields.resource);
  const schema = recordSchemaOf(world.catalogue, yields.resource);
  if (yields.effect === 'create') {
    const created = world.records.insert(
      yields.resource,
      newFields(schema, { ...intent, status: undefined, customer_id: world.customerId }),
    );
    return done({ [idField]: created.id });
  }
  const target = world.records.get(yields.resource, textOf(intent, idField));
  if (target === null) throw new Error(`${yields.resource} ${textOf(intent, idField)} is gone`);
  world.records.update(yields.resource, target.id, effectOn(world, resource, schema.shape, intent));
  return done({});
}

function effectOn(world: World, resource: string, shape: object, intent: StoredRecord): Fields {
  const effect = rowOf(world.catalogue, resource)?.yields?.effect;
  if (effect === 'close' || effect === 'cancel') {
    const times = Object.fromEntries([[`${effect}_time`, world.time()]]);
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
  world: World,
  resource: string,
  intent: StoredRecord,
  event: LifeEvent,
  more: Fields = {},
): StoredRecord {
  const life = live(lifeOf(intent), event, world.time());
  return world.records.update(resource, intent.id, { ...life, ...more });
}

function stageOf(intent: StoredRecord): Stage {
  return intent['life_cycle'] as Stage;
}

/** The store has them as `live` made them. */
function lifeOf(intent: StoredRecord): Life {
  const { life_cycle, result, fail_reason, confirm_time, approve_time, complete_time } = intent;
  return { life_cycle, result, fail_reason, confirm_time, approve_time, complete_time } as Life;
}
