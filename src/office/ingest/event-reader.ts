/**
 * How far this office reads what bridges write: which kinds of events and fields it knows, and what it makes of them. A
 * bridge may be some versions newer; what it says more is named here, so that it is told of and read again later.
 */
import { z } from 'zod';
import { journalEventSchema } from '../../contract/journal-events.ts';
import { factsOf } from './facts.ts';

export interface EventReader {
  factsOf: typeof factsOf;
  /** What of an event nobody here knows: "event TYPE", or "field TYPE.PATH" for each field. */
  unknownIn(event: Record<string, unknown>): string[];
  /** Whether one of those names is known by now. */
  knows(what: string): boolean;
}

/** The fields of a value, as far as they have names; null: it may have any. */
interface Known {
  fields: Map<string, Known | null>;
}

interface Schema {
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

/** A name that somebody else has made goes into messages. */
const maxNameCharacters = 80;
/** An event that has more is not read by anybody. */
const maxUnknown = 20;

/** Of each kind of event: `operation_started/sale`, or its type alone. */
const knownEvents = new Map<string, Known>();
for (const variant of variantsOf(z.toJSONSchema(journalEventSchema, { unrepresentable: 'any' }) as Schema)) {
  const { type, kind } = variant.properties ?? {};
  if (typeof type?.const !== 'string') throw new Error('An event has no type.');
  const isOperation = type.const === 'operation_started';
  knownEvents.set(isOperation ? `${type.const}/${String(kind?.const)}` : type.const, knownOf([variant]));
}

export const eventReader: EventReader = {
  factsOf,
  unknownIn(event) {
    const kind = kindOf(event);
    const known = knownEvents.get(kind);
    if (known === undefined) return [`event ${named(kind)}`];
    const found: string[] = [];
    collect(event, known, kind, found);
    return found;
  },
  knows(what) {
    const [, sort, name = ''] = /^(event|field) (.*)$/s.exec(what) ?? [];
    if (sort === 'event') return knownEvents.has(name);
    const [kind = '', ...path] = name.split('.');
    let known: Known | null | undefined = knownEvents.get(kind);
    for (const part of path) known = known?.fields.get(part);
    return sort === 'field' && known !== undefined;
  },
};

function kindOf(event: Record<string, unknown>): string {
  const type = String(event['type']);
  return type === 'operation_started' ? `${type}/${String(event['kind'])}` : type;
}

function collect(value: unknown, known: Known, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, known, path, found);
  } else if (typeof value === 'object' && value !== null) {
    // A parsed object has no names but its own, and a list of them would be made for nothing.
    for (const name in value) {
      if (found.length >= maxUnknown) return;
      const part: unknown = (value as Record<string, unknown>)[name];
      const next = known.fields.get(name);
      if (next === undefined) note(`field ${path}.${named(name)}`, found);
      else if (next !== null && typeof part === 'object') collect(part, next, `${path}.${name}`, found);
    }
  }
}

function note(what: string, found: string[]): void {
  if (!found.includes(what)) found.push(what);
}

function named(name: string): string {
  return name.replace(/[^\w/-]/g, '?').slice(0, maxNameCharacters);
}

function variantsOf(schema: Schema): Schema[] {
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  return parts.length === 0 ? [schema] : parts.flatMap(variantsOf);
}

/** The fields that a value may have that fits one of the schemas, and those of an array's items. */
function knownOf(schemas: readonly Schema[]): Known {
  const all = new Map<string, Schema[]>();
  const add = (schema: Schema) => {
    for (const variant of variantsOf(schema)) {
      for (const [name, part] of Object.entries(variant.properties ?? {}))
        all.set(name, [...(all.get(name) ?? []), part]);
      if (variant.items !== undefined) add(variant.items);
    }
  };
  for (const schema of schemas) add(schema);
  return {
    fields: new Map(
      [...all].map(([name, parts]) => {
        const known = knownOf(parts);
        return [name, known.fields.size === 0 ? null : known];
      }),
    ),
  };
}
