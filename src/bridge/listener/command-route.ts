/** One command over HTTP: token, version, type and body of the request, then the command, then its answer. */
import { apiVersions } from '../../contract/commands.ts';
import { answerAndClose, answerAndLinger, answerFailure, answerJson, challenge } from './answers.ts';
import type { Failure, Headers } from './answers.ts';
import { readBody } from './body.ts';
import { createCommandLines, type CommandLines } from './command-lines.ts';
import type { Command, Reply } from './commands.ts';
import type { Exchange, ListenerContext, ListenerRequest, ListenerResponse } from './context.ts';
import { answerInternalError } from './faults.ts';
import { namedReference } from './payment-state.ts';
import { parsePreferWait } from './prefer.ts';
import { tokenFailure } from './token-guard.ts';
import type { Waits } from './waits.ts';

const jsonTypePattern = /^application\/json[ \t]*(?:;|$)/i;
const versions: readonly string[] = apiVersions;

/** Each version that is spoken, as the messages list them. */
const supported = apiVersions.map((version) => `"${version}"`).join(' or ');

export function commandRoute(context: ListenerContext, waits: Waits, command: Command) {
  const lines = createCommandLines(context, command);
  return async (request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { exchange } = response.locals;
    exchange.path = command.path;
    try {
      const objection = checkHead(context, request);
      if (objection !== null) return refuse(context, lines, exchange, request, response, objection);

      const body = await readBody(request);
      if (body.kind === 'gone') return;
      if (body.kind === 'refused') return refuse(context, lines, exchange, request, response, body.failure);
      if (body.kind === 'unfinished') {
        lines.refused(request, exchange, body.failure);
        return answerAndLinger(context, exchange, request, response, body.failure);
      }

      if (exchange.money !== null) exchange.money.reference = namedReference(body.value);
      lines.unknownFields(request, exchange, body.value);
      const wishS = parsePreferWait(headerOf(request, 'prefer'));
      const reply = await command.run({ context, exchange, waits, body: body.value, wishS });
      // The answer first: its caller does not wait for a line in the log.
      answerReply(context, exchange, response, reply);
      lines.answered(request, exchange, reply, referenceOf(body.value) ?? reply.reference);
    } catch (error) {
      answerInternalError(context, exchange, response, error);
    }
  };
}

/** What the headers alone tell; the body is not read before they are right. */
function checkHead(context: ListenerContext, request: ListenerRequest): Failure | null {
  const unauthorized = tokenFailure(context.tokens, request.headers.authorization);
  if (unauthorized !== null) return unauthorized;

  const version = headerOf(request, 'x-api-version');
  if (version === undefined) {
    return {
      code: 'api_version_missing',
      message: `The header x-api-version is missing. Send x-api-version: v1 (${supported} is supported).`,
    };
  }
  if (!versions.includes(version)) {
    return {
      code: 'api_version_unsupported',
      message: `This version of the interface is not spoken here. Send x-api-version with ${supported}.`,
    };
  }

  if (!jsonTypePattern.test(request.headers['content-type'] ?? '')) {
    return { code: 'unsupported_media_type', message: 'Send the body as Content-Type: application/json.' };
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return { code: 'unsupported_media_type', message: 'Send the body as it is, without a Content-Encoding.' };
  }
  return null;
}

function headerOf(request: ListenerRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function refuse(
  context: ListenerContext,
  lines: CommandLines,
  exchange: Exchange,
  request: ListenerRequest,
  response: ListenerResponse,
  failure: Failure,
): void {
  if (failure.code === 'unauthorized') {
    answerAndClose(context, exchange, request, response, failure, challenge);
  } else {
    answerFailure(context, exchange, response, failure);
  }
  lines.refused(request, exchange, failure);
}

function answerReply(
  context: ListenerContext,
  exchange: Exchange,
  response: ListenerResponse,
  reply: Reply,
): void {
  const headers: Headers | undefined =
    reply.appliedS === null ? undefined : { 'Preference-Applied': `wait=${reply.appliedS}` };
  if (reply.ok) answerJson(context, exchange, response, 200, reply.body, headers);
  else answerFailure(context, exchange, response, reply.failure, headers);
}

/** The reference that a request names; undefined without one, or when it has not the form of one. */
function referenceOf(body: Record<string, unknown>): string | undefined {
  const named = namedReference(body);
  return named.kind === 'read' ? named.reference : undefined;
}
