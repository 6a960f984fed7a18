/**
 * An acquirer of the sandbox's own, which pays for the batches that a shop has closed, as agreed or with a mistake: for
 * trials of whatever looks whether money has arrived.
 */
import { z } from 'zod';
import { formats, latestVersion, sandboxProbePath, type Operation } from '../catalogue/index.ts';
import { checkedBody } from './checks.ts';
import { fractionOf, minorOf, readAmount } from './money.ts';
import { RequestError, unusable, wrongField } from './request-error.ts';
import { isUsable } from './rules/accounts.ts';
import { move } from './rules/books.ts';
import { textOf, type SandboxContext } from './sandbox-context.ts';
import type { StoredRecord } from './store/records.ts';

const { currencyCode, optional, remark, signedAmount, uuid } = formats;

export const settlementsPath = `${sandboxProbePath}/settlements`;

const mistakes = ['short', 'doubled', 'late', 'reversed'] as const;

/** The fee is kept back; that of each batch is rounded by itself, a half away from zero. */
export const settlementRequestSchema = z.object({
  account_id: uuid,
  /** Paid in one credit. */
  batches: z
    .array(
      z.object({
        amount: signedAmount,
        /** What the remark calls it; without one it names none. */
        number: optional(z.string().min(1).max(20)),
      }),
    )
    .min(1)
    .max(31),
  /** Of the batches; when given, the account's must be the same. */
  currency_code: optional(currencyCode),
  fee_percent: optional(z.string().regex(/^\d{1,2}(\.\d{1,4})?$/, 'must be per cent, as "0.95"')),
  /** Weekdays from now on; 0: now. It is booked at once, with that time. */
  days: optional(z.number().int().min(0).max(60)),
  /** What the remark begins with. */
  remark: optional(remark.min(1).max(100)),
  /**
   * `short`: a tenth is missing. `doubled`: paid twice. `late`: a week later. `reversed`: taken back on the next weekday.
   */
  mistake: optional(z.enum(mistakes)),
});

const bookingSchema = z.object({
  id: z.string(),
  debit_credit_indicator: z.string(),
  amount: z.string(),
  currency_code: z.string(),
  post_time: z.string(),
  remark: z.string(),
});
export const settlementSchema = z.object({ transactions: z.array(bookingSchema) });

/** For a client, which sends it to nothing but a sandbox: the document knows no such thing. */
export const settlementOperation: Operation = {
  id: 'sandbox.settle',
  title: 'Have the sandbox’s acquirer pay',
  version: latestVersion,
  resource: 'settlement',
  plural: 'settlements',
  member: 'settlements',
  area: 'simulator',
  action: 'settle',
  clientMethod: 'settle',
  kind: 'create',
  method: 'POST',
  path: settlementsPath,
  pathParameters: [],
  segment: null,
  query: null,
  headers: [],
  request: settlementRequestSchema,
  response: settlementSchema,
  record: settlementSchema,
  scope: 'sandbox:settle',
  needsIfMatch: false,
  assumed: true,
  assumptions: ['operation'],
  yields: null,
};

const defaultRemark = 'ACME SETTLEMENT';
const lateWeekdays = 5;
const dayMs = 86_400_000;

const acquirerAccount = {
  type: 'bank-account',
  detail: {
    bank_identifier_code: 'SANDDEFFXXX',
    bank_account_number: 'DE00000000000000000000',
    bank_account_name: 'Sandbox acquirer',
  },
};

/** Throws RequestError. */
export function settle(context: SandboxContext, body: unknown): z.output<typeof settlementSchema> {
  const request = checkedBody(settlementRequestSchema, body);
  const account = context.records.get('account', request.account_id);
  if (account === null) throw wrongField('account_id', 'there is no such account');
  if (!isUsable(account))
    throw new RequestError('state_conflict', 'The account takes no money: it is not active.');
  const currency = textOf(account, 'currency_code');
  if ((request.currency_code ?? currency) !== currency)
    throw wrongField('currency_code', `the account is in ${currency}`);
  const whole = request.batches.reduce(
    (sum, { amount }, place) => sum + netOf(amount, currency, request.fee_percent ?? '0', place),
    0n,
  );
  const net = request.mistake === 'short' ? whole - whole / 10n : whole;
  if (net === 0n) throw unusable('batches', 'they come to nothing');

  const numbers = request.batches.flatMap(({ number }) => number ?? []);
  const words = [
    request.remark ?? defaultRemark,
    ...(numbers.length === 0 ? [] : [`BATCH ${numbers.join(', ')}`]),
  ];
  const text = words.join(' ');
  const days = (request.days ?? 0) + (request.mistake === 'late' ? lateWeekdays : 0);
  const book = (minor: bigint, said: string, weekdays: number) =>
    bookOn(context, account, {
      minor,
      currencyCode: currency,
      remark: said,
      time: afterWeekdays(context, weekdays),
    });
  const booked = [book(net, text, days)];
  if (request.mistake === 'doubled') booked.push(book(net, text, days));
  if (request.mistake === 'reversed') booked.push(book(-net, `REVERSAL ${text}`, days + 1));
  return { transactions: booked.map((transaction) => bookingSchema.parse(transaction)) };
}

function netOf(amount: string, currencyCode: string, percent: string, place: number): bigint {
  const read = readAmount(amount.replace('-', ''), currencyCode);
  if (!read.ok) throw wrongField(`batches.${place}.amount`, read.why);
  const gross = minorOf(amount.replace('-', ''), currencyCode);
  const { numerator, denominator } = fractionOf(percent);
  const hundred = 100n * denominator;
  const fee = (gross * numerator * 2n + hundred) / (2n * hundred);
  return amount.startsWith('-') ? fee - gross : gross - fee;
}

interface Booking {
  /** Below zero: it is taken from the account. */
  minor: bigint;
  currencyCode: string;
  remark: string;
  time: string;
}

function bookOn(
  context: SandboxContext,
  account: StoredRecord,
  { minor, currencyCode, remark: said, time }: Booking,
): StoredRecord {
  const movement =
    minor > 0n
      ? { from: 'outside' as const, to: { account }, minor, currencyCode }
      : { from: { account }, to: 'outside' as const, minor: -minor, currencyCode };
  const story = { type: 'incoming-transfer', remark: said, externalAccount: acquirerAccount, time };
  const booked = move(context, [movement], story).get(account.id);
  if (booked === undefined) throw new Error('a movement without a transaction');
  return booked;
}

/** Monday to Friday, in UTC. */
function afterWeekdays({ clock }: SandboxContext, count: number): string {
  let at = clock.now();
  for (let left = count; left > 0;) {
    at += dayMs;
    if (![0, 6].includes(new Date(at).getUTCDay())) left -= 1;
  }
  return new Date(at).toISOString();
}
