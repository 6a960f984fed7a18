import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  catalogue,
  remoteErrorSchema,
  unknownsIn,
  type ApiVersion,
} from '../../../src/remote/catalogue/index.ts';
import {
  accountHolderCreationIntent,
  cms,
  originator,
  record,
  transaction,
  transfers,
  travelRule,
  travelRuleCustomer,
  verificationCreationIntent,
  virtualAccount,
} from './examples.ts';

function schemasOf(version: ApiVersion, resource: string, action: string) {
  const operation = catalogue.findOperation(version, resource, action);
  if (operation === null) throw new Error(`no ${version} ${resource} ${action}`);
  return operation;
}

const holder = schemasOf('v20260326', 'account-holder-creation-intent', 'create');
const verification = schemasOf('v20260326', 'verification-creation-intent', 'set-share-token');
const rule = schemasOf('v20250225', 'virtual-account-creation-intent', 'update-travel-rule');
const spread = schemasOf('v20250225', 'clearing-entry-execution-intent', 'update-transfers');

const tables: [name: string, schema: z.ZodType, example: object][] = [
  ['verification creation intent', verification.record, verificationCreationIntent],
  ['set share token', verification.request!, { share_token: 'st' }],
  ['account holder creation intent (cms)', holder.record, accountHolderCreationIntent],
  [
    'account holder creation intent (travel rule)',
    holder.record,
    { ...accountHolderCreationIntent, know_your_customer: travelRuleCustomer },
  ],
  ['create account holder creation intent (cms)', holder.request!, { know_your_customer: cms }],
  [
    'create account holder creation intent (travel rule)',
    holder.request!,
    { know_your_customer: travelRuleCustomer },
  ],
  ['travel rule record', rule.record, travelRule],
  ['update travel rule', rule.request!, originator],
  ['clearing entry execution transfers', spread.record, transfers],
  ['update transfers', spread.request!, transfers],
  ['virtual account', schemasOf('v20250212', 'virtual-account', 'list').record, virtualAccount],
  ['transaction', schemasOf('v20250212', 'transaction', 'list').record, transaction],
];

/** Shown as "string or null", and nowhere as required. */
const mayLack = ['dependent_locality', 'region'];

/** Each way to each value inside, at any depth. */
function placesIn(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return at.length === 0 ? below : [at, ...below];
}

function changed(
  example: object,
  place: (string | number)[],
  change: (holder: object, key: string | number) => void,
) {
  const copy = structuredClone(example);
  const holder = place
    .slice(0, -1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], copy);
  change(holder as object, place.at(-1)!);
  return copy;
}

describe.each(tables)('the field table of the %s', (_name, schema, example) => {
  it('has an example that fits, in which nothing is unknown', () => {
    expect(schema.safeParse(example).error).toBeUndefined();
    expect(unknownsIn(schema, example)).toEqual([]);
    expect(schema.parse(example)).toEqual(example);
  });

  it('takes no example that lacks a field, at any depth, unless it may be null and nobody says that it is required', () => {
    for (const place of placesIn(example)) {
      // Elements of an array, and what is in an object of which nothing is known, may lack.
      if (typeof place.at(-1) === 'number') continue;
      const lacking = changed(example, place, (holder, key) => Reflect.deleteProperty(holder, key));
      expect(schema.safeParse(lacking).success, place.join('.')).toBe(mayLack.includes(String(place.at(-1))));
    }
  });

  it.each([
    ['a number', 17.5],
    ['an object in an array', [[{}]]],
  ])('takes no example in which any value is %s', (_kind, wrong) => {
    for (const place of placesIn(example)) {
      const misfit = changed(example, place, (holder, key) => Reflect.set(holder, key, wrong));
      expect(schema.safeParse(misfit).success, place.join('.')).toBe(false);
    }
  });

  it('tells of a field that it does not know, wherever it is', () => {
    const placesOfObjects = placesIn({ root: example }).filter((place) => typeof place.at(-1) === 'string');
    for (const [, ...place] of placesOfObjects) {
      const last = place.at(-1);
      if (last === undefined || last === 'detail') continue;
      const foreign = changed(example, place, (holder) => Reflect.set(holder, 'favourite_colour', 'blue'));
      expect(
        unknownsIn(schema, foreign).map(({ path }) => path.split('.').at(-1)),
        place.join('.'),
      ).toEqual(['favourite_colour']);
    }
  });
});

describe('the conventions', () => {
  const schema = holder.record as z.ZodObject;
  const fits = (field: string, value: unknown) => (schema.shape[field] as z.ZodType).safeParse(value).success;

  it.each([
    ['id', record.id, true],
    ['id', '4711', false],
    ['create_time', '2026-03-26T08:15:30.1Z', true],
    ['create_time', '2026-03-26T08:15:30.123456789+00:00', true],
    ['create_time', '2026-03-26T08:15:30Z', false],
    ['create_time', '2026-03-26T08:15:30.1+02:00', false],
    ['create_time', '2026-02-30T08:15:30.1Z', false],
    ['create_time', '2026-03-26 08:15:30.1Z', false],
    ['confirm_time', null, true],
    ['etag', '"a"', true],
    ['etag', 'W/"a"', true],
    ['etag', 'a', false],
    ['etag', '"a', false],
    ['create_time', null, false],
  ])('%s %s: %s', (field, value, right) => {
    expect(fits(field, value)).toBe(right);
  });

  it.each([
    ['10.00', true],
    ['0.000000000000000001', true],
    ['0', false],
    ['0.00', false],
    ['-1', false],
    ['1e3', false],
    ['1,00', false],
    [10, false],
  ])('an amount %s: %s', (value, right) => {
    const create = schemasOf('v20260326', 'internal-transfer-creation-intent', 'create').request!;
    expect((create.shape['amount'] as z.ZodType).safeParse(value).success).toBe(right);
  });
});

describe('what is not known', () => {
  it('are values of a word whose list is open', () => {
    expect(unknownsIn(verification.record, { ...verificationCreationIntent, origin: 'inherited' })).toEqual([
      { kind: 'unknown-value', path: 'origin', value: 'inherited' },
    ]);
    expect(
      verification.record.safeParse({ ...verificationCreationIntent, origin: 'inherited' }).success,
    ).toBe(true);
  });

  it('are variants', () => {
    const value = { ...virtualAccount, external_account: { type: 'wallet', detail: {} } };
    const { record: schema } = schemasOf('v20250212', 'virtual-account', 'list');
    expect(unknownsIn(schema, value)).toEqual([
      { kind: 'unknown-value', path: 'external_account.type', value: 'wallet' },
    ]);
  });

  it('is a field that only the prototype has', () => {
    const value = JSON.parse('{"share_token":"st","constructor":1,"__proto__":2}') as unknown;
    expect(unknownsIn(verification.request!, value).map(({ path }) => path)).toEqual([
      'constructor',
      '__proto__',
    ]);
  });
});

it('an error has its form', () => {
  const error = { code: 'etag_mismatch', message: 'changed', request_id: 'r' };
  expect(remoteErrorSchema.safeParse(error).success).toBe(true);
  expect(remoteErrorSchema.safeParse({ ...error, code: 'oops' }).success).toBe(false);
});
