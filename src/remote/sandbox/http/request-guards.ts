/** What stands before every operation: the Host, the token, the version, the scope. */
import type { RequestHandler } from 'express';
import { apiVersions, remoteErrorMeaning, versionHeader, type ApiVersion } from '../../catalogue/index.ts';
import type { Access } from '../clients-and-scopes.ts';
import { foreignHost, isLoopback } from '../../../http/index.ts';
import { requestContextOf, refuse } from './request-context.ts';

/** A name in Host that is not this computer's own is a web page's trick (DNS rebinding). */
export const guardHost: RequestHandler = (request, response, next) => {
  if (foreignHost(request, isOwnName) === null) return next();
  response.set('connection', 'close');
  refuse(response, {
    code: 'invalid_request',
    message:
      'The sandbox answers only to 127.0.0.1, [::1] and localhost; the header Host names something else.',
  });
};

/** Any port: whoever tries the interface may have mapped it to another one. */
function isOwnName(host: string): boolean {
  return isLoopback(host.toLowerCase().replace(/:\d{1,5}$/, ''));
}

export function guardToken(access: Access): RequestHandler {
  return (request, response, next) => {
    const checked = access.check(request.headers.authorization ?? null);
    if (!checked.ok) {
      return refuse(response, { code: checked.code, message: remoteErrorMeaning[checked.code] });
    }
    response.locals['scopes'] = checked.scopes;
    next();
  };
}

const supported = `Supported are ${apiVersions.join(', ')}.`;

export const guardVersion: RequestHandler = (request, response, next) => {
  const given = request.headers[versionHeader];
  if (given === undefined) {
    const message = `${remoteErrorMeaning.api_version_missing} ${supported}`;
    return refuse(response, { code: 'api_version_missing', message });
  }
  const version = apiVersions.find((candidate) => candidate === given);
  if (version === undefined) {
    const message = `${remoteErrorMeaning.api_version_unknown} ${supported}`;
    return refuse(response, { code: 'api_version_unknown', message });
  }
  response.locals['version'] = version;
  requestContextOf(response).version = version;
  next();
};

export function versionOf(locals: Record<string, unknown>): ApiVersion {
  return locals['version'] as ApiVersion;
}

export function guardScope(scope: string): RequestHandler {
  return (_request, response, next) => {
    const scopes = response.locals['scopes'] as ReadonlySet<string>;
    if (scopes.has(scope)) return next();
    refuse(response, { code: 'scope_missing', message: `The token lacks the scope ${scope}.` });
  };
}
