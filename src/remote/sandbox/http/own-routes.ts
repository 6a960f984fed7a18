/** The sandbox's own paths, beside the catalogue's: they have no version. */
import express from 'express';
import type { Router } from 'express';
import {
  apiVersions,
  latestVersion,
  pluralOf,
  sandboxProbePath,
  tokenPath,
  versionHeader,
  type ApiVersion,
  type Catalogue,
} from '../../catalogue/index.ts';
import { settle, settlementsPath } from '../acquirer.ts';
import type { Access } from '../clients-and-scopes.ts';
import type { Executor } from '../executor.ts';
import { resourcesOf } from '../sandbox-context.ts';
import { trialBalance } from '../trial-balance.ts';
import { formBody, jsonBody } from './request-body.ts';
import { respond, queryOf, refuse } from './request-context.ts';
import { guardScope } from './request-guards.ts';
import { named, otherMethod } from './operation-routes.ts';

const openApiPath = '/openapi.json';
export const trialBalancePath = `${sandboxProbePath}/trial-balance`;
const advancePath = `${sandboxProbePath}/{resource}/{id}/advance`;

/** What needs no token. */
export function openRoutes(access: Access, openApiOf: (version: ApiVersion) => unknown): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router
    .route(sandboxProbePath)
    .all(named(sandboxProbePath))
    .get((_request, response) => void response.json({ sandbox: true, versions: apiVersions }))
    .all(otherMethod(['GET']));
  router
    .route(tokenPath)
    .all(named(tokenPath))
    .post(formBody, (request, response) => {
      const form = Object.fromEntries(
        new URLSearchParams(typeof request.body === 'string' ? request.body : ''),
      );
      const result = access.issue(form);
      response.set({ pragma: 'no-cache' });
      if (result.ok) response.json(result.answer);
      else response.status(result.status).json(result.error);
    })
    .all(otherMethod(['POST']));
  router
    .route(openApiPath)
    .all(named(openApiPath))
    .get((request, response) => {
      const asked = queryOf(request).get('version') ?? request.get(versionHeader) ?? latestVersion;
      const version = apiVersions.find((candidate) => candidate === asked);
      if (version === undefined) {
        const message = `There is no such version. Supported are ${apiVersions.join(', ')}.`;
        return refuse(response, { code: 'api_version_unknown', message });
      }
      response.json(openApiOf(version));
    })
    .all(otherMethod(['GET']));
  return router;
}

/** The way on for what is held, a look at the books, and the sandbox's acquirer. */
export function ownRoutes(executor: Executor, catalogue: Catalogue, afterWrite: () => void): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const byPlural = new Map<string, string>(
    resourcesOf(catalogue).map((resource) => [pluralOf(resource), resource]),
  );
  router
    .route(`${sandboxProbePath}/:resource/:id/advance`)
    .all(named(advancePath))
    .patch(guardScope('sandbox:advance'), (request, response) => {
      const resource = byPlural.get(request.params['resource']);
      if (resource === undefined) {
        return refuse(response, { code: 'path_not_found', message: 'There is no such resource.' });
      }
      respond(response, executor.advance(resource, request.params['id']));
      afterWrite();
    })
    .all(otherMethod(['PATCH']));
  router
    .route(trialBalancePath)
    .all(named(trialBalancePath))
    .get(guardScope('sandbox:read'), (_request, response) => {
      response.json(trialBalance(executor.context.ledger));
    })
    .all(otherMethod(['GET']));
  router
    .route(settlementsPath)
    .all(named(settlementsPath))
    .post(guardScope('sandbox:settle'), jsonBody('small'), (request, response) => {
      respond(
        response,
        executor.own((context) => settle(context, request.body)),
      );
      afterWrite();
    })
    .all(otherMethod(['POST']));
  return router;
}
