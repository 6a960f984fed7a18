import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  apiVersions,
  catalogue,
  latestVersion,
  documentedValuesOf,
  sourceOf,
  type ApiVersion,
  type Operation,
} from '../../../src/remote/catalogue/index.ts';
import {
  earlierReads,
  endpoints,
  furtherOperations,
  intentFamilies,
  latest,
  resources,
  seenValues,
  shownAnswer,
  shownRequests,
  shownScope,
  versions,
  type FieldTable,
} from './document.ts';
import { fieldsOf, typeOf } from './walk-schema.ts';

const everyOperation = apiVersions.flatMap((version) => catalogue.operations(version));
const kebab = (words: string) => words.replaceAll(' ', '-');
const keyOf = (operation: Operation) => `${operation.version} ${operation.id}`;
/** The document's "deprecated" list is assumed to be of this version. */
const versionOf = (word: string) => (word === 'deprecated' ? 'v20250212' : word);

/** Each operation that the document names, in words or in a table. */
const named = new Set([
  ...Object.values(resources)
    .flat()
    .flatMap((words) => ['retrieve', 'list'].map((action) => `${latest} ${kebab(words)}.${action}`)),
  ...Object.values(intentFamilies)
    .flat()
    .flatMap((words) =>
      ['create', 'confirm', 'retrieve', 'list'].map((action) => `${latest} ${kebab(words)}-intent.${action}`),
    ),
  ...furtherOperations.map(([version, resource, action]) => `${version} ${resource}.${action}`),
  ...endpoints.map(({ version, id }) => `${versionOf(version)} ${id}`),
  ...earlierReads.flatMap((words) =>
    ['retrieve', 'list'].map((action) => `earlier ${kebab(words)}.${action}`),
  ),
]);

describe('what the document names', () => {
  it('are the versions', () => {
    expect([...apiVersions]).toEqual(versions);
    expect(latestVersion).toBe(latest);
  });

  it.each(Object.entries({ ...resources }))('are the %s resources', (area, words) => {
    for (const word of words) expect(catalogue.tables.v20260326).toHaveProperty([kebab(word), 'area'], area);
  });

  it.each(Object.entries(intentFamilies))('are the %s intent families', (area, words) => {
    const table = catalogue.tables.v20260326;
    for (const word of words) expect(table).toHaveProperty([`${kebab(word)}-intent`, 'area'], area);
    const inArea = Object.entries(table).filter(
      ([name, row]) => row.area === area && name.endsWith('-intent'),
    );
    expect(inArea).toHaveLength(words.length);
  });

  it('are operations that are all there', () => {
    const there = new Set(everyOperation.map(keyOf));
    for (const key of named) {
      const [version, id] = key.split(' ');
      if (version === 'earlier')
        expect(there.has(`v20250225 ${id}`) || there.has(`v20250212 ${id}`), key).toBe(true);
      else expect(there, key).toContain(key);
    }
  });

  it.each(everyOperation.map((operation) => [keyOf(operation), operation] as const))(
    'and nothing more, or it is marked: %s',
    (key, operation) => {
      const inEarlier = operation.version !== latest && named.has(`earlier ${operation.id}`);
      expect(operation.assumptions.includes('operation')).toBe(!named.has(key) && !inEarlier);
      const row = endpoints.find(({ version, id }) => `${versionOf(version)} ${id}` === key);
      expect(operation.assumptions.includes('version')).toBe(
        row === undefined ? inEarlier : row.version === 'deprecated',
      );
    },
  );
});

