/** The catalogue's operations of one version as routes. */
import express from 'express';
import type { RequestHandler, Router } from 'express';
import type { ApiVersion, Catalogue, Operation } from '../../catalogue/index.ts';
import type { Executor } from '../executor.ts';
import { jsonBody } from './request-body.ts';
import { requestContextOf, respond, queryOf, refuse } from './request-context.ts';
import { guardScope } from './request-guards.ts';

export interface RouteContext {
  executor: Executor;
  /** After what may have changed a record. */
  afterWrite: () => void;
}

export function operationRoutes(catalogue: Catalogue, version: ApiVersion, context: RouteContext): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(catalogue.operations(version), ({ path }) => path);
  // "/capabilities/check" before "/capabilities/{capability_id}", should there ever be both.
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
  for (const path of paths) {
    const operations = byPath.get(path) ?? [];
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    route.all(named(path));
    for (const operation of operations) {
      const method = methods[operation.method];
      route[method](guardScope(operation.scope), ...bodyOf(operation), run(operation, context));
    }
    route.all(otherMethod(operations.map(({ method }) => method)));
  }
  return router;
}

const methods = { GET: 'get', POST: 'post', PATCH: 'patch' } as const;

/** For the log. */
export function named(path: string): RequestHandler {
  return (_request, response, next) => {
    requestContextOf(response).path = path;
    next();
  };
}

export function otherMethod(allowed: readonly string[]): RequestHandler {
  return (_request, response) => {
    response.set('allow', allowed.join(', '));
    refuse(response, {
      code: 'method_not_allowed',
      message: `This path takes ${allowed.join(' and ')} in this version.`,
    });
  };
}

function bodyOf(operation: Operation): RequestHandler[] {
  if (operation.request === null) return [];
  return [jsonBody(operation.area === 'storage' ? 'file' : 'small')];
}

function run(operation: Operation, { executor, afterWrite }: RouteContext): RequestHandler {
  const [idName] = operation.pathParameters;
  return (request, response) => {
    const id = idName === undefined ? null : String(request.params[idName]);
    const result = executor.execute(operation, {
      id,
      query: queryOf(request),
      body: request.body as unknown,
      ifMatch: request.get('if-match') ?? null,
    });
    respond(response, result);
    afterWrite();
  };
}
