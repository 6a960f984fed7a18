/** What the terminals of one bridge are called. */
import { z } from 'zod';

/** The terminal of the settings at top level, and of each request that names none. */
export const mainTerminal = 'main';

/** The header by which the POS chooses a terminal. */
export const terminalHeader = 'x-terminal';

/** In lower case, because it is also the name of a folder; without the names that Windows keeps for devices. */
const namePattern = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9_-]{0,31}$/;

export const terminalNameSchema = z
  .string()
  .regex(namePattern, 'must be 1 to 32 of a–z, 0–9, "-" and "_", such as "bar"')
  .refine((name) => name !== mainTerminal, `must be another name than "${mainTerminal}"`);

/** As a request names a terminal: without regard to case, and to blanks around it. */
export function normalTerminalName(named: string): string {
  return named.trim().toLowerCase();
}

/** For folders: whether a terminal can be called that. */
export function isTerminalName(name: string): boolean {
  return terminalNameSchema.safeParse(name).success;
}
