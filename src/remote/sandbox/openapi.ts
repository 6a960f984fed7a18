/** The OpenAPI 3.1 document of one version, from the catalogue. Versions share paths, so each has a document of its own. */
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import {
  pathPrefix,
  remoteErrorMeaning,
  remoteErrorSchema,
  remoteErrorStatus,
  sandboxHeader,
  sandboxProbePath,
  tokenResponseSchema,
  tokenErrorSchema,
  tokenPath,
  tokenRequestSchema,
  versionHeader,
  wordsOf,
  type ApiVersion,
  type Area,
  type Catalogue,
  type Operation,
  type RemoteErrorCode,
} from '../catalogue/index.ts';
import { settlementRequestSchema, settlementSchema, settlementsPath } from './acquirer.ts';
import { allScopes } from './clients-and-scopes.ts';
import { trialBalancePath } from './http/own-routes.ts';
import { trialBalanceSchema } from './trial-balance.ts';
import { webhookEventSchema } from '../webhooks/index.ts';
import {
  deliveryQuerySchema,
  deliverySchema,
  newSubscriptionSchema,
  replayRequestSchema,
  replayedSchema,
  subscriptionPath,
  subscriptionRequestSchema,
  subscriptionResource,
  subscriptionSchema,
} from './webhooks/subscriptions.ts';

const areas: Record<Area, string> = {
  treasury: 'Accounts, money that comes, goes and is exchanged, and the intents that ask for it.',
  compliance: 'Parties, what is known of them, and what they may do.',
  storage: 'Files.',
  simulator: 'Pretends that something happened outside.',
  clearing: 'The payment clearing area of an earlier version.',
};
const sandboxTag = { name: 'sandbox', description: 'What the sandbox has beside the interface.' };

const everyOperation: RemoteErrorCode[] = [
  'invalid_request',
  'api_version_missing',
  'api_version_unknown',
  'token_missing',
  'token_invalid',
  'token_expired',
  'scope_missing',
  'path_not_found',
  'internal_error',
];
const withBody: RemoteErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'reference_not_usable',
];

export function createOpenApi(catalogue: Catalogue, version: ApiVersion): ReturnType<typeof createDocument> {
  const operations = catalogue.operations(version);
  const used = new Set(operations.map(({ area }) => area));
  const tags = Object.entries(areas)
    .filter(([area]) => used.has(area as Area))
    .map(([name, description]) => ({ name, description }));
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Treasury and compliance (sandbox)',
      version,
      description:
        'What is marked `x-assumed` or `x-source: assumed` is not shown in the interface’s document: it is an assumption made here.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: pathPrefix, description: 'The sandbox that gave this document.' }],
    tags: [...tags, sandboxTag],
    security: [{ oauth: [] }],
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${pathPrefix}${tokenPath}`,
              scopes: Object.fromEntries(allScopes(catalogue).map((scope) => [scope, meaningOf(scope)])),
            },
          },
        },
      },
    },
    paths: { ...pathsOf(operations, version), ...ownPaths() },
  });
}

function meaningOf(scope: string): string {
  const [resource = '', action = ''] = scope.split(':');
  return `${wordsOf(resource)}: ${wordsOf(action)}`;
}

function pathsOf(operations: readonly Operation[], version: ApiVersion): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, version),
    };
  }
  return paths;
}

function operationObject(operation: Operation, version: ApiVersion): ZodOpenApiOperationObject {
  const { kind, request, query, assumptions } = operation;
  const codes = [
    ...everyOperation,
    ...(request === null ? [] : withBody),
    ...(kind === 'step' || kind === 'retrieve' ? (['record_not_found'] as const) : []),
    ...(kind === 'step' || kind === 'create' ? (['state_conflict'] as const) : []),
    ...(kind === 'step' ? (['etag_mismatch'] as const) : []),
    ...(operation.needsIfMatch ? (['if_match_missing'] as const) : []),
  ];
  return {
    operationId: operation.id,
    summary: operation.title,
    tags: [operation.area],
    security: [{ oauth: [operation.scope] }],
    ...(assumptions.length === 0 ? {} : { 'x-assumed': assumptions }),
    requestParams: {
      ...(operation.pathParameters.length === 0
        ? {}
        : { path: z.object(Object.fromEntries(operation.pathParameters.map((name) => [name, z.string()]))) }),
      ...(query === null ? {} : { query }),
      header: z.object({
        [versionHeader]: z.literal(version).meta({ description: 'The version of the interface.' }),
        ...(operation.needsIfMatch
          ? { 'if-match': z.string().meta({ description: 'The etag of the record, in its quotes; or *.' }) }
          : {}),
      }),
    },
    ...(request === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
    responses: {
      200: {
        description: 'Done.',
        headers: z.object({
          ...answerHeaders,
          ...(kind === 'list'
            ? {}
            : { etag: z.string().optional().meta({ description: 'As in the body.' }) }),
        }),
        content: { 'application/json': { schema: operation.response } },
      },
      ...failures(codes),
    },
  };
}

const answerHeaders = {
  'x-request-id': z.string().meta({ description: 'The id of the request; also in the log.' }),
  [sandboxHeader]: z.literal('true').meta({ description: 'This is a sandbox: no real money moves.' }),
};

function failures(codes: readonly RemoteErrorCode[]): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, ofStatus] of Map.groupBy(codes, (code) => remoteErrorStatus[code])) {
    responses[`${status}` as keyof ZodOpenApiResponsesObject] = {
      description: ofStatus.map((code) => `\`${code}\`: ${remoteErrorMeaning[code]}`).join('\n\n'),
      headers: z.object(answerHeaders),
      content: {
        'application/json': {
          schema: z.object({
            ...remoteErrorSchema.shape,
            code: z.enum(ofStatus as [RemoteErrorCode, ...RemoteErrorCode[]]),
          }),
        },
      },
    };
  }
  return responses;
}