describe('each operation beside its row in the document', () => {
  it.each(everyOperation.map((operation) => [keyOf(operation), operation] as const))(
    '%s',
    (key, operation) => {
      const row = endpoints.find(({ version, id }) => `${versionOf(version)} ${id}` === key);
      const { assumptions } = operation;
      expect(assumptions.includes('method')).toBe(row === undefined);
      expect(assumptions.includes('path')).toBe((row?.path ?? null) === null);
      if (row !== undefined) expect(operation.method).toBe(row.method);
      if (row !== undefined && row.path !== null) expect(operation.path).toBe(row.path);
      expect(operation.request === null || row?.request !== 'none').toBe(true);
      if (operation.request !== null)
        expect(assumptions.includes('request')).toBe(row?.request !== 'documented');
      expect(assumptions.includes('response')).toBe(row?.response !== 'documented');
      if (operation.kind === 'list') expect(assumptions.includes('query')).toBe(row?.query === undefined);
      if (row?.query !== undefined)
        expect(Object.keys(operation.query?.shape ?? {}).sort()).toEqual(row.query.toSorted());
      expect(operation.assumed).toBe(
        row === undefined ||
          row.path === null ||
          (operation.method !== 'GET' && row.request !== 'documented'),
      );
      const scopeShown = operation.id === shownScope.operation;
      expect(assumptions.includes('scope')).toBe(!scopeShown);
      if (scopeShown) expect(operation.scope).toBe(shownScope.scope);
      expect(operation.scope).toMatch(new RegExp(`^${operation.resource}:[a-z]+$`));
    },
  );

  it('those that may go to a real service are these six', () => {
    expect(everyOperation.filter(({ assumed }) => !assumed).map(keyOf)).toEqual([
      'v20260326 account-holder-creation-intent.create',
      'v20260326 verification-creation-intent.set-share-token',
      'v20250225 virtual-account-creation-intent.update-travel-rule',
      'v20250225 clearing-entry-execution-intent.update-transfers',
      'v20250212 transaction.list',
      'v20250212 virtual-account.list',
    ]);
  });

  it('paths are kebab case, unique with their method, and hold the parameters that they name', () => {
    for (const version of apiVersions) {
      const lines = catalogue.operations(version).map(({ method, path }) => `${method} ${path}`);
      expect(new Set(lines).size).toBe(lines.length);
    }
    for (const { path, pathParameters } of everyOperation) {
      expect(path).toMatch(/^(?:\/(?:[a-z]+(?:-[a-z]+)*|\{[a-z_]+\}))+$/);
      expect([...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)).toEqual(pathParameters);
    }
  });

  it('only the latest version carries If-Match, and there on every PATCH', () => {
    for (const operation of everyOperation) {
      const needed = operation.version === latest && operation.method === 'PATCH';
      expect(operation.needsIfMatch, keyOf(operation)).toBe(needed);
      expect(operation.assumptions.includes('if-match'), keyOf(operation)).toBe(operation.method === 'PATCH');
    }
  });
});

describe('fields', () => {
  function shownFields(schema: z.ZodType): FieldTable {
    return Object.fromEntries(
      fieldsOf(schema)
        .filter(({ schema, parentDocumented }) => parentDocumented && sourceOf(schema) === 'documented')
        .map(({ path, schema }) => [path, typeOf(schema)]),
    );
  }

  it.each(everyOperation.map((operation) => [keyOf(operation), operation] as const))(
    'of %s are marked documented where the document shows them, with its types, and nowhere else',
    (key, operation) => {
      expect(shownFields(operation.record)).toEqual(shownAnswer(operation.version, operation.id));
      if (operation.request !== null)
        expect(shownFields(operation.request)).toEqual(shownRequests[key] ?? {});
      if (operation.query !== null) {
        const row = endpoints.find(({ version, id }) => `${versionOf(version)} ${id}` === key);
        // The parameters of the deprecated list are taken over for the same list of the version after it.
        const query =
          key === 'v20250225 transaction.list'
            ? Object.keys(shownFields(operation.query))
            : (row?.query ?? []);
        expect(Object.keys(shownFields(operation.query)).sort()).toEqual(query.toSorted());
      }
    },
  );

  it('all carry one of the two marks', () => {
    for (const operation of everyOperation) {
      for (const schema of [operation.record, operation.request, operation.query]) {
        for (const field of schema === null ? [] : fieldsOf(schema)) {
          expect(sourceOf(field.schema), `${keyOf(operation)} ${field.path}`).not.toBeNull();
        }
      }
    }
  });

  it('every record has what the conventions give all', () => {
    for (const version of apiVersions) {
      for (const [name, row] of Object.entries(catalogue.tables[version])) {
        expect(Object.keys(row.record.shape), `${version} ${name}`).toEqual(
          expect.arrayContaining(['id', 'create_time', 'update_time', 'token', 'etag']),
        );
      }
    }
  });

  it('every intent names what it yields, and that there is', () => {
    for (const version of apiVersions) {
      const known = { ...catalogue.tables.v20260326, ...catalogue.tables[version] };
      for (const [name, row] of Object.entries(catalogue.tables[version])) {
        expect(row.yields !== null, name).toBe(name.endsWith('-intent') || row.area === 'simulator');
        if (row.yields === null) continue;
        expect(known).toHaveProperty([row.yields.resource]);
        if (row.area === 'simulator') continue;
        expect(row.record.shape).toHaveProperty(`${row.yields.resource.replaceAll('-', '_')}_id`);
      }
    }
  });

  it.each(seenValues)('%s %s.%s knows the values that were seen', (version, resource, field, values) => {
    const table = catalogue.tables[version as ApiVersion] as Record<string, { record: z.ZodObject }>;
    const schema = table[resource]?.record.shape[field] as z.ZodType;
    expect([...documentedValuesOf(schema)].sort()).toEqual(values.toSorted());
  });
});
