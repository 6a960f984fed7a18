/** The Express application: guards first, then the catalogue's operations of the version that the request names. */
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { createExpressApp } from '../../../http/express-app.ts';
import type { LineLog } from '../../../log/index.ts';
import { apiVersions, pathPrefix, type ApiVersion, type Catalogue } from '../../catalogue/index.ts';
import type { Access } from '../clients-and-scopes.ts';
import type { Executor } from '../executor.ts';
import { beginRequest, requestContextOf, refuse, type RequestLogging } from './request-context.ts';
import { guardHost, guardToken, guardVersion, versionOf } from './request-guards.ts';
import { operationRoutes } from './operation-routes.ts';
import { openRoutes, ownRoutes } from './own-routes.ts';
import { webhookRoutes, type Webhooks } from './webhook-routes.ts';

export interface SandboxRoutesContext extends RequestLogging {
  executor: Executor;
  catalogue: Catalogue;
  access: Access;
  webhooks: Webhooks;
  openApiOf: (version: ApiVersion) => unknown;
  afterWrite: () => void;
}

export function createSandboxRoutes(context: SandboxRoutesContext): Express {
  const { executor, catalogue, access, webhooks, log, openApiOf, afterWrite } = context;
  const app = createExpressApp();

  const routers = new Map(
    apiVersions.map((version) => [version, operationRoutes(catalogue, version, { executor, afterWrite })]),
  );
  const ofVersion: RequestHandler = (request, response, next) => {
    const router = routers.get(versionOf(response.locals));
    if (router === undefined) throw new Error('a version without routes');
    router(request, response, next);
  };
  const unknownPath: RequestHandler = (_request, response) => {
    const version = requestContextOf(response).version;
    const message = `There is no such path${version === null ? '' : ` in version ${version}`}. ${pathPrefix}/openapi.json has them all.`;
    refuse(response, { code: 'path_not_found', message });
  };

  app.use((request, response, next) => {
    beginRequest(request, response, context);
    next();
  });
  app.use(guardHost);
  app.use(pathPrefix, openRoutes(access, openApiOf));
  app.use(
    pathPrefix,
    guardToken(access),
    ownRoutes(executor, catalogue, afterWrite),
    webhookRoutes(executor, webhooks),
    guardVersion,
    ofVersion,
  );
  app.use(unknownPath);
  app.use(errorHandler(log));
  return app;
}

/** Four parameters, or Express takes it for something else. */
function errorHandler(log: LineLog): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    if (error instanceof URIError) {
      return refuse(response, { code: 'invalid_request', message: 'The path is not well formed.' });
    }
    const { requestId, path } = requestContextOf(response);
    log.error('sandbox fault', {
      request_id: requestId,
      path,
      err: error,
    });
    if (response.headersSent) return void response.destroy();
    refuse(response, { code: 'internal_error', message: 'A fault in the sandbox; its log has it.' });
  };
}
