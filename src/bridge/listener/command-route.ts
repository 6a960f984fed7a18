/** One command over HTTP: token, version, type and body of the request, then the command, then its response. */
import type { Refusal } from '../../contract/errors.ts';
import { apiVersions } from '../../contract/commands.ts';
import { refuseAndClose, refuseAndLinger, respondRefusal, respondJson, challenge } from './responses.ts';
import type { Headers } from './responses.ts';
import { readBody } from './body.ts';
import { createCommandLog, type CommandLog } from './command-log.ts';
import type { Command, CommandResponse } from './commands.ts';
import type {
  RequestContext,
  ListenerContext,
  ListenerRequest,
  ListenerResponse,
} from './listener-context.ts';
import { respondInternalError } from './internal-errors.ts';
import { namedReference } from './payment-state.ts';
import { parsePreferWait } from './prefer.ts';
import { tokenRefusal } from './token-guard.ts';
import type { LongPolls } from './long-polls.ts';

const jsonTypePattern = /^application\/json[ \t]*(?:;|$)/i;
const versions: readonly string[] = apiVersions;

/** Each version that is spoken, as the messages list them. */
const supported = apiVersions.map((version) => `"${version}"`).join(' or ');

export function commandRoute(context: ListenerContext, longPolls: LongPolls, command: Command) {
  const commandLog = createCommandLog(context, command);
  return async (request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { requestContext } = response.locals;
    requestContext.path = command.path;
    try {
      const refusal = checkHead(context, request);
      if (refusal !== null) return refuse(context, commandLog, requestContext, request, response, refusal);

      const body = await readBody(request);
      if (body.kind === 'gone') return;
      if (body.kind === 'refused')
        return refuse(context, commandLog, requestContext, request, response, body.refusal);
      if (body.kind === 'unfinished') {
        commandLog.refused(request, requestContext, body.refusal);
        return refuseAndLinger(context, requestContext, request, response, body.refusal);
      }

      if (requestContext.money !== null) requestContext.money.reference = namedReference(body.value);
      commandLog.unknownFields(request, requestContext, body.value);
      const requestedWaitS = parsePreferWait(headerOf(request, 'prefer'));
      const commandResponse = await command.run({
        context,
        requestContext,
        longPolls,
        body: body.value,
        requestedWaitS,
      });
      // The response first: its caller does not wait for a line in the log.
      respondToCommand(context, requestContext, response, commandResponse);
      commandLog.responded(
        request,
        requestContext,
        commandResponse,
        referenceOf(body.value) ?? commandResponse.reference,
      );
    } catch (error) {
      respondInternalError(context, requestContext, response, error);
    }
  };
}

/** What the headers alone show; the body is not read before they are right. */
function checkHead(context: ListenerContext, request: ListenerRequest): Refusal | null {
  const unauthorized = tokenRefusal(context.tokens, request.headers.authorization);
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
  commandLog: CommandLog,
  requestContext: RequestContext,
  request: ListenerRequest,
  response: ListenerResponse,
  refusal: Refusal,
): void {
  if (refusal.code === 'unauthorized') {
    refuseAndClose(context, requestContext, request, response, refusal, challenge);
  } else {
    respondRefusal(context, requestContext, response, refusal);
  }
  commandLog.refused(request, requestContext, refusal);
}

function respondToCommand(
  context: ListenerContext,
  requestContext: RequestContext,
  response: ListenerResponse,
  commandResponse: CommandResponse,
): void {
  const headers: Headers | undefined =
    commandResponse.appliedS === null
      ? undefined
      : { 'Preference-Applied': `wait=${commandResponse.appliedS}` };
  if (commandResponse.ok) respondJson(context, requestContext, response, 200, commandResponse.body, headers);
  else respondRefusal(context, requestContext, response, commandResponse.refusal, headers);
}

/** The reference that a request names; undefined without one, or when it has not the form of one. */
function referenceOf(body: Record<string, unknown>): string | undefined {
  const named = namedReference(body);
  return named.kind === 'read' ? named.reference : undefined;
}
