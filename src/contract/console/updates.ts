/** What is known of newer versions, as the window shows it. */
import { z } from 'zod';

/** Why nothing of a feed, or of a file that it names, is believed. Each has its sentence in `src/locales`. */
const updateRefusalSchema = z.enum([
  /** A feed is named, and not the key that signs it. */
  'no_key',
  'unreachable',
  'not_found',
  /** It sent us to another address. */
  'redirected',
  'too_large',
  'too_slow',
  'unsigned',
  'wrong_signature',
  /** Signed, but not to be read, or of another form. */
  'unreadable',
  /** Signed, but older than what runs here: an old list, played back. */
  'older',
  /** Signed, but older than what the feed has shown before. */
  'replayed',
  /** The file is not the one that the list names. */
  'wrong_file',
]);
export type UpdateRefusal = z.infer<typeof updateRefusalSchema>;

const releaseSchema = z.object({
  version: z.string().max(40),
  /** What is new in it, as its makers wrote it. */
  notes: z.string().max(4_000).nullable(),
});
export type Release = z.infer<typeof releaseSchema>;

/** What became of the last update of this computer. */
export const updateNewsSchema = z.object({
  /**
   * `install_failed`: nothing has changed, `from` runs on. `went_back`: `version` did not come up, and `from` runs again.
   * `cannot_go_back`: it did not, and has to stay. `go_back_by_hand`: the installer of `from` is kept in `file`.
   */
  kind: z.enum(['installed', 'install_failed', 'went_back', 'cannot_go_back', 'go_back_by_hand']),
  version: z.string().max(40),
  from: z.string().max(40),
  notes: z.string().max(4_000).nullable(),
  file: z.string().max(1_000).optional(),
});
export type UpdateNews = z.infer<typeof updateNewsSchema>;

/** Left out of the state where no feed is named, or updates are off: then nothing is asked. */
export const updateStateSchema = z.object({
  /** When the feed was last asked; null: not since the start. */
  checkedAt: z.string().nullable(),
  news: updateNewsSchema.optional(),
  step: z.discriminatedUnion('kind', [
    /** `waiting`: it is asked soon. `current`: this is the newest version. */
    z.object({ kind: z.enum(['waiting', 'current']) }),
    /** `byHand`: this program cannot install it, somebody has to. */
    z.object({ kind: z.literal('available'), release: releaseSchema, byHand: z.boolean() }),
    /** `installing` also while it waits for the operation on the terminal to end. */
    z.object({ kind: z.enum(['downloading', 'installing']), release: releaseSchema }),
    /** Fetched and checked. `installsAt` is null when it waits for a person. */
    z.object({ kind: z.literal('ready'), release: releaseSchema, installsAt: z.string().nullable() }),
    z.object({
      kind: z.literal('refused'),
      reason: updateRefusalSchema,
      version: z.string().max(40).nullable(),
    }),
  ]),
});
export type UpdateState = z.infer<typeof updateStateSchema>;
