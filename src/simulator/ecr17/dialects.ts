/**
 * How ECR17 terminals differ, as data: what the documentation leaves open, and what real ones do. The code beside this file
 * asks it, and has no branch for any name. `docs/simulator.md` lists them.
 */
import { z } from 'zod';
import { lrcRanges } from '../../bridge/terminals/ecr17/wire/index.ts';

const dialectSchema = z.object({
  /** What its check bytes are taken of; a request in another range gets NAK. */
  lrc: z.enum(lrcRanges),
  /** The check bytes of ACK and NAK are taken in the same range; else they are 7A and 69. */
  answersInRange: z.boolean(),
  /** A request that does not name this very terminal gets NAK. */
  checksTerminalId: z.boolean(),
  /** It closes the connection when it has done what it was asked. */
  hangsUp: z.boolean(),
  /** Its ACK: before everything else, glued to an answer that comes at once, or only where there is no other answer. */
  ack: z.enum(['first', 'glued', 'left_out']),
  /** It tells what it waits for. */
  progress: z.boolean(),
  /** How it takes X: it answers it, answers it like P, or does not know it. */
  extended: z.enum(['answered', 'answered_plainly', 'refused']),
  /** Foreign cards pay in their own currency. */
  converts: z.boolean(),
  /** The zeros at the end of its answers are there. */
  reservedTail: z.boolean(),
  /** The totals name that of the bank, too. */
  hostTotal: z.boolean(),
  /** Where the card number stands: zeros and its last four digits, zeros alone, or stars and four digits. */
  cardNumber: z.enum(['last4', 'zeros', 'stars']),
  /** A refusal has a number of its own and is a result like any other, has none, or is no result that it tells again. */
  refusals: z.enum(['numbered', 'unnumbered', 'not_kept']),
  /** What is done without a till: a result in the short form, in the long one, or none. */
  ownOperations: z.enum(['plain', 'extended', 'not_kept']),
  /** A close uses up a number. */
  numberedClose: z.boolean(),
  /** It can leave the printing to the till. */
  printsOnTill: z.boolean(),
  /** Where tickets stand that go to the till. */
  tickets: z.enum(['behind_result', 'before_result']),
  /** To a command while it is busy. */
  whenBusy: z.enum(['nak', 'ignore']),
  /** It has a result to tell again when it is new. */
  hasFirstResult: z.boolean(),
  /** After a loss of power it tells the result before its last. */
  forgetsLast: z.boolean(),
});
export type Ecr17Dialect = z.infer<typeof dialectSchema>;

/** What the documentation says and a real terminal was seen to do, and the default. */
const strict: Ecr17Dialect = {
  lrc: 'stx+etx',
  answersInRange: false,
  checksTerminalId: false,
  hangsUp: false,
  ack: 'first',
  progress: true,
  extended: 'answered',
  converts: false,
  reservedTail: true,
  hostTotal: false,
  cardNumber: 'last4',
  refusals: 'numbered',
  ownOperations: 'plain',
  numberedClose: false,
  printsOnTill: true,
  tickets: 'behind_result',
  whenBusy: 'nak',
  hasFirstResult: true,
  forgetsLast: false,
};

export const ecr17Dialects = {
  strict,
  'lrc-etx': { ...strict, lrc: 'etx', answersInRange: true },
  'lrc-std': { ...strict, lrc: 'std', answersInRange: true },
  'lrc-stx': { ...strict, lrc: 'stx', answersInRange: true },
  'wants-its-id': { ...strict, checksTerminalId: true },
  'hangs-up': { ...strict, hangsUp: true },
  'glued-ack': { ...strict, ack: 'glued' },
  'no-ack': { ...strict, ack: 'left_out' },
  quiet: { ...strict, progress: false, whenBusy: 'ignore' },
  'plain-answers': { ...strict, extended: 'answered_plainly' },
  'no-extended': { ...strict, extended: 'refused' },
  converts: { ...strict, converts: true },
  'short-answers': { ...strict, reservedTail: false, cardNumber: 'zeros' },
  'host-totals': { ...strict, hostTotal: true, cardNumber: 'stars' },
  'refusals-without-number': { ...strict, refusals: 'unnumbered' },
  'refusals-forgotten': { ...strict, refusals: 'not_kept' },
  'keeps-own-sales': { ...strict, ownOperations: 'extended' },
  'forgets-own-sales': { ...strict, ownOperations: 'not_kept' },
  'numbered-close': { ...strict, numberedClose: true },
  'prints-itself': { ...strict, printsOnTill: false },
  'tickets-first': { ...strict, tickets: 'before_result' },
  'never-used': { ...strict, hasFirstResult: false },
  'forgets-the-last': { ...strict, forgetsLast: true },
} as const satisfies Record<string, Ecr17Dialect>;

export const ecr17DialectNames: readonly string[] = Object.keys(ecr17Dialects);
