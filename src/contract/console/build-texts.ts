/** What the build puts beside the page for people to read: what is new, and whose code is in it. */
import { z } from 'zod';

/** Names of files beside the page. */
export const buildTextFiles = { whatsNew: 'whats-new.json', licences: 'licences.json' } as const;

/** Of "Keep a Changelog", which CHANGELOG.md follows. */
const changeKinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;

/** The newest sections of the changelog, in English. Texts are plain but for `code` between backticks. */
export const whatsNewSchema = z.array(
  z.object({
    /** Null for what is in no version yet. */
    version: z.string().nullable(),
    /** `2026-11-22` */
    day: z.string().nullable(),
    groups: z.array(z.object({ kind: z.enum(changeKinds), items: z.array(z.string()) })),
  }),
);
export type WhatsNew = z.infer<typeof whatsNewSchema>;

/** Under which terms this program is, and each thing of others in it. */
export const licencesSchema = z.object({
  own: z.string(),
  /** `packages` share the same `text`; each is a name with version, licence and address. */
  others: z.array(z.object({ packages: z.array(z.string()), text: z.string() })),
});
export type Licences = z.infer<typeof licencesSchema>;
