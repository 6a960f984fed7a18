/** What the rules of the sandbox act on. */
import type { z } from 'zod';
import {
  apiVersions,
  idFieldOf,
  latestVersion,
  type ApiVersion,
  type Catalogue,
  type ResourceEntry,
} from '../catalogue/index.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { newFields } from './samples.ts';
import type { Database } from './store/database.ts';
import type { Ledger } from './store/ledger.ts';
import type { Fields, Records, StoredRecord } from './store/records.ts';

export interface SandboxContext {
  catalogue: Catalogue;
  database: Database;
  records: Records;
  ledger: Ledger;
  clock: Clock;
  chance: Chance;
  /** There is one customer: all clients see the same records. */
  customerId: string;
  /** The present as records have it, with an optional distance in milliseconds. */
  time(distanceMs?: number): string;
  /** Has something done to the record when the time has come, also after a restart. */
  due(resource: string, id: string, inMs: number): void;
}

export const customerId = '5a2d0c1e-0000-4000-8000-00000000c001';

/** The row of the latest version that has it. */
export function rowOf(catalogue: Catalogue, resource: string): ResourceEntry | null {
  const versions: ApiVersion[] = [latestVersion, ...apiVersions];
  for (const version of versions) {
    const table = catalogue.tables[version];
    const row = Object.hasOwn(table, resource) ? table[resource] : undefined;
    if (row !== undefined) return row;
  }
  return null;
}

export function recordSchemaOf(catalogue: Catalogue, resource: string): z.ZodObject {
  const row = rowOf(catalogue, resource);
  if (row === null) throw new Error(`the catalogue has no ${resource}`);
  return row.record;
}

export function resourcesOf(catalogue: Catalogue): string[] {
  return [...new Set(apiVersions.flatMap((version) => Object.keys(catalogue.tables[version])))];
}

/** "source_account_id" names an account: the longest resource whose name the field ends with. Null: none. */
export function resourceOfField(catalogue: Catalogue, field: string): string | null {
  const single = field.replace(/_ids$/, '_id');
  const fitting = resourcesOf(catalogue).filter((resource) => {
    const idField = idFieldOf(resource);
    return single === idField || single.endsWith(`_${idField}`);
  });
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** A field that must hold text. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`${name} is no text`);
  return value;
}

export function textOrNull(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
}

/** A new record of the customer. What `fields` does not say gets a sample value. */
export function insertNew(context: SandboxContext, resource: string, fields: Fields): StoredRecord {
  const schema = recordSchemaOf(context.catalogue, resource);
  return context.records.insert(resource, newFields(schema, { customer_id: context.customerId, ...fields }));
}
