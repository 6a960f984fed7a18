/**
 * What the office watches, and whom it tells: one JSON file.
 *
 *     {"rules": [{"name": "Doubts", "watch": "doubt", "minutes": 10}],
 *      "receivers": {"support": {"kind": "webhook", "url": "https://support.example/tills", "secret": {"file": "secret"}}}}
 *
 * All processes of one office have the same file.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { errorText } from '../../base/error-text.ts';
import { parseJson } from '../../base/parse-json.ts';
import { openingHoursSchema, type OpeningHours } from './opening-hours.ts';

const maxMinutes = 7 * 24 * 60;
const maxSilentMinutes = 24 * 60;
/** A bridge is heard every minute; one that is a moment late is not silent. */
const minSilentMinutes = 2;

function wholeNumber(from: number, to: number) {
  const mustBe = `must be a whole number from ${from} to ${to}`;
  return z.number(mustBe).int(mustBe).min(from, mustBe).max(to, mustBe);
}

const nameSchema = z
  .string('must be a name')
  .trim()
  .min(1, 'must be a name')
  .max(100, 'must have 100 characters at most');
/** Of a webhook: with fewer a signature could be forged by trying. */
const minSecretCharacters = 16;
const shopNames = z.array(z.string('must be the name of a shop').min(1).max(200)).min(1, 'must name a shop');

const forEachRule = {
  name: nameSchema,
  shops: z
    .union([z.literal('all'), shopNames], 'must be "all" or a list with the names of shops')
    .default('all'),
  /** Also what simulated terminals say. */
  simulated: z.boolean('must be true or false').default(false),
  /** Left out: every receiver of the file. */
  receivers: z.array(nameSchema, 'must be a list with the names of receivers').optional(),
};

const ruleSchema = z.discriminatedUnion(
  'watch',
  [
    /** An operation that has been in doubt for so long. */
    z.strictObject({
      watch: z.literal('doubt'),
      ...forEachRule,
      minutes: wholeNumber(0, maxMinutes).default(10),
    }),
    /** A bridge that has not been heard for so long, while its shop was open. */
    z.strictObject({
      watch: z.literal('silent'),
      ...forEachRule,
      minutes: wholeNumber(minSilentMinutes, maxSilentMinutes).default(10),
    }),
    /** A discrepancy that nobody has acknowledged for so long. */
    z.strictObject({
      watch: z.literal('discrepancy'),
      ...forEachRule,
      minutes: wholeNumber(0, maxMinutes).default(0),
    }),
    /** A journal that cannot be written, or is not as it was. */
    z.strictObject({ watch: z.literal('journal'), ...forEachRule }),
    /** A journal that does not come in for so long, although its bridge is heard. */
    z.strictObject({
      watch: z.literal('journal_lag'),
      ...forEachRule,
      minutes: wholeNumber(minSilentMinutes, maxMinutes).default(10),
    }),
    /** A closed batch whose money has not come, or not all of it. */
    z.strictObject({ watch: z.literal('deposit'), ...forEachRule }),
  ],
  'must be one of doubt, silent, discrepancy, journal, journal_lag, deposit',
);
export type AlarmRule = z.infer<typeof ruleSchema>;

const secretSchema = z.union(
  [
    z.strictObject({ file: z.string().min(1).max(1_000) }),
    z.strictObject({ variable: z.string().regex(/^[A-Za-z_]\w*$/) }),
  ],
  'must be {"file": "NAME OF A FILE"} or {"variable": "NAME"}: secrets do not stand in this file',
);
export type SecretPlace = z.infer<typeof secretSchema>;

const webhookSchema = z.strictObject({
  kind: z.literal('webhook'),
  url: z.url({ protocol: /^https?$/, error: 'must be an https or http address' }).max(2_000),
  secret: secretSchema,
});

const addressSchema = z.email('must be an e-mail address, such as "alarms@chain.example"');

