/** What the console's port answers when it does not do what was asked: JSON under `/api/`, a plain page elsewhere. */
import type { Request, Response } from 'express';
import { errorStatus, type ErrorCode } from '../../contract/errors.ts';

/** Answers with the status of `code`; `message` is a sentence that says what to do. */
export function refuse(request: Request, response: Response, code: ErrorCode, message: string): void {
  response.status(errorStatus[code]);
  response.setHeader('Cache-Control', 'no-store');
  if (isApi(request)) {
    response.json({ ok: false, refusal: { code, message } });
    return;
  }
  response.type('html').send(page(message));
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
    '<p>The link is new with each start. It is in the window in which the bridge was started, or in the output of its ' +
    'service, behind “Console:”.</p>' +
    '<p lang="de">Der Link ist bei jedem Start neu. Er steht im Fenster, in dem die Bridge gestartet wurde, oder in der ' +
    'Ausgabe ihres Dienstes, hinter „Console:“.</p></body></html>\n'
  );
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
