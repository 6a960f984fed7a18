/**
 * What the console's port reads of every request, and how it responds when it does not do what was asked: JSON under
 * `/api/`, a plain page elsewhere.
 */
import type { Request, Response } from 'express';
import { shutOutMessage, type ShutOut } from '../../contract/console/index.ts';
import { errorStatus, type ErrorCode } from '../../contract/errors.ts';

const mayNotCall: ReadonlySet<ErrorCode> = new Set([
  'host_not_allowed',
  'origin_not_allowed',
  'unauthorized',
]);

/** Answers with the status of `code`; `message` is a sentence that says what to do. */
export function refuse(request: Request, response: Response, code: ErrorCode, message: string): void {
  response.status(errorStatus[code]);
  response.setHeader('Cache-Control', 'no-store');
  // Who may not call shall hold no connection either.
  if (mayNotCall.has(code)) response.setHeader('Connection', 'close');
  if (isApi(request)) {
    response.json({ ok: false, refusal: { code, message } });
    return;
  }
  response.type('html').send(page(message));
}

/** For a page that has not been let in. */
export function shutOut(response: Response, code: ShutOut): void {
  response.status(errorStatus.unauthorized);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Connection', 'close');
  response.json({ ok: false, refusal: { code, message: shutOutMessage[code] } });
}

/** What the page shows to be let in (RFC 6750); null where it shows nothing. */
export function secretOf(request: Request): string | null {
  return /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

export function isApi(request: Request): boolean {
  // Inside a mounted handler `path` lacks what it is mounted on.
  return `${request.baseUrl}${request.path}/`.startsWith('/api/');
}

/**
 * The policy allows no style in the page, so there is none. Whoever is here has no console whose language is known, so
 * the one thing that helps is said in each of ours.
 */
function page(message: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tillbridge</title></head>' +
    `<body><h1>Tillbridge</h1><p>${escapeText(message)}</p>` +
    '<p>“tillbridge console” on the bridge’s computer prints a link to the console.</p>' +
    '<p lang="de">„tillbridge console“ auf dem Computer der Bridge gibt einen Link zur Konsole aus.</p></body></html>\n'
  );
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
