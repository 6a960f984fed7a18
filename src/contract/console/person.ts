/** In a request: a named person and what that person says. */
import { z } from 'zod';

export const person = {
  by: z.string().trim().min(1).max(200),
  reason: z.string().trim().min(1).max(2_000),
};
