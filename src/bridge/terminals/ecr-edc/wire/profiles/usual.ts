/** What most terminals have in common; a profile takes it over, and puts its own codes beside it. */
import type { EdcProfileData } from './profile.ts';

/**
 * TO and EN tell of a host that was asked and not heard: the payment may have been booked. Every code that is not here
 * is the host's own, passed on, and no approval.
 */
export const usualResponses: EdcProfileData['responses'] = {
  '00': { verdict: 'approved', text: 'Approved' },
  '01': { verdict: 'declined', text: 'Call the bank' },
  '02': { verdict: 'declined', text: 'Invalid request' },
  '03': { verdict: 'declined', text: 'Invalid amount' },
  CN: { verdict: 'cancelled', text: 'Cancelled at the terminal' },
  DI: { verdict: 'declined', text: 'This invoice number is used already' },
  ED: { verdict: 'declined', text: 'The terminal does not know the bank’s host' },
  EN: { verdict: 'undecided', text: 'Network or entry error' },
  NA: { verdict: 'declined', text: 'Not available on this terminal' },
  NB: { verdict: 'nothing_to_do', text: 'There are no payments in the batch' },
  ND: { verdict: 'declined', text: 'Declined' },
  RB: { verdict: 'declined', text: 'Rejected by the terminal' },
  TO: { verdict: 'undecided', text: 'The bank did not answer in time' },
  UC: { verdict: 'cancelled', text: 'Cancelled at the terminal' },
  XC: { verdict: 'cancelled', text: 'Cancelled at the terminal' },
  '\0\0': { verdict: 'cancelled', text: 'Cancelled at the terminal' },
};

export const usualTimes = { ackTimeoutMs: 3_000, tries: 3, responseTimeoutMs: 180_000 };
