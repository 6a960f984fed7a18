/**
 * What a row of the catalogue is. A row names its fields; `resource` and `intent` give it the operations that every
 * resource and every intent family has, so that nothing is written per row that the pattern gives.
 */
import { z } from 'zod';
import { uuid } from './formats.ts';
import { allAssumed, assumed } from './marks.ts';
import { idFieldOf, type IdField } from './names.ts';
import { listQuery, type ListQuery } from './queries.ts';
import { intentShape, recordShape } from './shapes.ts';

export type Area = 'treasury' | 'compliance' | 'storage' | 'simulator' | 'clearing';

/** What the document leaves open about an operation, and the catalogue assumes. */
export type Assumption =
  /** That it exists at all. */
  | 'operation'
  | 'version'
  | 'method'
  | 'path'
  | 'query'
  | 'request'
  | 'response'
  | 'scope'
  /** Whether, and with which value, the request carries If-Match. */
  | 'if-match';

/** create: POST to the collection; step: PATCH below a record; retrieve and list: GET. */
export type OperationKind = 'create' | 'step' | 'retrieve' | 'list';

export interface OperationEntry<
  Kind extends OperationKind = OperationKind,
  Request extends z.ZodObject | null = z.ZodObject | null,
  Query extends z.ZodObject | null = z.ZodObject | null,
  Response extends z.ZodType = z.ZodType,
  Assumed extends Assumption = Assumption,
> {
  kind: Kind;
  /** Below the record: `/<family>/{id}/<segment>`; null: the record or the collection itself. */
  segment: string | null;
  /** Null: the request has no body. */
  request: Request;
  query: Query;
  /** Of one record; a list answers an array of them. */
  response: Response;
  /** The action in the scope `<resource>:<action>`. */
  scopeAction: string;
  needsIfMatch: boolean;
  assumptions: readonly Assumed[];
}

export type OperationEntries = Record<string, OperationEntry>;

export interface ResourceEntry<
  Response extends z.ZodObject = z.ZodObject,
  Operations extends OperationEntries = OperationEntries,
> {
  area: Area;
  /** One sentence. */
  meaning: string;
  /** The collection's path below the base address; null: `/` and the plural of the name. */
  path: string | null;
  record: Response;
  operations: Operations;
  /** Of an intent: which resource it makes or changes, and how. */
  yields: { resource: string; effect: IntentEffect } | null;
}

export type IntentEffect = 'create' | 'update' | 'close' | 'cancel';

/** The rows of one version, by the singular name. */
export type ResourceTable = Record<string, ResourceEntry>;

/** No fields, no operations: what a row without them has. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type None = Record<never, never>;

type Flat<T> = { [Key in keyof T]: T[Key] };
type Over<Base, Top> = Flat<Omit<Base, keyof Top> & Top>;

/** `top`'s fields weigh more. */
function over<Base extends object, Top extends object>(base: Base, top: Top): Over<Base, Top> {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the compiler asks for it
  return { ...base, ...top } as unknown as Over<Base, Top>;
}

export type AssumptionsBy<Action extends string> = { [Each in Action]?: readonly Assumption[] };
/** What is assumed of one operation: as the row gives it, or else as usual. */
type AssumedOf<Given, Action extends string, Usual extends Assumption> = Given extends {
  [Each in Action]: readonly (infer Assumed extends Assumption)[];
}
  ? Assumed
  : Usual;

/** Which parts of an operation the document leaves open where it only names it: all but its existence. */
const undocumented = {
  create: ['method', 'path', 'request', 'response', 'scope'],
  confirm: ['method', 'path', 'request', 'response', 'scope', 'if-match'],
  retrieve: ['method', 'path', 'response', 'scope'],
  list: ['method', 'path', 'query', 'response', 'scope'],
} as const;
type UndocumentedOf<Given, Action extends keyof typeof undocumented> = AssumedOf<
  Given,
  Action,
  (typeof undocumented)[Action][number]
>;

const undocumentedStep = undocumented.confirm;

export type Reads<Response extends z.ZodObject, Filters extends z.ZodRawShape, Given = None> = {
  retrieve: OperationEntry<'retrieve', null, null, Response, UndocumentedOf<Given, 'retrieve'>>;
  list: OperationEntry<'list', null, ListQuery<Filters>, Response, UndocumentedOf<Given, 'list'>>;
};

/** Retrieve and list, as every resource has them. `decisions` of one or both may be given where the document shows more. */
export function reads<
  Response extends z.ZodObject,
  Filters extends z.ZodRawShape,
  const Given extends AssumptionsBy<'retrieve' | 'list'> = None,
>(record: Response, filters: Filters, given?: Given): Reads<Response, Filters, Given> {
  const assumptions = { ...undocumented, ...given };
  const common = { segment: null, request: null, response: record, scopeAction: 'read', needsIfMatch: false };
  return {
    retrieve: {
      ...common,
      kind: 'retrieve',
      query: null,
      assumptions: assumptions.retrieve as readonly UndocumentedOf<Given, 'retrieve'>[],
    },
    list: {
      ...common,
      kind: 'list',
      query: listQuery(filters, isAssumed(assumptions.list, 'query') ? 'assumed' : 'documented'),
      assumptions: assumptions.list as readonly UndocumentedOf<Given, 'list'>[],
    },
  };
}

function isAssumed(assumptions: readonly Assumption[], part: Assumption): boolean {
  return assumptions.includes(part);
}

