/** What was thrown, in text. */

/** The message of an error, or whatever else was thrown as a string. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same with the stack, where there is one: for developers. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
