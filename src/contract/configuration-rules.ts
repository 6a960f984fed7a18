/**
 * What `configurationSchema` asks of each setting, in words: for error messages, `--help` and the docs, so that they
 * cannot say something else than the check does.
 */
import { z } from 'zod';
import { configurationSchema } from './configuration.ts';

export interface SettingRule {
  /** The setting's place in the configuration, with points: `zvt.password`. */
  key: string;
  kind: 'text' | 'number' | 'boolean' | 'list';
  /** What a value must be: "a whole number from 0 to 65535". Follows "must be". */
  mustBe: string;
  /** The allowed words or numbers when there is a fixed list of them. */
  choices: (string | number)[] | null;
  /** Undefined: there is none, the setting must be made. */
  fallback: unknown;
}

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  enum?: (string | number)[];
  const?: string | number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

/** Every setting, in the order of the schema. */
export function settingRules(): SettingRule[] {
  return leaves(z.toJSONSchema(configurationSchema, { io: 'input' }) as JsonSchema, []);
}

function leaves(schema: JsonSchema, path: string[]): SettingRule[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, below]) => leaves(below, [...path, name]));
  }
  const alternatives = (schema.anyOf ?? [schema]).filter((alternative) => alternative.type !== 'null');
  const [first = schema] = alternatives;
  const constants = alternatives.flatMap((alternative) => alternative.const ?? []);
  const choices = first.enum ?? (constants.length > 0 ? constants : null);
  const kind =
    first.type === 'array'
      ? 'list'
      : first.type === 'boolean'
        ? 'boolean'
        : isNumeric(first)
          ? 'number'
          : 'text';
  return [
    { key: path.join('.'), kind, mustBe: inWords(first, choices, path), choices, fallback: schema.default },
  ];
}

function isNumeric(schema: JsonSchema): boolean {
  return schema.type === 'integer' || schema.type === 'number';
}

function inWords(schema: JsonSchema, choices: (string | number)[] | null, path: string[]): string {
  if (choices !== null) return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`;
  if (schema.type === 'boolean') return 'true or false';
  if (isNumeric(schema)) {
    const what = schema.type === 'integer' ? 'a whole number' : 'a number';
    return `${what} from ${schema.minimum ?? 'any'} to ${schema.maximum ?? 'any'}`;
  }
  if (schema.type === 'array') return `a list; each entry ${mustOf([...path, 0]) ?? 'must be text'}`;
  return mustOf(path)?.replace(/^must be /, '') ?? 'text, not empty';
}

/** A setting with a form of its own is asked for it: what does the schema say of a value that can fit no form? */
function mustOf(path: (string | number)[]): string | null {
  const fitsNoForm = '\u0000';
  const value = path
    .toReversed()
    .reduce<unknown>((below, name) => (name === 0 ? [below] : { [name]: below }), fitsNoForm);
  const issues = configurationSchema.safeParse(value).error?.issues ?? [];
  const issue = issues.find((candidate) => candidate.path.join('.') === path.join('.'));
  return issue?.message ?? null;
}
