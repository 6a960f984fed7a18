/** What a shop knows of how its money comes: a file of the configuration. `docs/reconcile.md` explains each line. */
import { z } from 'zod';
import { currencySchema, type Currency } from '../contract/money.ts';
import { minorOf } from './amounts.ts';
import { dayOf } from './banking-days.ts';
import { readTemplate, templateForm } from './remarks.ts';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** So many shops may be looked at together, and so many acquirers may pay to them. */
const maxShops = 20_000;

const name = z.string().min(1).max(100);
/** What a remark, a sender or a code contains, without regard to case. */
const parts = z.array(z.string().trim().min(2, 'must have two characters or more').max(200)).max(50);
const scheme = z.string().regex(/^[a-z0-9_ -]{1,40}$/, 'must be a scheme as in the batches, such as "visa"');
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,4})?$/, 'must be per cent with at most four decimals, such as "0.95"');
const decimal = z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, 'must be an amount, such as "0.08"');

const feeRateSchema = z.strictObject({
  percent: percent.default('0'),
  /** For each payment, in the currency. */
  fixed: decimal.default('0'),
});
export type FeeRate = z.infer<typeof feeRateSchema>;

const acquirerFields = {
  name,
  /** The account that the money comes to, as the service names it (its id), or the IBAN of a bank's statements. */
  account: name,
  currency: currencySchema,
  /** Whose batches it pays, by the names of the terminals. Left out: all. */
  terminals: z.array(name).min(1).max(100).optional(),
  /** Which schemes of a batch. Left out: all that no other acquirer names. */
  schemes: z.array(scheme).min(1).max(50).optional(),
  /** An entry of the account is the acquirer's when one of these is in it. */
  entries: z
    .strictObject({ remark: parts.default([]), sender: parts.default([]), code: parts.default([]) })
    .refine(
      ({ remark, sender, code }) => remark.length + sender.length + code.length > 0,
      'must say at least one of remark, sender and code',
    ),
  /** How a remark names a batch. */
  names: z
    .array(
      z
        .string()
        .max(200)
        .refine((text) => readTemplate(text) !== null, templateForm),
    )
    .max(20)
    .default([]),
  /** A batch that is closed at this time or later counts as of the next day. */
  cutOff: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, such as "22:00"')
    .optional(),
  /** In banking days after the close: when the money usually is there, and from when on it is late. */
  delay: z
    .strictObject({ usual: z.number().int().min(0).max(60), latest: z.number().int().min(0).max(60) })
    .refine(({ usual, latest }) => usual <= latest, '"usual" must not be more than "latest"'),
  /** `net`: the fee is kept back. `gross`: it is billed apart. */
  payout: z.enum(['net', 'gross']),
  fee: z
    .strictObject({
      ...feeRateSchema.shape,
      schemes: z.record(scheme, feeRateSchema).default({}),
      /** How many minor units the acquirer's rounding may differ from ours, for each batch. */
      tolerance: z.number().int().min(0).max(5).default(0),
    })
    .prefault({}),
};

/** What one credit may pay: so many batches that follow each other, of one terminal or of all of them. */
const combinesFields = {
  batches: z.number().int().min(1).max(31).default(1),
  terminals: z.boolean().default(false),
};

function checkFee({ value: { fee, currency }, issues }: z.core.ParsePayload<FeeRules>): void {
  for (const [path, rate] of [[['fee'], fee] as const, ...Object.entries(fee.schemes).map(schemePath)]) {
    if (minorOf(rate.fixed, currency) !== null) continue;
    const message = `has more decimals than ${currency}: the fee of one payment must be whole in its smallest unit`;
    issues.push({ code: 'custom', input: rate.fixed, path: [...path, 'fixed'], message });
  }
}

const acquirerOfShop = z
  .strictObject({ ...acquirerFields, combines: z.strictObject(combinesFields).prefault({}) })
  .check(checkFee);

/** Where several shops are looked at together, an acquirer may pay some of them, and one credit may be for all of them. */
const acquirerOfShops = z
  .strictObject({
    ...acquirerFields,
    /** Whose batches it pays, by the names of the shops, and by the merchant's ids on the terminals. Left out: all. */
    shops: z.array(z.string().min(1).max(200)).min(1).max(maxShops).optional(),
    merchantIds: z.array(name).min(1).max(maxShops).optional(),
    combines: z.strictObject({ ...combinesFields, shops: z.boolean().default(false) }).prefault({}),
  })
  .check(checkFee);

