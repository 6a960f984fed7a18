/** From the rows of a table to its operations: method, path, parameters, scope. */
import { z } from 'zod';
import type {
  Area,
  Assumption,
  IntentEffect,
  OperationEntry,
  OperationKind,
  ResourceTable,
} from './entries.ts';
import { camelOf, idFieldOf, pluralOf, wordsOf } from './names.ts';
import { versionHeader, type ApiVersion } from './versions.ts';

export type Method = 'GET' | 'POST' | 'PATCH';

export interface Operation {
  /** `<resource>.<action>`: "account-holder-creation-intent.confirm". Unique in its version. */
  id: string;
  /** A sentence without its full stop: "Confirm an account holder creation intent". */
  title: string;
  version: ApiVersion;
  /** Singular and plural: "account-holder", "account-holders"; as a client's member: "accountHolders". */
  resource: string;
  plural: string;
  member: string;
  area: Area;
  /** "set-share-token", and as a client's method "setShareToken". */
  action: string;
  clientMethod: string;
  kind: OperationKind;
  method: Method;
  /** Below the base address, which ends with /v1: "/account-holders/{account_holder_id}". */
  path: string;
  /** The names between the braces, in their order. */
  pathParameters: readonly string[];
  /** The last part of the path when it is no id and no collection: "confirm", "share-token". */
  segment: string | null;
  /** Null: the operation takes no query parameters. */
  query: z.ZodObject | null;
  /** Names of the headers beside Authorization and Content-Type. */
  headers: readonly string[];
  /** Null: the request has no body. */
  request: z.ZodObject | null;
  /** Of the whole body; a list's is an array. */
  response: z.ZodType;
  /** Of one record. */
  record: z.ZodType;
  /** `<resource>:<action>`. */
  scope: string;
  needsIfMatch: boolean;
  /** The address, the method or the body is assumed, not documented: not to be sent to anything but a sandbox. */
  assumed: boolean;
  /** Everything about it that is assumed. */
  assumptions: readonly Assumption[];
  yields: { resource: string; effect: IntentEffect } | null;
}

const methods: Record<OperationKind, Method> = {
  create: 'POST',
  step: 'PATCH',
  retrieve: 'GET',
  list: 'GET',
};

/** A guess at one of these is a request that the real service may take for something else. */
const guesses: readonly Assumption[] = ['operation', 'method', 'path', 'request'];

export function operationsOf(version: ApiVersion, table: ResourceTable): Operation[] {
  return Object.entries(table).flatMap(([resource, row]) => {
    const plural = pluralOf(resource);
    const collection = row.path ?? `/${plural}`;
    const idField = idFieldOf(resource);
    return Object.entries(row.operations).map(([action, operation]): Operation => {
      const ofRecord = operation.kind === 'step' || operation.kind === 'retrieve';
      const segment = operation.segment === null ? '' : `/${operation.segment}`;
      return {
        id: `${resource}.${action}`,
        title: titleOf(action, resource, plural),
        version,
        resource,
        plural,
        member: camelOf(plural),
        area: row.area,
        action,
        clientMethod: camelOf(action),
        kind: operation.kind,
        method: methods[operation.kind],
        path: `${collection}${ofRecord ? `/{${idField}}` : ''}${segment}`,
        pathParameters: ofRecord ? [idField] : [],
        segment: operation.segment,
        query: operation.query,
        headers: operation.needsIfMatch ? [versionHeader, 'if-match'] : [versionHeader],
        request: operation.request,
        response: operation.kind === 'list' ? z.array(operation.response) : operation.response,
        record: operation.response,
        scope: `${resource}:${operation.scopeAction}`,
        needsIfMatch: operation.needsIfMatch,
        assumed: isGuess(operation),
        assumptions: operation.assumptions,
        yields: row.yields,
      };
    });
  });
}

function isGuess(operation: OperationEntry): boolean {
  return operation.assumptions.some((assumption) => guesses.includes(assumption));
}

function titleOf(action: string, resource: string, plural: string): string {
  const [verb = action, ...object] = wordsOf(action).split(' ');
  const Verb = verb.charAt(0).toUpperCase() + verb.slice(1);
  if (action === 'list') return `List ${wordsOf(plural)}`;
  if (object.length > 0) return `${Verb} ${object.join(' ')} of ${withArticle(wordsOf(resource))}`;
  if (action === 'content') return `Download the content of ${withArticle(wordsOf(resource))}`;
  return `${Verb} ${withArticle(wordsOf(resource))}`;
}

function withArticle(words: string): string {
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
}
