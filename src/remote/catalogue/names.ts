/** The forms of a resource's name: `account-holder` gives `account-holders`, `accountHolders`, `account_holder_id`. */

export type Plural<Name extends string> = Name extends `${infer Stem}y`
  ? `${Stem}ies`
  : Name extends `${string}s`
    ? `${Name}es`
    : `${Name}s`;

export type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type Snake<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}_${Snake<Tail>}`
  : Name;

export type IdField<Name extends string> = `${Snake<Name>}_id`;

export function pluralOf<Name extends string>(name: Name): Plural<Name> {
  const plural = name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}${name.endsWith('s') ? 'es' : 's'}`;
  return plural as Plural<Name>;
}

export function camelOf<Name extends string>(name: Name): Camel<Name> {
  return name.replace(/-(.)/g, (_whole, letter: string) => letter.toUpperCase()) as Camel<Name>;
}

/** The field and path parameter that holds the id of a record of this resource. */
export function idFieldOf<Name extends string>(name: Name): IdField<Name> {
  return `${name.replaceAll('-', '_')}_id` as IdField<Name>;
}

/** For sentences: "account holder". */
export function wordsOf(name: string): string {
  return name.replaceAll('-', ' ');
}
