/**
 * How the money of all shops comes: the office's own `reconcile-rules.json`. A merchant is whoever's shops and accounts
 * belong together; of each it says what one shop's rules say (docs/reconcile.md), and which shops an acquirer pays.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { canonicalJson } from '../../bridge/journal/index.ts';
import { accountNumber, readRules, type Rules } from '../../reconcile/index.ts';

export interface Merchant {
  name: string;
  /** The batches of simulated terminals, and no others. */
  simulated: boolean;
  /** The names of its shops; null: all that no other merchant names. */
  shops: string[] | null;
  rules: Rules;
}

export interface DepositRules {
  merchants: Merchant[];
  /** The same for the same rules. */
  digest: string;
}

export type DepositRulesReading =
  | { ok: true; rules: DepositRules }
  /** Sentences with place and way out. */
  | { ok: false; errors: string[] };

const shopName = z.string('must be the name of a shop').min(1).max(200);
const fileSchema = z.strictObject(
  {
    merchants: z
      .array(
        z.looseObject({
          name: z.string('must be a name').trim().min(1, 'must be a name').max(100),
          shops: z.array(shopName, 'must be a list with the names of shops').min(1).max(20_000).optional(),
          simulated: z.boolean('must be true or false').default(false),
        }),
        'must be a list of merchants',
      )
      .max(20_000),
  },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with "merchants"' : undefined) },
);

/** `text` of the file that is called `origin`. */
export function readDepositRules(text: string, origin: string): DepositRulesReading {
  const json = parseJson(text);
  if (!json.ok)
    return { ok: false, errors: [`${origin} is not JSON: see line ${json.line}, column ${json.column}.`] };
  const read = readContent(json.value);
  if (read.ok) return read;
  return { ok: false, errors: read.errors.map((error) => `${origin}: ${error}`) };
}

/** What a file holds, or the database. */
export function readContent(content: unknown): DepositRulesReading {
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(
      ({ path, message }) => `${placeOf(path) || 'the file'}: ${message}`,
    );
    return { ok: false, errors };
  }
  const errors: string[] = [];
  const merchants: Merchant[] = [];
  for (const [at, { name, shops, simulated, ...rest }] of parsed.data.merchants.entries()) {
    const read = readRules(rest, 'shops');
    if (read.ok) merchants.push({ name, simulated, shops: shops ?? null, rules: read.rules });
    else errors.push(...read.errors.map((error) => `merchants[${at}].${error}`));
  }
  if (errors.length === 0) errors.push(...conflictsOf(merchants));
  if (errors.length > 0) return { ok: false, errors };
  const digest = createHash('sha256').update(canonicalJson(merchants)).digest('hex');
  return { ok: true, rules: { merchants, digest } };
}

/** Money belongs to one merchant, so nothing may belong to two. */
function conflictsOf(merchants: readonly Merchant[]): string[] {
  const errors: string[] = [];
  const names = new Map<string, number>();
  const shops = new Map<string, number>();
  const accounts = new Map<string, number>();
  for (const [at, { name, simulated, shops: own, rules }] of merchants.entries()) {
    const place = `merchants[${at}]`;
    if (names.has(name)) errors.push(`${place}.name: "${name}" is named twice`);
    names.set(name, at);
    const kind = simulated ? 'simulated ' : '';
    for (const shop of own ?? ['']) {
      const key = `${kind}${shop}`;
      const other = merchants[shops.get(key) ?? -1];
      if (other !== undefined && own === null)
        errors.push(
          `${place}: "${other.name}" has all shops that are not named, too: name the shops of one of them`,
        );
      else if (other !== undefined)
        errors.push(`${place}.shops: "${shop}" is a shop of "${other.name}" already`);
      shops.set(key, at);
    }
    for (const [index, { account, shops: paid = [] }] of rules.acquirers.entries()) {
      const acquirer = `${place}.acquirers[${index}]`;
      const other = accounts.get(accountNumber(account)) ?? at;
      if (other !== at)
        errors.push(
          `${acquirer}.account: ${account} is an account of "${merchants[other]?.name ?? ''}": ` +
            'an account belongs to one merchant, and shops that are paid to it are shops of that one',
        );
      accounts.set(accountNumber(account), other);
      const stranger = own === null ? undefined : paid.find((shop) => !own.includes(shop));
      if (stranger !== undefined) errors.push(`${acquirer}.shops: "${stranger}" is no shop of "${name}"`);
    }
  }
  return errors;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

/** Whose a shop is, of real terminals or simulated ones; null: no merchant has it. */
export function merchantOfShop(
  merchants: readonly Merchant[],
  shop: string,
  simulated: boolean,
): Merchant | null {
  const fitting = merchants.filter((merchant) => merchant.simulated === simulated);
  return (
    fitting.find(({ shops }) => shops?.includes(shop)) ?? fitting.find(({ shops }) => shops === null) ?? null
  );
}
