/**
 * Who may use the console: whoever opened the link that the bridge printed. The token in it is new at each start, and
 * opening it once leaves a cookie, so that the token does not stay in the address.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';

export interface Session {
  /** 256 bits, for the link. */
  readonly token: string;
  isToken(given: unknown): boolean;
  /** Whether the browser has been let in. */
  isOpenFor(request: Request): boolean;
  /** Lets the browser in that this answer goes to. */
  openFor(response: Response): void;
}

const tokenBytes = 32;
/** Longer ones are not looked at; ours has 43 characters. */
const maxGivenLength = 200;

/** Cookies are shared between the ports of a host: `port` in the name keeps two bridges' consoles apart. */
export function createSession(port: number): Session {
  const token = randomBytes(tokenBytes).toString('base64url');
  const cookieName = `tillbridge-${port}`;
  const hash = hashOf(token);
  // Hashes have one length, and comparing them tells nothing about the token.
  const isToken = (given: unknown): boolean =>
    typeof given === 'string' && given.length <= maxGivenLength && timingSafeEqual(hash, hashOf(given));

  return {
    token,
    isToken,
    isOpenFor: (request) =>
      cookieValues(request.headers.cookie ?? '', cookieName).some((value) => isToken(value)),
    openFor(response) {
      response.cookie(cookieName, token, { httpOnly: true, sameSite: 'strict', path: '/' });
    },
  };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Other programs on this host can set a cookie of the same name beside ours, so each one is looked at. */
function cookieValues(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
