import type { Refetch } from '../../store/queries.ts';

/** Also with a batch: a window without a stream is told of batches only. */
export const refetchMoney: Refetch<unknown> = {
  isAbout: ({ kind }) => kind === 'money' || kind === 'batch',
  delayMs: 150,
  everyMs: 1_000,
};
