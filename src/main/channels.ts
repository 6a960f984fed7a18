/** The channels between window and main process; there are no others. The preload has the same names. */
export const channels = {
  /** Window asks, with the method's name and the request; the result comes back. */
  invoke: 'tillbridge:invoke',
  /** Window asks to save a file; comes back when it is saved, or not. */
  save: 'tillbridge:save',
  /** Main process tells the window of a change. */
  change: 'tillbridge:change',
} as const;
