/** The channels between window and main process; there are no others. The preload has the same names. */
export const channels = {
  /** The window invokes a method, with its name and the request; the result comes back. */
  invoke: 'tillbridge:invoke',
  /** The window has a file saved; comes back when it is saved, or not. */
  save: 'tillbridge:save',
  /** The user wants to quit. */
  quit: 'tillbridge:quit',
  /** A notification is shown, to see whether the system does. */
  tryNotification: 'tillbridge:try_notification',
  /** The small window wants the console shown. */
  show: 'tillbridge:show',
  /** The main process sends the window a change. */
  change: 'tillbridge:change',
  /** The main process sends the window to a place of the console. */
  goTo: 'tillbridge:go_to',
} as const;
