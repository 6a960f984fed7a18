/** The configuration: what the settings table comes to as one schema, and each setting with its names and rule. */
import { z } from 'zod';
import { objectSchema, withValueAt } from './dotted-keys.ts';
import type { SettingRow } from './setting-row.ts';
import { settingsTable, type SettingsTable } from './settings-table.ts';

type Schemas = { [Key in keyof SettingsTable]: SettingsTable[Key]['schema'] };

/** Flags, environment and files end here; what passes is trusted inside. */
export const configurationSchema = objectSchema(
  Object.fromEntries(Object.entries(settingsTable).map(([key, { schema }]) => [key, schema])) as Schemas,
);
export type Configuration = z.infer<typeof configurationSchema>;
export const zvtSettingsSchema = configurationSchema.shape.zvt.unwrap();
export const updateSettingsSchema = configurationSchema.shape.updates.unwrap();
export type UpdateSettings = z.infer<typeof updateSettingsSchema>;
export type ZvtSettings = z.infer<typeof zvtSettingsSchema>;

export interface Setting {
  /** The setting's place in the configuration, with points: `zvt.password`. */
  key: string;
  /** `--zvt-password` */
  flag: string;
  /** `TILLBRIDGE_ZVT_PASSWORD`: the flag's name in capitals. */
  variable: string;
  /** What stands for the value in help: `DIGITS`. */
  argument: string;
  /** One sentence for help and docs. */
  meaning: string;
  secret: boolean;
  needed: boolean;
  appliesAtOnce: boolean;
  console: NonNullable<SettingRow['console']> | null;
  kind: 'text' | 'number' | 'boolean' | 'list';
  /** What a value must be: "a whole number from 0 to 65535". Follows "must be". */
  mustBe: string;
  /** The allowed words or numbers when there is a fixed list of them. */
  choices: (string | number)[] | null;
  /** The bounds of a number. */
  range: { minimum: number; maximum: number; whole: boolean } | null;
  /** Undefined: there is none, the setting must be made. */
  fallback: unknown;
}

/** Names the JSON file with settings; no setting itself. */
export const configFileFlag = '--config';
export const configFileVariable = 'TILLBRIDGE_CONFIG';

/** Every setting, in the order of the table. */
export const settings: Setting[] = Object.entries<SettingRow>(settingsTable).map(([key, row]) =>
  withRule(row.schema, factsOf(key, row)),
);

/** Secrets can also be in a file of their own, which a flag or a variable names. */
export const secretSettings = Object.entries<SettingRow>(settingsTable)
  .filter(([, { secret }]) => secret === true)
  .map(([key, row]) => {
    const facts = factsOf(key, row);
    return withRule(row.schema, {
      ...facts,
      /** As the key of a flag's value. */
      fileKey: `${facts.key}File`,
      fileFlag: `${facts.flag}-file`,
      fileVariable: `${facts.variable}_FILE`,
    });
  });

/** For files that leave this computer: those settings are undefined. */
export function withoutSecrets(configuration: Configuration): Configuration {
  return secretSettings.reduce((rest, { key }) => withValueAt(rest, key, undefined), configuration);
}

export function settingOf(key: string): Setting {
  const found = settings.find((setting) => setting.key === key);
  if (found === undefined) throw new Error(`There is no setting ${key}`);
  return found;
}

/** Whether a bridge that runs must start anew for changes of the settings `keys`. */
export function needRestart(keys: readonly string[]): boolean {
  return keys.some((key) => !settingOf(key).appliesAtOnce);
}

type Rule = Pick<Setting, 'mustBe' | 'choices' | 'range' | 'fallback'>;
type Facts = Omit<Setting, keyof Rule>;

function factsOf(key: string, row: SettingRow): Facts {
  return {
    key,
    flag: row.flag,
    variable: `TILLBRIDGE_${row.flag.slice('--'.length).replaceAll('-', '_').toUpperCase()}`,
    argument: row.argument,
    meaning: row.meaning,
    secret: row.secret === true,
    needed: row.needed === true,
    appliesAtOnce: row.appliesAtOnce === true,
    console: row.console ?? null,
    kind: kindOf(row.schema),
  };
}

/** The rule is worked out when it is asked for (`{ ...setting }` asks, too): a start without a mistake needs none. */
function withRule<F extends Facts>(schema: z.ZodType, facts: F): F & Rule {
  let known: Rule | null = null;
  const rule = () => (known ??= ruleOf(schema, facts.kind));
  return {
    ...facts,
    get mustBe() {
      return rule().mustBe;
    },
    get choices() {
      return rule().choices;
    },
    get range() {
      return rule().range;
    },
    get fallback() {
      return rule().fallback;
    },
  };
}

function kindOf(schema: unknown): Setting['kind'] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return kindOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return kindOf(schema.options[0]);
  if (schema instanceof z.ZodLiteral) return typeof schema.value === 'number' ? 'number' : 'text';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return schema instanceof z.ZodNumber ? 'number' : 'text';
}

interface JsonSchema {
  type?: string;
  anyOf?: JsonSchema[];
  enum?: (string | number)[];
  const?: string | number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

/** What a schema asks of a value, in words: so that messages, help and docs cannot say something else than the check. */
function ruleOf(zodSchema: z.ZodType, kind: Setting['kind']): Rule {
  const schema = z.toJSONSchema(zodSchema, { io: 'input' }) as JsonSchema;
  const alternatives = (schema.anyOf ?? [schema]).filter((alternative) => alternative.type !== 'null');
  const [first = schema] = alternatives;
  const constants = alternatives.flatMap((alternative) => alternative.const ?? []);
  const choices = first.enum ?? (constants.length > 0 ? constants : null);
  const range =
    kind === 'number' && choices === null
      ? {
          minimum: first.minimum ?? -Infinity,
          maximum: first.maximum ?? Infinity,
          whole: first.type === 'integer',
        }
      : null;
  return {
    mustBe: inWords({ kind, choices, range }, zodSchema),
    choices,
    range,
    fallback: schema.default,
  };
}

function inWords(
  { kind, choices, range }: Pick<Setting, 'kind' | 'choices' | 'range'>,
  schema: z.ZodType,
): string {
  if (choices !== null) return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`;
  if (kind === 'boolean') return 'true or false';
  if (range !== null)
    return `${range.whole ? 'a whole number' : 'a number'} from ${range.minimum} to ${range.maximum}`;
  if (kind === 'list') return `a list; each entry ${demandOf(schema, true) ?? 'must be text'}`;
  return demandOf(schema, false)?.replace(/^must be /, '') ?? 'text, not empty';
}

/** A setting with a form of its own is asked for it: what does its schema say of a value that can fit no form? */
function demandOf(schema: z.ZodType, isList: boolean): string | null {
  const fitsNoForm = '\u0000';
  const issues = schema.safeParse(isList ? [fitsNoForm] : fitsNoForm).error?.issues ?? [];
  return issues[0]?.message ?? null;
}