/** The token end point, and what only the sandbox has. */
function ownPaths(): ZodOpenApiPathsObject {
  const done = (schema: z.ZodType) => ({
    200: { description: 'Done.', content: { 'application/json': { schema } } },
  });
  const guarded: RemoteErrorCode[] = ['token_missing', 'token_invalid', 'token_expired', 'scope_missing'];
  const tags = [sandboxTag.name];
  const id = z.string();
  return {
    [tokenPath]: {
      post: {
        operationId: 'token.issue',
        summary: 'Issue an access token for client credentials',
        tags,
        security: [],
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: tokenRequestSchema } },
        },
        responses: {
          ...done(tokenResponseSchema),
          400: { description: 'Refused.', content: { 'application/json': { schema: tokenErrorSchema } } },
          401: {
            description: 'Unknown client.',
            content: { 'application/json': { schema: tokenErrorSchema } },
          },
        },
      },
    },
    [sandboxProbePath]: {
      get: {
        operationId: 'sandbox.retrieve',
        summary: 'Tell that this is a sandbox',
        tags,
        security: [],
        responses: {
          ...done(z.object({ sandbox: z.literal(true), versions: z.array(z.string()) })),
          ...failures(['invalid_request']),
        },
      },
    },
    [trialBalancePath]: {
      get: {
        operationId: 'sandbox.trial-balance',
        summary: 'Tell the balance of every account of the books',
        tags,
        security: [{ oauth: ['sandbox:read'] }],
        responses: { ...done(trialBalanceSchema), ...failures(guarded) },
      },
    },
    [settlementsPath]: {
      post: {
        operationId: 'sandbox.settle',
        summary: 'Have the sandbox’s acquirer pay for closed batches',
        tags,
        security: [{ oauth: ['sandbox:settle'] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: settlementRequestSchema } },
        },
        responses: {
          ...done(settlementSchema),
          ...failures([...guarded, ...withBody, 'state_conflict']),
        },
      },
    },
    [`${sandboxProbePath}/{resource}/{id}/advance`]: {
      patch: {
        operationId: 'sandbox.advance',
        summary: 'Have a held intent, a quote or a trade go on',
        tags,
        security: [{ oauth: ['sandbox:advance'] }],
        requestParams: {
          path: z.object({ resource: z.string().meta({ description: 'In the plural: "trades".' }), id }),
        },
        responses: {
          ...done(z.record(z.string(), z.unknown())),
          ...failures([...guarded, 'record_not_found', 'state_conflict']),
        },
      },
    },
    [subscriptionPath]: {
      get: {
        operationId: 'webhook-subscription.list',
        summary: 'List webhook subscriptions',
        tags,
        security: [{ oauth: [`${subscriptionResource}:read`] }],
        responses: { ...done(z.array(subscriptionSchema)), ...failures(guarded) },
      },
      post: {
        operationId: 'webhook-subscription.create',
        summary: 'Subscribe to changes of records',
        tags,
        security: [{ oauth: [`${subscriptionResource}:create`] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: subscriptionRequestSchema } },
        },
        responses: {
          ...done(newSubscriptionSchema),
          ...failures([...guarded, ...withBody, 'invalid_request']),
        },
      },
    },
    [`${subscriptionPath}/{webhook_subscription_id}`]: {
      delete: {
        operationId: 'webhook-subscription.delete',
        summary: 'End a webhook subscription',
        tags,
        security: [{ oauth: [`${subscriptionResource}:delete`] }],
        requestParams: { path: z.object({ webhook_subscription_id: id }) },
        responses: { ...done(subscriptionSchema), ...failures([...guarded, 'record_not_found']) },
      },
    },
    [`${subscriptionPath}/{webhook_subscription_id}/deliveries`]: {
      get: {
        operationId: 'webhook-subscription.deliveries',
        summary: 'List deliveries to a subscription, the oldest first',
        tags,
        security: [{ oauth: [`${subscriptionResource}:read`] }],
        requestParams: { path: z.object({ webhook_subscription_id: id }), query: deliveryQuerySchema },
        responses: {
          ...done(z.array(deliverySchema)),
          ...failures([...guarded, 'invalid_request', 'record_not_found']),
        },
      },
    },
    [`${subscriptionPath}/{webhook_subscription_id}/ping`]: {
      post: {
        operationId: 'webhook-subscription.ping',
        summary: 'Send a trial to a subscription',
        tags,
        security: [{ oauth: [`${subscriptionResource}:create`] }],
        requestParams: { path: z.object({ webhook_subscription_id: id }) },
        responses: { ...done(webhookEventSchema), ...failures([...guarded, 'record_not_found']) },
      },
    },
    [`${subscriptionPath}/{webhook_subscription_id}/replay`]: {
      post: {
        operationId: 'webhook-subscription.replay',
        summary: 'Deliver again what was delivered or given up',
        tags,
        security: [{ oauth: [`${subscriptionResource}:create`] }],
        requestParams: { path: z.object({ webhook_subscription_id: id }) },
        requestBody: { required: true, content: { 'application/json': { schema: replayRequestSchema } } },
        responses: {
          ...done(replayedSchema),
          ...failures([...guarded, ...withBody, 'invalid_request', 'record_not_found']),
        },
      },
    },
  };
}
