/** Keeps away web pages of other origins, whatever name they reach this port by. */
import type { Request } from 'express';
import type { ErrorCode } from '../../contract/errors.ts';
import { foreignHost, hostValues, isFollowedLink, isFromForeignPage, isJson } from '../../http/index.ts';

type PageRefusal = { code: ErrorCode; message: string };

/** Gives the reason to refuse, or null. */
export type PageGuard = (request: Request, isApi: boolean) => PageRefusal | null;

export function createPageGuard(port: number): PageGuard {
  const hosts = hostValues(port, null, []);

  return (request, isApi) => {
    if (foreignHost(request, (host) => hosts.has(host.toLowerCase())) !== null) {
      return {
        code: 'host_not_allowed',
        message: `This console is at http://127.0.0.1:${port} and answers to no other name.`,
      };
    }
    const { host = '', origin } = request.headers;
    if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return foreign;
    // The page itself may be opened by a link; its methods are never called by one.
    if (isFromForeignPage(request) && (isApi || !isFollowedLink(request))) return foreign;
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
