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
import type { Access } from '../clients-and-scopes.ts';
import type { Executor, OperationResult } from '../executor.ts';
import { RequestError } from '../request-error.ts';
import type { StoredRecord } from '../store/records.ts';
import {
  newSubscriptionSchema,
  subscribe,
  subscriptionPath,
  subscriptionResource,
  subscriptionSchema,
} from '../webhooks/subscriptions.ts';
import { resourcesOf } from '../sandbox-context.ts';
import { formBody, jsonBody } from './request-body.ts';
import { respond, queryOf, refuse } from './request-context.ts';
import { guardScope } from './request-guards.ts';
import { named, otherMethod } from './operation-routes.ts';

const openApiPath = '/openapi.json';
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

/** Webhook subscriptions, and the way on for what is held. */
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
    .route(subscriptionPath)
    .all(named(subscriptionPath))
    .get(guardScope(`${subscriptionResource}:read`), (_request, response) => {
      const records = executor.transaction((context) => context.records.all(subscriptionResource));
      response.json(records.map((record) => subscriptionSchema.parse(record)));
    })
    .post(guardScope(`${subscriptionResource}:create`), jsonBody('small'), (request, response) => {
      respond(response, newSubscription(executor, request.body as unknown));
    })
    .all(otherMethod(['GET', 'POST']));
  router
    .route(`${subscriptionPath}/:id`)
    .all(named(`${subscriptionPath}/{webhook_subscription_id}`))
    .delete(guardScope(`${subscriptionResource}:delete`), (request, response) => {
      const id = request.params['id'];
      const { records } = executor.context;
      const found = executor.transaction(() => {
        const record = records.get(subscriptionResource, id);
        if (record !== null) records.remove(subscriptionResource, id);
        return record;
      });
      if (found === null) {
        return refuse(response, {
          code: 'record_not_found',
          message: 'There is no subscription with this id.',
        });
      }
      response.json(subscriptionSchema.parse(found));
    })
    .all(otherMethod(['DELETE']));
  return router;
}

function newSubscription(executor: Executor, body: unknown): OperationResult {
  try {
    const record: StoredRecord = executor.transaction((context) => subscribe(context, body));
    return { ok: true, body: newSubscriptionSchema.parse(record), etag: record.etag };
  } catch (error) {
    if (error instanceof RequestError) return { ok: false, refusal: error.refusal };
    throw error;
  }
}