const mailServerSchema = z
  .strictObject({
    host: z.string('must be the name of an SMTP server').min(1).max(255),
    port: wholeNumber(1, 65_535).optional(),
    /** `starttls`: TLS that the server is asked for, and without which nothing is sent. */
    tls: z
      .enum(['starttls', 'implicit', 'none'], 'must be one of starttls, implicit, none')
      .default('starttls'),
    user: z.string('must be a name').min(1).max(255).optional(),
    password: secretSchema.optional(),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ['password'],
    error: 'must be there when "user" is, and only then',
  })
  .refine(({ tls, password, host }) => tls !== 'none' || password === undefined || isLoopback(host), {
    path: ['tls'],
    error: 'must be starttls or implicit, because a password is sent',
  });

const emailSchema = z.strictObject({
  kind: z.literal('email'),
  from: addressSchema,
  to: z.array(addressSchema, 'must be a list of e-mail addresses').min(1, 'must name an address').max(50),
  server: mailServerSchema,
});

const defaultRules: z.input<typeof ruleSchema>[] = [
  { name: 'Doubts', watch: 'doubt' },
  { name: 'Silent bridges', watch: 'silent' },
  { name: 'Discrepancies', watch: 'discrepancy' },
  { name: 'Journals', watch: 'journal' },
  { name: 'Journals that lag', watch: 'journal_lag' },
  { name: 'Deposits', watch: 'deposit' },
];

const fileSchema = z
  .strictObject(
    {
      rules: z
        .array(ruleSchema, 'must be a list of rules')
        .max(100, 'must have 100 rules at most')
        .prefault(defaultRules),
      hours: z
        .strictObject(
          {
            /** Of the shops that are not named; left out: they are always open. */
            default: openingHoursSchema.optional(),
            shops: z.record(z.string(), openingHoursSchema, 'must be an object by shop').default({}),
          },
          { error: objectError },
        )
        .prefault({}),
      receivers: z
        .record(
          nameSchema,
          z.discriminatedUnion('kind', [webhookSchema, emailSchema], 'must be webhook or email'),
          'must be an object by name',
        )
        .default({}),
      /** What becomes due for a receiver within this time is one message. */
      groupSeconds: wholeNumber(0, 600).default(30),
      again: z
        .strictObject(
          {
            /** An alarm that comes back so soon after its end is the same one again, */
            withinMinutes: wholeNumber(0, maxMinutes).default(60),
            /** and told this often at most. */
            atMostEveryMinutes: wholeNumber(0, maxMinutes).default(30),
          },
          { error: objectError },
        )
        .prefault({}),
    },
    { error: objectError },
  )
  .check(({ value: { rules, receivers }, issues }) => {
    rules.forEach(({ name, receivers: named = [] }, at) => {
      if (rules.findIndex((other) => other.name === name) < at)
        issues.push(problem(name, ['rules', at, 'name'], `must be a name of its own: "${name}" is taken`));
      named.forEach((receiver, index) => {
        if (Object.hasOwn(receivers, receiver)) return;
        const known = Object.keys(receivers).join(', ') || 'there are none';
        const message = `must be one of the receivers of the file (${known})`;
        issues.push(problem(receiver, ['rules', at, 'receivers', index], message));
      });
    });
  });

function problem(input: unknown, path: PropertyKey[], message: string) {
  return { code: 'custom' as const, input, path, message };
}

/** Undefined leaves zod its own word, which tells of keys that are not known. */
function objectError({ code }: { code?: string }): string | undefined {
  return code === 'invalid_type' ? 'must be an object' : undefined;
}

export type Receiver =
  | { kind: 'webhook'; name: string; url: string; secret: string }
  | { kind: 'email'; name: string; from: string; to: string[]; server: MailServer };

export interface MailServer {
  host: string;
  port: number;
  tls: 'starttls' | 'implicit' | 'none';
  login: { user: string; password: string } | null;
}

