/** The channels between window and main process; there are no others. The preload has the same names. */
export const channels = {
  /** Window asks, with the question's name and the request; the reply comes back. */
  ask: 'tillbridge:ask',
  /** Window asks to save a file; comes back when it is saved, or not. */
  save: 'tillbridge:save',
  /** Main process tells the window of a change. */
  change: 'tillbridge:change',
} as const;
