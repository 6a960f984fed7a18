/** Of one terminal the closed batches whose money has not been found, by why; what /metrics tells of them. */
export interface BatchesWithoutMoney {
  /** Its name. */
  terminal: string;
  state: 'waiting' | 'late' | 'unclear';
  count: number;
}
