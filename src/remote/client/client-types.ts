/** The client's members and methods, as types that follow from the tables. */
import type { z } from 'zod';
import type {
  ApiVersion,
  Assumption,
  Camel,
  latestVersion,
  Operation,
  OperationEntry,
  OperationEntries,
  Plural,
  ResourceTable,
  Tables,
} from '../catalogue/index.ts';
import type { CallArguments, CallOptions } from './call-context.ts';
import type { Page, RecordList } from './lists.ts';
import type { RemoteCall } from './remote-call.ts';
import type { WaitOptions } from './waiting.ts';

/**
 * A record as its caller saw it: a step changes that state of it, or none. The record itself will do. The etag is in its
 * quotes, as records carry it; `*` is any state.
 */
export interface SeenRecord {
  readonly id: string;
  readonly etag: string;
}
/** In earlier versions a step need not say which state it is for. */
export type RecordOrId = string | { readonly id: string; readonly etag?: string };

type Fits<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Gives<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

/** Where a query has a moment, a Date will do. */
type Moments<Query> = {
  [Name in keyof Query]: Name extends `${string}_time` ? Query[Name] | Date : Query[Name];
};

/**
 * What the interface's document does not show of an operation, so that it is assumed here: `never` where it shows all of
 * it. An operation whose `method`, `path` or `request` is assumed goes to nothing but a sandbox, unless the client was
 * made with `allowUndocumented`.
 */
export interface Sources<Assumed extends Assumption> {
  readonly assumed: readonly Assumed[];
}

type MethodOf<Entry extends OperationEntry, Target> = Entry['kind'] extends 'create'
  ? (body: Fits<Entry['request']>, options?: CallOptions) => RemoteCall<Gives<Entry['response']>>
  : Entry['kind'] extends 'list'
    ? (query?: Moments<Fits<Entry['query']>>, options?: CallOptions) => RecordList<Gives<Entry['response']>>
    : Entry['kind'] extends 'retrieve'
      ? null extends Entry['query']
        ? (id: string, options?: CallOptions) => RemoteCall<Gives<Entry['response']>>
        : (
            id: string,
            query: Moments<Fits<Entry['query']>>,
            options?: CallOptions,
          ) => RemoteCall<Gives<Entry['response']>>
      : null extends Entry['request']
        ? (record: Target, options?: CallOptions) => RemoteCall<Gives<Entry['response']>>
        : (
            record: Target,
            body: Fits<Entry['request']>,
            options?: CallOptions,
          ) => RemoteCall<Gives<Entry['response']>>;

type PageMethod<Operations extends OperationEntries> = Operations extends {
  list: infer List extends OperationEntry;
}
  ? {
      /** One page. Pass its `nextToken` as `token` for the next one. */
      page(
        query?: Moments<Fits<List['query']>>,
        options?: CallOptions,
      ): Promise<Page<Gives<List['response']>>>;
    }
  : unknown;

type WaitMethod<Operations extends OperationEntries> = Operations extends {
  retrieve: infer Retrieve extends OperationEntry;
}
  ? Gives<Retrieve['response']> extends { life_cycle: unknown }
    ? {
        /**
         * The intent once the service no longer moves it by itself: it has ended, or waits for its caller. Throws RemoteError
         * "timeout" when it is still on its way.
         */
        waitFor(
          record: string | { readonly id: string },
          options?: WaitOptions,
        ): Promise<Gives<Retrieve['response']>>;
      }
    : unknown
  : unknown;

export type ResourceClient<Operations extends OperationEntries, Target = SeenRecord> = {
  readonly [Action in keyof Operations & string as Camel<Action>]: MethodOf<Operations[Action], Target> &
    Sources<Operations[Action]['assumptions'][number]>;
} & PageMethod<Operations> &
  WaitMethod<Operations>;

export type VersionClient<Table extends ResourceTable, Target = SeenRecord> = {
  readonly [Name in keyof Table & string as Camel<Plural<Name>>]: ResourceClient<
    Table[Name]['operations'],
    Target
  >;
};

/** The latest version's resources directly, every version's below its name. */
export type RemoteClient<All extends Tables> = VersionClient<All[typeof latestVersion]> & {
  readonly [Version in ApiVersion]: VersionClient<
    All[Version],
    Version extends typeof latestVersion ? SeenRecord : RecordOrId
  >;
} & {
  /** Any operation of the catalogue, for callers that choose it as they run. Answers the body as it came. */
  call(operation: Operation, given?: CallArguments, options?: CallOptions): RemoteCall<unknown>;
  /** Every record of any list operation. */
  records(operation: Operation, given?: CallArguments, options?: CallOptions): RecordList<unknown>;
};
