/** Settings by dotted keys (`zvt.password`), and the objects that they stand for (`{ zvt: { password } }`). */
import { z } from 'zod';

type Head<Key> = Key extends `${infer First}.${string}` ? First : Key;
type Below<Flat, First extends string> = {
  [Key in keyof Flat as Key extends `${First}.${infer Rest}` ? Rest : never]: Flat[Key];
};
/** A shape by dotted keys as a shape of groups; a group that is left out counts as empty. */
export type GroupedShape<Flat> = {
  [First in Head<keyof Flat & string>]: First extends keyof Flat
    ? Flat[First]
    : GroupedShape<Below<Flat, First>> extends infer Shape extends z.core.$ZodShape
      ? z.ZodPrefault<z.ZodObject<Shape>>
      : never;
};

/** The schema of an object whose shape is given by dotted keys. */
export function objectSchema<Flat extends Record<string, z.ZodType>>(
  flat: Flat,
): z.ZodObject<GroupedShape<Flat> extends infer Shape extends z.core.$ZodShape ? Shape : never> {
  return grouped(Object.entries(flat)) as ReturnType<typeof objectSchema<Flat>>;
}

function grouped(flat: [string, z.ZodType][]): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  for (const [key, schema] of flat) {
    const [first = key, ...rest] = key.split('.');
    if (rest.length === 0) shape[first] = schema;
    else shape[first] ??= grouped(below(flat, first)).prefault({});
  }
  return z.object(shape);
}

function below(flat: [string, z.ZodType][], group: string): [string, z.ZodType][] {
  const start = `${group}.`;
  return flat.flatMap(([key, schema]) => (key.startsWith(start) ? [[key.slice(start.length), schema]] : []));
}

/** `[['zvt.password', x]]` becomes `{ zvt: { password: x } }`; entries without a value are left out. */
export function nested(entries: Iterable<[string, unknown]>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (value === undefined) continue;
    const names = key.split('.');
    const last = names.pop() ?? key;
    let group = root;
    for (const name of names) group = (group[name] ??= {}) as Record<string, unknown>;
    group[last] = value;
  }
  return root;
}

/** The value in `tree` at `key`; undefined where a group is missing. */
export function valueAt(tree: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((group, name) => (group as Record<string, unknown> | undefined)?.[name], tree);
}

/** A copy of `tree` with another value at `key`, whose group must be there. */
export function withValueAt<Tree extends object>(tree: Tree, key: string, value: unknown): Tree {
  const [first = key, ...rest] = key.split('.');
  const group = (tree as Record<string, unknown>)[first];
  return {
    ...tree,
    [first]: rest.length === 0 ? value : withValueAt(group as object, rest.join('.'), value),
  };
}