/** The conventions' fields and the row's own; of a record that the document does not show. */
export function undocumentedRecord<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(over(allAssumed(recordShape), fields));
}

/** A resource that is read. `more` are operations beside retrieve and list, of the same record. */
export function resource<
  Fields extends z.ZodRawShape,
  Filters extends z.ZodRawShape,
  More extends OperationEntries = None,
  const Given extends AssumptionsBy<'retrieve' | 'list'> = None,
>(row: {
  area: Area;
  meaning: string;
  path?: string;
  fields: Fields;
  /** Query parameters of the list beside `token` and `count`. */
  filters: Filters;
  more?: More;
  assumptions?: Given;
}) {
  const record = undocumentedRecord(row.fields);
  return entry(
    row,
    record,
    over(reads(record, row.filters, row.assumptions), (row.more ?? {}) as More),
    null,
  );
}

/** In a record, what a request left out is null. */
type Echo<Shape extends z.ZodRawShape> = {
  [Key in keyof Shape]: Shape[Key] extends z.ZodOptional<infer Inner> ? Inner : Shape[Key];
};

function echo<Shape extends z.ZodRawShape>(shape: Shape): Echo<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      assumed((field instanceof z.ZodOptional ? field.unwrap() : field) as z.ZodType),
    ]),
  ) as unknown as Echo<Shape>;
}

export interface StepRow<Request extends z.ZodRawShape = z.ZodRawShape> {
  segment: string;
  request: Request;
  /** What the document leaves open; without it, all but that it is a PATCH. */
  assumptions?: readonly Assumption[];
}

type Steps<Rows extends Record<string, StepRow>, Response extends z.ZodObject> = {
  [Action in keyof Rows]: OperationEntry<
    'step',
    z.ZodObject<Rows[Action]['request']>,
    null,
    Response,
    AssumedOf<Rows[Action], 'assumptions', (typeof undocumentedStep)[number]>
  >;
};

/**
 * An intent family of the latest version: create, the steps, confirm, retrieve, list. The record holds the shared intent
 * fields, what the create request gave, the id of the resource that the intent yields, and `fields`, which weigh most.
 */
export function intent<
  Yields extends string,
  Request extends z.ZodRawShape,
  Fields extends z.ZodRawShape = None,
  Rows extends Record<string, StepRow> = None,
  const Given extends AssumptionsBy<keyof typeof undocumented> = None,
>(row: {
  area: Area;
  meaning: string;
  yields: Yields;
  effect: IntentEffect;
  /** The body of create. */
  request: Request;
  /** What the record has beside. */
  fields?: Fields;
  steps?: Rows;
  /** Whether the document shows the record's fields. */
  recordDocumented?: boolean;
  assumptions?: Given;
}) {
  const yielded = { [idFieldOf(row.yields)]: assumed(uuid.nullable()) } as unknown as {
    [Key in IdField<Yields>]: z.ZodNullable<typeof uuid>;
  };
  const shared = row.recordDocumented === true ? intentShape : allAssumed(intentShape);
  const record = z.object(over(over(over(shared, yielded), echo(row.request)), (row.fields ?? {}) as Fields));
  const steps = Object.fromEntries(
    Object.entries(row.steps ?? {}).map(([action, step]) => [
      action,
      {
        kind: 'step',
        segment: step.segment,
        request: z.object(step.request),
        query: null,
        response: record,
        scopeAction: 'update',
        needsIfMatch: true,
        assumptions: step.assumptions ?? undocumentedStep,
      } satisfies OperationEntry,
    ]),
  ) as unknown as Steps<Rows, typeof record>;
  const { create, confirm } = writes(z.object(row.request), record, row.assumptions);
  const operations = {
    create,
    ...steps,
    confirm,
    ...reads(record, { life_cycle: assumed(z.string()), result: assumed(z.string()) }, row.assumptions),
  };
  return entry(row, record, operations, { resource: row.yields, effect: row.effect });
}

/** Create and confirm of an intent, where the document does not show more. */
export function writes<
  Request extends z.ZodObject,
  Response extends z.ZodObject,
  const Given extends AssumptionsBy<'create' | 'confirm'> = None,
>(
  request: Request,
  record: Response,
  given?: Given,
): {
  create: OperationEntry<'create', Request, null, Response, UndocumentedOf<Given, 'create'>>;
  confirm: OperationEntry<'step', null, null, Response, UndocumentedOf<Given, 'confirm'>>;
} {
  const assumptions = { ...undocumented, ...given };
  return {
    create: {
      kind: 'create',
      segment: null,
      request,
      query: null,
      response: record,
      scopeAction: 'create',
      needsIfMatch: false,
      assumptions: assumptions.create as readonly UndocumentedOf<Given, 'create'>[],
    },
    confirm: {
      kind: 'step',
      segment: 'confirm',
      request: null,
      query: null,
      response: record,
      scopeAction: 'confirm',
      needsIfMatch: true,
      assumptions: assumptions.confirm as readonly UndocumentedOf<Given, 'confirm'>[],
    },
  };
}

function entry<Response extends z.ZodObject, Operations extends OperationEntries>(
  row: { area: Area; meaning: string; path?: string },
  record: Response,
  operations: Operations,
  yields: ResourceEntry['yields'],
): ResourceEntry<Response, Operations> {
  return { area: row.area, meaning: row.meaning, path: row.path ?? null, record, operations, yields };
}
