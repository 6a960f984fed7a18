/** In a request: which of several terminals it is about. */
import { z } from 'zod';

/**
 * Its name, as the header `x-terminal` takes it; one that the bridge does not have is refused with `unknown_terminal`.
 * Left out: the main one, or where the request names something that is on one terminal only, whichever has it.
 */
export const ofTerminal = { terminal: z.string().max(40).optional() };
