/** The OpenAPI 3.1 document, made from the same zod schemas that check and type the requests and responses. */
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import {
  apiVersions,
  cancelPaymentRequestSchema,
  createPaymentResponseSchema,
  createPaymentRequestSchema,
  defaultOperationWaitS,
  failureResponseSchema,
  maxOperationWaitS,
  maxPaymentWaitS,
  plainResponseSchema,
  queryPaymentResponseSchema,
  queryPaymentRequestSchema,
  submitBatchResponseSchema,
  submitBatchRequestSchema,
  voidPaymentRequestSchema,
} from '../../contract/http-commands.ts';
import { errorCodes, errorMeaning, errorStatus } from '../../contract/errors.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { healthResponseSchema } from './health.ts';
import { moneyCommandOf } from './payment-state.ts';

export interface OpenApiOptions {
  version: string;
  makeReferences: boolean;
}

const everyCall: ErrorCode[] = [
  'host_not_allowed',
  'origin_not_allowed',
  'headers_too_large',
  'internal_error',
];
const everyCommand: ErrorCode[] = [
  ...everyCall,
  'invalid_json',
  'invalid_request',
  'api_version_missing',
  'api_version_unsupported',
  'unknown_terminal',
  'unauthorized',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'journal_unavailable',
];

/** The codes that each command can respond with beside `everyCommand`. */
const commandCodes = {
  '/CreatePayment': [
    'reference_conflict',
    'reference_on_other_terminal',
    'terminal_busy',
    'payment_unresolved',
    'withdrawn',
    'terminal_unavailable',
    'request_expired',
  ],
  '/CancelPayment': [
    'reference_on_other_terminal',
    'reference_mismatch',
    'no_payment_in_progress',
    'cancel_too_late',
    'cancel_not_possible',
    'terminal_timeout',
  ],
  '/QueryPayment': ['payment_not_found', 'payment_unresolved'],
  '/VoidPayment': [
    'payment_not_found',
    'reference_on_other_terminal',
    'payment_not_voidable',
    'payment_already_settled',
    'terminal_busy',
    'payment_unresolved',
    'void_declined',
    'terminal_error',
    'terminal_unavailable',
    'terminal_timeout',
  ],
  '/SubmitBatch': [
    'terminal_busy',
    'payment_unresolved',
    'terminal_error',
    'terminal_unavailable',
    'terminal_timeout',
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;
type CommandPath = keyof typeof commandCodes;

const paymentWait = `Seconds to hold the answer until the payment is decided or becomes unknown, at most ${maxPaymentWaitS}: "wait=60". Of a payment that is unknown already, until it is decided.`;
const operationWait = `Seconds to wait for the terminal, ${defaultOperationWaitS} when absent, at most ${maxOperationWaitS}: "wait=120".`;

export function createOpenApi(options: OpenApiOptions) {
  const createRequest = options.makeReferences
    ? createPaymentRequestSchema
    : createPaymentRequestSchema.required({ retrieval_reference_number: true });

  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Tillbridge',
        version: options.version,
        description: `A bridge between point-of-sale software and a card payment terminal.\n\n${errorTable()}`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: 'http://127.0.0.1:8080', description: 'The usual address; the port can be set.' }],
      components: {
        schemas: { Failure: failureResponseSchema },
        securitySchemes: {
          posToken: { type: 'http', scheme: 'bearer', description: 'Needed once a POS token has been made.' },
        },
      },
      paths: {
        '/CreatePayment': {
          post: command(
            '/CreatePayment',
            'Start a card payment. Answers once it is durable; the card comes later.',
            createRequest,
            createPaymentResponseSchema,
            paymentWait,
          ),
        },
        '/CancelPayment': {
          post: command(
            '/CancelPayment',
            'Stop the current payment. Success: it ended without money.',
            cancelPaymentRequestSchema,
            plainResponseSchema,
            null,
          ),
        },
        '/QueryPayment': {
          post: command(
            '/QueryPayment',
            'What has become of a payment.',
            queryPaymentRequestSchema,
            queryPaymentResponseSchema,
            paymentWait,
          ),
        },
        '/VoidPayment': {
          post: command(
            '/VoidPayment',
            'Reverse an approved payment that is not settled yet.',
            voidPaymentRequestSchema,
            plainResponseSchema,
            operationWait,
          ),
        },
        '/SubmitBatch': {
          post: command(
            '/SubmitBatch',
            'Close the day on the terminal.',
            submitBatchRequestSchema,
            submitBatchResponseSchema,
            operationWait,
          ),
        },
        '/health': { get: health() },
        '/events': {
          get: getRoute(
            'Changes of payments, batches, discrepancies and the terminal as server-sent events.',
            'text/event-stream',
            ['unauthorized', 'unknown_terminal', 'too_many_streams'],
            {
              'x-terminal': terminalName,
              'last-event-id': z
                .string()
                .optional()
                .meta({ description: 'The `id` of the last event seen: what came after it is sent again.' }),
            },
          ),
        },
        '/openapi.json': { get: getRoute('This document.', 'application/json', []) },
        '/metrics': { get: getRoute('Metrics in Prometheus text form.', 'text/plain', ['unauthorized']) },
      },
    },
    {
      override({ jsonSchema, io }) {
        // Responses may get further fields; a reader ignores those that it does not know.
        if (io === 'output') delete jsonSchema.additionalProperties;
      },
    },
  );
}

