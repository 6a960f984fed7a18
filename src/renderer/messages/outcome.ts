import type { LastEnded } from '../../contract/console/index.ts';

/** The key of the sentence that says what an operation's end means for the money. */
export const outcomeMeaning = {
  approved: 'statusMeaning.approved',
  declined: 'statusMeaning.declined',
  cancelled: 'statusMeaning.cancelled',
  failed: 'statusMeaning.failed',
  voided: 'statusMeaning.voided',
  not_voided: 'till.result.not_voided',
  closed: 'till.result.closed',
  not_closed: 'till.result.not_closed',
} as const satisfies Record<LastEnded['outcome'], string>;
