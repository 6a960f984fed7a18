/** The way to an OpenID provider and back: addresses that a browser opens, so what goes wrong is said as a plain text. */
import { Router, type Response } from 'express';
import { errorText } from '../../base/error-text.ts';
import type { LineLog } from '../../log/index.ts';
import type { Audit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import type { People } from '../people.ts';
import { signInLifeMs, type Provider } from '../provider.ts';
import { plainRefusal } from './page.ts';
import { named } from './request.ts';
import { cookieOf, setSessionCookie } from './who-asks.ts';

export interface ProviderRoutesParts {
  database: Database;
  provider: Provider;
  people: People;
  audit: Audit;
  pageOrigin: () => string;
  log: LineLog;
}

const cookieName = 'tillbridge-office-sign-in';

export function providerRoutes(parts: ProviderRoutesParts): Router {
  const { database, provider, people, audit, pageOrigin, log } = parts;
  const router = Router({ caseSensitive: true, strict: true });
  const isSecure = () => pageOrigin().startsWith('https:');

  router.get('/sign-in', named('/sign-in'), async (_request, response) => {
    let begun: Awaited<ReturnType<Provider['begin']>>;
    try {
      begun = await provider.begin(`${pageOrigin()}/sign-in/back`);
    } catch (error) {
      log.error(`the OpenID provider cannot be asked: ${errorText(error)}`);
      return plainRefusal(response, 503, 'The OpenID provider cannot be reached. Try again in a moment.');
    }
    setStateCookie(response, begun.state);
    response.redirect(302, begun.address);
  });

  router.get('/sign-in/back', named('/sign-in/back'), async (request, response) => {
    // As the provider knows it: a proxy may have been asked under another name.
    const cameBack = new URL(request.originalUrl, pageOrigin());
    const result = await provider.finish(cameBack, cookieOf(request, cookieName));
    setStateCookie(response, null);
    if (!result.ok) return plainRefusal(response, 403, result.message);
    const { name, role } = result;
    const { token, session } = await people.begin({ name, role, by: 'provider' });
    await audit.note(database, session, 'signed_in', {});
    setSessionCookie(response, token, isSecure());
    response.redirect(303, '/');
  });

  return router;

  /** Lax and not strict: the browser comes back from another site. */
  function setStateCookie(response: Response, state: string | null): void {
    const life = state === null ? 0 : signInLifeMs / 1_000;
    const flags = ['Path=/sign-in', 'HttpOnly', 'SameSite=Lax', `Max-Age=${life}`];
    const all = [`${cookieName}=${state ?? ''}`, ...flags, ...(isSecure() ? ['Secure'] : [])];
    response.append('set-cookie', all.join('; '));
  }
}