function command(
  path: CommandPath,
  summary: string,
  request: z.ZodObject,
  response: z.ZodObject,
  wait: string | null,
): ZodOpenApiOperationObject {
  const prefer = z
    .string()
    .optional()
    .meta({ description: wait ?? '', example: 'wait=60' });
  const applied = {
    'Preference-Applied': z
      .string()
      .optional()
      .meta({ description: 'The wait that was granted: "wait=60".' }),
  };
  return {
    operationId: path.slice(1),
    summary,
    security: [{}, { posToken: [] }],
    requestParams: {
      header: z.object({
        'x-api-version': z.enum(apiVersions).meta({ description: 'The version of this interface.' }),
        'x-terminal': terminalName,
        'x-request-id': requestId,
        ...(wait === null ? {} : { prefer }),
      }),
    },
    requestBody: { required: true, content: { 'application/json': { schema: request } } },
    responses: {
      200: {
        description: 'Done.',
        headers: z.object({ ...responseHeaders, ...(wait === null ? {} : applied) }),
        content: { 'application/json': { schema: response } },
      },
      ...failures([...everyCommand, ...commandCodes[path]], moneyCommandOf(path) !== null),
    },
  };
}

function getRoute(
  summary: string,
  type: string,
  codes: ErrorCode[],
  headers: Record<string, z.ZodType> = {},
): ZodOpenApiOperationObject {
  return {
    summary,
    ...(codes.includes('unauthorized') ? { security: [{}, { posToken: [] }] } : {}),
    requestParams: { header: z.object({ 'x-request-id': requestId, ...headers }) },
    responses: {
      200: {
        description: 'Done.',
        headers: z.object(responseHeaders),
        content: {
          [type]: { schema: type === 'application/json' ? { type: 'object' } : { type: 'string' } },
        },
      },
      ...failures([...everyCall, ...codes]),
    },
  };
}

function health(): ZodOpenApiOperationObject {
  const content = { 'application/json': { schema: healthResponseSchema } };
  const headers = z.object(responseHeaders);
  return {
    summary: 'Can a card be taken now? Sends nothing to the terminal.',
    requestParams: { header: z.object({ 'x-terminal': terminalName, 'x-request-id': requestId }) },
    responses: {
      200: { description: 'Ready, or at work.', headers, content },
      503: {
        description:
          'The terminal is not ready, the journal cannot be written, an operation is in doubt, or payments are held ' +
          'until a person has acknowledged what a repair of the journal lost.',
        headers,
        content,
      },
      ...failures([...everyCall, 'unknown_terminal']),
    },
  };
}

/**
 * One response for each status, whose `code` is one of those that have it. With `movesMoney` each of them tells the
 * state of the payment.
 */
function failures(codes: readonly ErrorCode[], movesMoney = false): ZodOpenApiResponsesObject {
  const { payment_state, ...fields } = failureResponseSchema.shape;
  const shape = { ...fields, payment_state: movesMoney ? payment_state.unwrap() : payment_state };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, [first, ...rest]] of byStatus) {
    if (first === undefined) continue;
    const ofStatus = [first, ...rest] as const;
    responses[`${status}` as keyof ZodOpenApiResponsesObject] = {
      description: ofStatus.map((code) => `\`${code}\`: ${errorMeaning[code]}`).join('\n\n'),
      headers: z.object({
        ...responseHeaders,
        ...(status === 401
          ? { 'WWW-Authenticate': z.string().meta({ description: 'Always "Bearer".' }) }
          : {}),
      }),
      content: {
        'application/json': { schema: z.object({ ...shape, code: z.enum(ofStatus) }) },
      },
    };
  }
  return responses;
}

const terminalName = z
  .string()
  .optional()
  .meta({
    description:
      'The name of a terminal, where the bridge has several. Without it: the terminal that has the payment of the ' +
      'reference, else the main one; of /health and /events, all.',
    example: 'bar',
  });

const requestId = z.string().max(128).optional().meta({
  description: 'Your own id for this request; it comes back and is in the log. One is made when absent.',
});

const responseHeaders = {
  'X-Request-Id': z.string().meta({ description: 'The id of the request, yours or a new one.' }),
  'X-Simulated': z
    .literal('true')
    .optional()
    .meta({ description: 'Present while the terminal is the simulator: no real money moves.' }),
};

/** Every code with its status and meaning, as a Markdown table; also in `docs/http-api.md`. */
export function errorTable(): string {
  const rows = errorCodes.map((code) => `| ${errorStatus[code]} | \`${code}\` | ${errorMeaning[code]} |`);
  return ['| status | code | when |', '|---|---|---|', ...rows].join('\n');
}
