/** The catalogue as a whole: one table for each version, and what follows from them. */
import type { ResourceTable } from './entries.ts';
import { operationsOf, type Operation } from './operations.ts';
import { complianceIntents } from './tables/compliance-intents.ts';
import { compliance } from './tables/compliance.ts';
import { simulator, storage } from './tables/storage.ts';
import { treasuryIntents } from './tables/treasury-intents.ts';
import { treasury } from './tables/treasury.ts';
import { v20250212 } from './tables/v20250212.ts';
import { v20250225 } from './tables/v20250225.ts';
import { apiVersions, type ApiVersion } from './versions.ts';

export type Tables = Record<ApiVersion, ResourceTable>;

export interface Catalogue<All extends Tables = Tables> {
  tables: All;
  /** In the order of the table. */
  operations(version: ApiVersion): readonly Operation[];
  /** By resource (singular or plural) and action, both in kebab case; null when there is none. */
  findOperation(version: ApiVersion, resource: string, action: string): Operation | null;
}

/** A row more is a resource more: operations, client, sandbox, OpenAPI and docs take it from here. */
export function createCatalogue<All extends Tables>(tables: All): Catalogue<All> {
  const operations = new Map<ApiVersion, readonly Operation[]>(
    apiVersions.map((version) => [version, operationsOf(version, tables[version])]),
  );
  const byName = new Map(
    [...operations.values()].flat().flatMap((operation) => [
      [keyOf(operation.version, operation.resource, operation.action), operation],
      [keyOf(operation.version, operation.plural, operation.action), operation],
    ]),
  );
  return {
    tables,
    operations: (version) => operations.get(version) ?? [],
    findOperation: (version, resource, action) => byName.get(keyOf(version, resource, action)) ?? null,
  };
}

function keyOf(version: string, resource: string, action: string): string {
  return `${version} ${resource} ${action}`;
}

/** By the names of its parts: written out, as they would be in the published types, they are a megabyte. */
type LatestTable = typeof treasury &
  typeof treasuryIntents &
  typeof compliance &
  typeof complianceIntents &
  typeof storage &
  typeof simulator;
interface AllTables {
  readonly v20260326: LatestTable;
  readonly v20250225: typeof v20250225;
  readonly v20250212: typeof v20250212;
}

export const tables: AllTables = {
  v20260326: {
    ...treasury,
    ...treasuryIntents,
    ...compliance,
    ...complianceIntents,
    ...storage,
    ...simulator,
  },
  v20250225,
  v20250212,
};

export const catalogue: Catalogue<AllTables> = createCatalogue(tables);
export const { operations, findOperation }: Catalogue<AllTables> = catalogue;
