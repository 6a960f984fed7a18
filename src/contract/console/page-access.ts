/** How a page that comes over HTTP gets in. The desktop's window needs none of it. */
import { z } from 'zod';

/** The token stands behind `#`, which no browser sends anywhere: `http://127.0.0.1:41247/#link=TOKEN`. */
export const linkMark = '#link=';

/** Why a page has no access, or has it no longer. */
export const shutOutSchema = z.enum([
  /** It was opened without a link. */
  'no_session',
  /** Its link had been opened before. */
  'link_used',
  /** Its link is too old, or of an earlier start. */
  'link_unknown',
  /** It was let in by a bridge that has been restarted since, or it has not been used for long. */
  'session_unknown',
  /** Somebody has ended all links and windows. */
  'access_revoked',
]);
export type ShutOut = z.infer<typeof shutOutSchema>;

/** The page has its own message for each code; these are for everybody else. */
export const shutOutMessage: Record<ShutOut, string> = {
  no_session: 'This console is only for windows that were opened by a link.',
  link_used: 'This link has been opened before, and works only once.',
  link_unknown: 'This link does not work any more.',
  session_unknown: 'The bridge was restarted, or this window was not used for long.',
  access_revoked: 'All windows of the console were closed by "tillbridge console --revoke".',
};

/** `POST /api/enter`: a link for a secret, which goes along as `Authorization: Bearer SECRET` from then on. */
export const enterRequestSchema = z.object({ link: z.string().min(1).max(200) });
export const enterResponseSchema = z.object({ secret: z.string() });