export type Acquirer = z.infer<typeof acquirerOfShop> &
  Partial<Pick<z.infer<typeof acquirerOfShops>, 'shops' | 'merchantIds'>> & { combines: { shops?: boolean } };
interface FeeRules {
  fee: FeeRate & { schemes: Record<string, FeeRate> };
  currency: Currency;
}

function schemePath([named, rate]: [string, FeeRate]) {
  return [['fee', 'schemes', named], rate] as const;
}

function rulesOf<T extends z.ZodType<Acquirer>>(acquirer: T, maxAcquirers: number) {
  return z
    .strictObject({
      /** Where the shop is (IANA): what day it is when a batch is closed. */
      timeZone: z.string().refine(isTimeZone, 'must be a time zone, such as "Europe/Berlin"'),
      weekend: z.array(z.enum(weekdays)).max(6).default(['saturday', 'sunday']),
      holidays: z
        .strictObject({
          /** `t2`: those of the euro's payment system, which hold for euros when nothing is said. */
          calendar: z.enum(['t2', 'none']).optional(),
          days: z
            .array(z.string().refine((date) => dayOf(date) !== null, 'must be a date, such as "2026-12-24"'))
            .max(1_000)
            .default([]),
        })
        .prefault({}),
      acquirers: z.array(acquirer).min(1).max(maxAcquirers),
    })
    .superRefine(({ acquirers, holidays }, context) => {
      if (holidays.calendar === undefined && acquirers.some(({ currency }) => currency !== 'EUR')) {
        const message =
          'must be said where a currency is not EUR: "none", and the closing days of its banks as "days"';
        context.addIssue({ code: 'custom', path: ['holidays', 'calendar'], message });
      }
      acquirers.forEach((one, at) => {
        const other = acquirers
          .slice(0, at)
          .find((before) => before.name === one.name || payTheSame(before, one));
        if (other === undefined) return;
        const message =
          other.name === one.name
            ? `"${one.name}" is named twice`
            : `"${one.name}" and "${other.name}" pay the same: say ${isOfShops(one) ? 'which schemes, terminals, shops or merchant ids' : 'which schemes or terminals'} each of them pays`;
        context.addIssue({ code: 'custom', path: ['acquirers', at], message });
      });
    });
}

const rulesOfShop = rulesOf(acquirerOfShop, 50);
const rulesOfShops = rulesOf(acquirerOfShops, maxShops);
export type Rules = Omit<z.infer<typeof rulesOfShop>, 'acquirers'> & { acquirers: Acquirer[] };

function payTheSame(one: Acquirer, other: Acquirer): boolean {
  return (
    one.currency === other.currency &&
    meet(one.terminals, other.terminals) &&
    meet(one.shops, other.shops) &&
    meet(one.merchantIds, other.merchantIds) &&
    (one.schemes === undefined) === (other.schemes === undefined) &&
    meet(one.schemes, other.schemes)
  );
}

function isOfShops({ combines }: Acquirer): boolean {
  return combines.shops !== undefined;
}

/** Left out means all. */
function meet(some: readonly string[] | undefined, others: readonly string[] | undefined): boolean {
  return some === undefined || others === undefined || some.some((each) => others.includes(each));
}

export function weekendOf({ weekend }: Rules): number[] {
  return weekend.map((day) => weekdays.indexOf(day));
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

type RulesReading = { ok: true; rules: Rules } | { ok: false; errors: string[] };

/**
 * Checks what a file holds; sentences name the place: `acquirers[0].delay.usual: …`. `of`: of one shop, or of several that
 * are looked at together.
 */
export function readRules(content: unknown, of: 'shop' | 'shops' = 'shop'): RulesReading {
  const parsed = (of === 'shop' ? rulesOfShop : rulesOfShops).safeParse(content);
  if (parsed.success) return { ok: true, rules: parsed.data };
  return {
    ok: false,
    errors: parsed.error.issues.map(({ path, message }) => `${placeOf(path) || 'the file'}: ${message}`),
  };
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '');
}
