/**
 * Who asks the office for something: a browser by the cookie of its session, a command by the administrator's key. And
 * which page made the request: only the office's own may, so that no other one uses a session that is open beside it.
 */
import type { Request, RequestHandler, Response } from 'express';
import { isFollowedLink, isFromForeignPage, isJson, foreignHost } from '../../http/index.ts';
import { mayActAs, type PageRefusal, type Role, type SignedIn } from '../../contract/office-page.ts';
import type { OfficeRefusal } from '../../contract/office.ts';
import { sessionLifeMs, type KnownSession, type People } from '../people.ts';
import { isSame } from '../secrets.ts';
import { bearerOf, refuse } from './request.ts';

export interface OwnAddress {
  /** Values of `Host` under which the office answers people. */
  hosts: ReadonlySet<string>;
  /** Where people reach it, such as "https://office.example"; null: at its own port only. */
  publicOrigin: string | null;
}

const cookieName = 'tillbridge-office';

/** Keeps away pages of other sites, whatever name they reach the office by. Null: all is well. */
export function foreignRefusal(request: Request, own: OwnAddress): OfficeRefusal | PageRefusal | null {
  // No browser sends a key by itself, and whoever sends one comes in by nothing else: `cookieOf` reads no cookie then.
  if (bearerOf(request) !== null) return null;
  if (foreignHost(request, (host) => own.hosts.has(host.toLowerCase())) !== null) {
    return {
      error: 'host_not_allowed',
      message: 'The office answers to its own name only. Start it with --public-url and the address in use.',
    };
  }
  const { host = '', origin } = request.headers;
  const isOwn =
    origin === undefined || origin === `http://${host.toLowerCase()}` || origin === own.publicOrigin;
  // The page itself may be opened by a link.
  const isForeign = isFromForeignPage(request) && !(isFollowedLink(request) && !isApi(request));
  if (!isOwn || isForeign)
    return { error: 'origin_not_allowed', message: 'A page of another site made this request.' };
  if (request.method === 'POST' && !isJson(request))
    return { error: 'invalid_request', message: 'Send "Content-Type: application/json".' };
  return null;
}

function isApi({ originalUrl }: Request): boolean {
  return originalUrl.startsWith('/office/');
}

/** Puts who asks where `whoOf` finds it, or refuses. */
export function signedIn(people: People, administratorKey: string): RequestHandler {
  return async (request, response, next) => {
    const key = bearerOf(request);
    if (key !== null) {
      if (!isSame(key, administratorKey))
        return refuse(response, { error: 'key_unknown', message: 'This is not the administrator’s key.' });
      const who: KnownSession = { name: 'administrator', role: 'administrator', by: 'key', endsAt: Infinity };
      response.locals['who'] = who;
      return next();
    }
    const token = tokenOf(request);
    const session = token === null ? null : await people.sessionOf(token);
    if (session === null) {
      return refuse(response, {
        error: 'no_session',
        message:
          'Nobody is signed in here, or the session has ended. "tillbridge office link" prints a link.',
      });
    }
    response.locals['who'] = session;
    next();
  };
}

export function whoOf(response: Response): KnownSession {
  return response.locals['who'] as KnownSession;
}

/** For routes behind `signedIn`. */
export function only(role: Role): RequestHandler {
  return (_request, response, next) => {
    const who: SignedIn = whoOf(response);
    if (mayActAs(who.role, role)) return next();
    refuse(response, {
      error: 'not_allowed',
      message: `This asks for the role "${role}", and ${who.name} has the role "${who.role}".`,
    });
  };
}

export function tokenOf(request: Request): string | null {
  return cookieOf(request, cookieName);
}

/** None beside a key, with which a request may come from anywhere. */
export function cookieOf(request: Request, name: string): string | null {
  if (bearerOf(request) !== null) return null;
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value !== undefined && /^[\w-]{1,200}$/.test(value)) return value;
  }
  return null;
}

/** Null as the token takes the cookie away. */
export function setSessionCookie(response: Response, token: string | null, secure: boolean): void {
  const life = token === null ? 0 : sessionLifeMs / 1_000;
  const parts = [`${cookieName}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${life}`];
  response.append('set-cookie', [...parts, ...(secure ? ['Secure'] : [])].join('; '));
}
