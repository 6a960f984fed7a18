/** The table of scenarios: the last two digits of the amount in minor units choose what the terminal goes through. */

export type Scenario =
  | 'approved'
  /** The issuer says no (host code 05). */
  | 'declined'
  | 'cancelled_by_customer'
  /** The card cannot be read once; then approved. */
  | 'card_unreadable'
  /** Power is lost before the host is asked, and comes back: not charged. */
  | 'power_loss'
  /** Result sent, then the line is cut before it is acknowledged: the terminal reverses by itself. */
  | 'cut_before_acknowledgement'
  /** Result acknowledged and final, then the line is cut before the last message: charged. */
  | 'cut_after_acknowledgement'
  /** The host takes very long; can be aborted all that time. */
  | 'slow_host'
  /** Frames in pieces; on a serial line also garbage between frames, one bad checksum and one NAK; then approved. */
  | 'noise'
  /** Takes the command and then answers nothing at all for a while: not charged. */
  | 'silence';

const scenarios: Readonly<Record<number, Scenario>> = {
  1: 'declined',
  2: 'cancelled_by_customer',
  3: 'card_unreadable',
  4: 'power_loss',
  5: 'cut_before_acknowledgement',
  6: 'cut_after_acknowledgement',
  7: 'slow_host',
  8: 'noise',
  9: 'silence',
};

export function scenarioOf(amountMinor: number): Scenario {
  return scenarios[amountMinor % 100] ?? 'approved';
}
