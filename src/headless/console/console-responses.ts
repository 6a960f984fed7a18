/**
 * How the console's port responds when it does not do what was asked: JSON under `/api/`, a plain page elsewhere. And what
 * it reads of a request: the secret and the body.
 */
import type { Request, RequestHandler, Response } from 'express';
import { shutOutMessage, type ShutOut } from '../../contract/console/index.ts';
import { errorStatus, type ErrorCode } from '../../contract/errors.ts';
import { endAndClose, readJsonObject, type JsonRefusal, type Linger } from '../../http/index.ts';

/** Who may not call holds no connection, and what is not read to its end is not read on. */
const closing: ReadonlySet<ErrorCode> = new Set([
  'host_not_allowed',
  'origin_not_allowed',
  'unauthorized',
  'body_too_large',
]);

const bodyMessages: Record<JsonRefusal, string> = {
  body_too_large: 'The request is too large.',
  invalid_json: 'The body is not one JSON object.',
  invalid_request: 'The body is JSON, but not an object.',
  unsupported_media_type: 'Send JSON in UTF-8, not compressed.',
};

export interface ConsoleResponses {
  /** Responds with the status of `code`; `message` is a sentence that says what to do. */
  refuse(request: Request, response: Response, code: ErrorCode, message: string): void;
  /** For a page that has not been let in. */
  shutOut(request: Request, response: Response, code: ShutOut): void;
  /** Puts the body into `request.body`, or refuses. */
  jsonBody(maxBytes: number): RequestHandler;
}

export function createConsoleResponses(linger: Linger): ConsoleResponses {
  const send = (request: Request, response: Response, code: ErrorCode, text: string): void => {
    response.status(errorStatus[code]);
    response.setHeader('Cache-Control', 'no-store');
    if (!closing.has(code)) return void response.send(text);
    response.setHeader('Connection', 'close');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    endAndClose(request, response, text, linger);
  };

  const refuse: ConsoleResponses['refuse'] = (request, response, code, message) => {
    const api = isApi(request);
    response.type(api ? 'json' : 'html');
    send(request, response, code, api ? refusalText(code, message) : page(message));
  };

  return {
    refuse,
    shutOut(request, response, code) {
      response.type('json');
      send(request, response, 'unauthorized', refusalText(code, shutOutMessage[code]));
    },
    jsonBody: (maxBytes) => async (request, response, next) => {
      const body = await readJsonObject(request, maxBytes);
      if (body === null) return;
      if (!body.ok) return refuse(request, response, body.code, bodyMessages[body.code]);
      request.body = body.value;
      next();
    },
  };
}

/** What the page shows to be let in (RFC 6750); null where it shows nothing. */
export function secretOf(request: Request): string | null {
  return /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

export function isApi(request: Request): boolean {
  // Inside a mounted handler `path` lacks what it is mounted on.
  return `${request.baseUrl}${request.path}/`.startsWith('/api/');
}

function refusalText(code: ErrorCode | ShutOut, message: string): string {
  return JSON.stringify({ ok: false, refusal: { code, message } });
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
