/** One command over HTTP: token, version, type and body of the request, then the command, then its response. */
import { apiVersions, maxBodyBytes } from '../../contract/http-commands.ts';
import type { Refusal } from '../../contract/errors.ts';
import { terminalHeader } from '../../contract/terminal-name.ts';
import { isEncoded, isJson, parseJsonObject, readBody } from '../../http/index.ts';
import { createCommandLog } from './command-log.ts';
import type { Command, CommandResponse } from './command-table.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { parsePreferWait, type LongPolls } from './long-polls.ts';
import { namedReference } from './payment-state.ts';
import { challenge, refuseAndClose, respondInternalError, respondJson, respondRefusal } from './responses.ts';
import { tokenRefusal } from './token-guard.ts';

type Body =
  | { kind: 'object'; value: Record<string, unknown> }
  /** Read to its end and refused. */
  | { kind: 'refused'; refusal: Refusal }
  /** Refused with more still to come. */
  | { kind: 'unfinished'; refusal: Refusal }
  | { kind: 'gone' };

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
      if (refusal !== null) {
        if (refusal.code === 'unauthorized') refuseAndClose(context, response, refusal, challenge);
        else respondRefusal(context, response, refusal);
        return commandLog.refused(request, requestContext, refusal);
      }

      const body = await readCommand(request);
      if (body.kind === 'gone') return;
      if (body.kind === 'refused') {
        respondRefusal(context, response, body.refusal);
        return commandLog.refused(request, requestContext, body.refusal);
      }
      if (body.kind === 'unfinished') {
        commandLog.refused(request, requestContext, body.refusal);
        return refuseAndClose(context, response, body.refusal);
      }

      const reference = namedReference(body.value);
      if (requestContext.money !== null) requestContext.money.reference = reference;
      const named = headerOf(request, terminalHeader);
      const choice = context.terminals.choose(named);
      if (!choice.ok) {
        respondRefusal(context, response, choice.refusal);
        return commandLog.refused(request, requestContext, choice.refusal);
      }
      const chosen = choice.value;
      requestContext.terminal = chosen;
      const { makeReferences } = context;
      const { unknown, run } = command.read(body.value, { makeReferences, currency: chosen.currency });
      if (unknown.length > 0) commandLog.unknownFields(request, requestContext, unknown);
      const requestedWaitS = parsePreferWait(headerOf(request, 'prefer'));
      const commandResponse = await run({
        context,
        requestContext,
        longPolls,
        requestedWaitS,
        chosen,
        named: named !== undefined,
      });
      // What is no valid request may hold anything; it is never repeated.
      if (commandResponse.ok || commandResponse.refusal.code !== 'invalid_request')
        requestContext.asked = () => JSON.stringify(knownFields(body.value, unknown));
      // The response first: its caller does not wait for a line in the log.
      respond(context, response, commandResponse);
      const about = reference.kind === 'read' ? reference.reference : commandResponse.reference;
      commandLog.responded(request, requestContext, commandResponse, about);
    } catch (error) {
      respondInternalError(context, response, error);
    }
  };
}

/** Whatever else a POS sends is nobody's business, and may be of a card. */
function knownFields(body: Record<string, unknown>, unknown: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unknown.includes(name)));
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

  if (!isJson(request)) {
    return { code: 'unsupported_media_type', message: 'Send the body as Content-Type: application/json.' };
  }
  if (isEncoded(request)) {
    return { code: 'unsupported_media_type', message: 'Send the body as it is, without a Content-Encoding.' };
  }
  return null;
}

function headerOf(request: ListenerRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The body as one JSON object, or why it is none. */
async function readCommand(request: ListenerRequest): Promise<Body> {
  const body = await readBody(request, maxBodyBytes);
  switch (body.kind) {
    case 'gone':
      return body;
    case 'cut':
      return { kind: 'unfinished', refusal: body.refusal };
    case 'too_large': {
      const message = `The body is larger than ${maxBodyBytes / 1024} KiB. A command is one small JSON object.`;
      return { kind: 'unfinished', refusal: { code: 'body_too_large', message } };
    }
    case 'complete': {
      const parsed = parseJsonObject(body.bytes);
      if (parsed.kind === 'object') return parsed;
      const what =
        parsed.kind === 'not_json'
          ? 'The body is not valid JSON in UTF-8'
          : 'The body is JSON, but not an object';
      const message = `${what}. Send one JSON object such as {"retrieval_reference_number":"A-1001"}, or {} where a command needs nothing.`;
      return { kind: 'refused', refusal: { code: 'invalid_json', message } };
    }
  }
}

function respond(
  context: ListenerContext,
  response: ListenerResponse,
  commandResponse: CommandResponse,
): void {
  const { appliedS } = commandResponse;
  const headers = appliedS === null ? undefined : { 'Preference-Applied': `wait=${appliedS}` };
  if (commandResponse.ok) respondJson(context, response, 200, commandResponse.body, headers);
  else respondRefusal(context, response, commandResponse.refusal, headers);
}