export interface AlarmSettings {
  rules: AlarmRule[];
  receivers: Receiver[];
  groupMs: number;
  againWithinMs: number;
  againEveryMs: number;
  /** Null: always open. */
  hoursOf(shop: string): OpeningHours | null;
  /** The same for the same rules. */
  digest: string;
}

export type AlarmSettingsReading =
  | { ok: true; settings: AlarmSettings }
  | { ok: false; /** Sentences with place and way out. */ errors: string[] };

const defaultPorts = { starttls: 587, implicit: 465, none: 25 } as const;

/**
 * `text` of the file that is called `origin`. `secretOf` gives the secret that lies there, and throws an error for people
 * where there is none.
 */
export function readAlarmSettings(
  text: string,
  { origin, secretOf }: { origin: string; secretOf: (place: SecretPlace) => string },
): AlarmSettingsReading {
  const json = parseJson(text);
  if (!json.ok)
    return { ok: false, errors: [`${origin} is not JSON: see line ${json.line}, column ${json.column}.`] };
  const parsed = fileSchema.safeParse(json.value);
  if (!parsed.success) return { ok: false, errors: parsed.error.issues.flatMap(sentencesOf(origin)) };
  const errors: string[] = [];
  const secretAt = (place: SecretPlace, minCharacters: number, ...path: string[]) => {
    try {
      const secret = secretOf(place);
      if (secret.length >= minCharacters) return secret;
      throw new Error(`the secret there must have ${minCharacters} characters at least`);
    } catch (error) {
      errors.push(`${placeOf(path)} in ${origin}: ${errorText(error)}.`);
      return '';
    }
  };
  const receivers = Object.entries(parsed.data.receivers).map(([name, given]): Receiver => {
    if (given.kind === 'webhook') {
      const secret = secretAt(given.secret, minSecretCharacters, 'receivers', name, 'secret');
      return { ...given, name, secret };
    }
    const { host, tls, port = defaultPorts[tls], user, password } = given.server;
    const login =
      user === undefined || password === undefined
        ? null
        : { user, password: secretAt(password, 1, 'receivers', name, 'server', 'password') };
    return { ...given, name, server: { host, tls, port, login } };
  });
  if (errors.length > 0) return { ok: false, errors };
  const { rules, hours, groupSeconds, again } = parsed.data;
  const settings: AlarmSettings = {
    rules,
    receivers,
    groupMs: groupSeconds * 1_000,
    againWithinMs: again.withinMinutes * 60_000,
    againEveryMs: again.atMostEveryMinutes * 60_000,
    hoursOf: (shop) =>
      (Object.hasOwn(hours.shops, shop) ? hours.shops[shop] : undefined) ?? hours.default ?? null,
    // Without what opens doors: it lies in the database.
    digest: createHash('sha256')
      .update(JSON.stringify([rules, hours, groupSeconds, again, receivers.map(({ name }) => name)]))
      .digest('hex'),
  };
  return { ok: true, settings };
}

/** Without a file: the usual rules, seen on the page and by the command line, and nobody is told. */
export function defaultAlarmSettings(): AlarmSettings {
  const reading = readAlarmSettings('{}', {
    origin: 'nowhere',
    secretOf: () => '',
  });
  if (!reading.ok) throw new Error(reading.errors.join(' '));
  return reading.settings;
}

function sentencesOf(origin: string) {
  return (issue: z.core.$ZodIssue): string[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) =>
          `${placeOf([...issue.path, key])} in ${origin} is not known there: correct its name, or take it out.`,
      );
    const place = issue.path.length === 0 ? origin : `${placeOf(issue.path)} in ${origin}`;
    const what = issue.message.startsWith('must ') ? issue.message : `is not right: ${issue.message}`;
    return [`${place} ${what}.`];
  };
}

/** `"rules", entry 2, "minutes"`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' ? `entry ${key + 1}` : `"${String(key)}"`)).join(', ');
}

function isLoopback(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host);
}
