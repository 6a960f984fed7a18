/** What is said of money, in words for a line. */
import type { Evidence, MoneyState, UnclearReason } from '../reconcile/index.ts';

export const stateWords: Record<MoneyState, string> = {
  waiting: 'waiting',
  arrived: 'arrived',
  short: 'SHORT',
  over: 'OVER',
  late: 'LATE',
  unclear: 'unclear',
};

export const evidenceWords: Record<Evidence, string> = {
  number: 'by its number',
  amount: 'by the exact amount',
  net: 'by the amount minus the fee',
  sum: 'by the sum of several',
  person: 'as a person decided',
  'nothing-due': 'nothing was due',
};

export const reasonWords: Record<UnclearReason, string> = {
  'several-readings': 'something fits more than one',
  'remark-contradicts': 'remark and amount contradict each other',
  'taken-back': 'an entry of the opposite amount came after it',
  'unexplained-entries': 'overdue, and there are entries that nothing explains',
  'account-not-known': 'overdue, and not all entries of the account are known',
  'no-acquirer': 'no rule says who pays it',
  'no-totals': 'the terminal told no totals by scheme that add up',
  'fee-unknown': 'the fee cannot be told without count and totals by scheme',
  'decision-unusable': 'an entry in a person’s decision is missing, or is in another one too',
  'clock-wrong': 'the till’s clock was wrong, and it counts from the day on which it arrived',
};
