/** Keeps away web pages of other origins, whatever name they reach this port by. */
import type { Request } from 'express';
import type { ErrorCode } from '../../contract/errors.ts';
import { hostValues } from '../../http/index.ts';

export type PageRefusal = { code: ErrorCode; message: string };

/** Gives the reason to refuse, or null. */
export type PageGuard = (request: Request, isApi: boolean) => PageRefusal | null;

export function createPageGuard(port: number): PageGuard {
  const hosts = hostValues(port, null, []);

  return (request, isApi) => {
    const host = request.headers.host?.toLowerCase();
    // A page can give its own name this machine's address (DNS rebinding); then its name is in Host.
    if (host === undefined || !hosts.has(host)) {
      return {
        code: 'host_not_allowed',
        message: `This console is at http://127.0.0.1:${port} and answers to no other name.`,
      };
    }
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) return foreign;
    // A page of another port on this machine is "same-site", and some of its requests have no Origin.
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      const isFollowedLink =
        request.method === 'GET' &&
        request.headers['sec-fetch-mode'] === 'navigate' &&
        request.headers['sec-fetch-dest'] === 'document';
      if (isApi || !isFollowedLink) return foreign;
    }
    return request.method === 'POST' && !isJson(request) ? notJson : null;
  };
}

const foreign: PageRefusal = {
  code: 'origin_not_allowed',
  message: 'A page of another origin made this request. Only the console’s own page may.',
};
const notJson: PageRefusal = {
  code: 'unsupported_media_type',
  message: 'Send "Content-Type: application/json".',
};

/** A form can post other types across origins without asking; this one it cannot. */
function isJson(request: Request): boolean {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  return mediaType.trim().toLowerCase() === 'application/json';
}
