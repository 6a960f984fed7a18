/** What the log has of the calls of one command: what moved something always, what anybody can repeat within bounds. */
import { errorStatus, isOrdinaryRefusal, type Refusal } from '../../contract/errors.ts';
import { type LogFields, maskCardNumbers } from '../../log/index.ts';
import type { Command, CommandResponse } from './command-table.ts';
import type { RequestContext, ListenerContext, ListenerRequest } from './listener-context.ts';
import { maxLoggedBody, maxLoggedFields, maxLoggedLength, maxRepeatedBody } from './listener-limits.ts';

export interface CommandLog {
  responded(
    request: ListenerRequest,
    requestContext: RequestContext,
    commandResponse: CommandResponse,
    reference: string | undefined,
  ): void;
  refused(
    request: ListenerRequest,
    requestContext: RequestContext,
    refusal: Refusal,
    reference?: string,
  ): void;
  unknownFields(request: ListenerRequest, requestContext: RequestContext, names: readonly string[]): void;
}

export function createCommandLog(context: ListenerContext, command: Command): CommandLog {
  const { log, repeatedLines, queryLines, clock } = context;
  const { path } = command;
  /** What the newest line of a success was about; many callers can join one operation, and each is answered. */
  let toldOf: string | null = null;

  const fieldsOf = (
    requestContext: RequestContext,
    refusal: Refusal | null,
    reference?: string,
    maxBody = maxRepeatedBody,
  ): LogFields => ({
    request_id: requestContext.requestId,
    command: path.slice(1),
    status: refusal === null ? 200 : errorStatus[refusal.code],
    ...(refusal === null ? {} : { code: refusal.code }),
    ...(requestContext.terminal === null || !context.terminals.several
      ? {}
      : { terminal: requestContext.terminal.name }),
    ...(reference === undefined ? {} : { reference }),
    ...bodies(requestContext, maxBody),
    duration_ms: Math.round(clock.elapsed() - requestContext.arrivedAt.elapsedMs),
  });

  const refused: CommandLog['refused'] = (request, requestContext, refusal, reference) => {
    const { code } = refusal;
    const why = code === 'unauthorized' ? 'without a valid token' : `(${code})`;
    repeatedLines.note(
      {
        name: `${path} ${code}`,
        level: isOrdinaryRefusal(code) ? 'info' : 'warn',
        message: `${path} refused`,
        many: `requests for ${path} ${why} were refused`,
        // A call of a till is worth a line; those of somebody who may not call are only counted.
        ...(code === 'unauthorized' ? {} : { detailed: true }),
      },
      callerName(request),
      () => fieldsOf(requestContext, refusal, reference),
    );
  };

  return {
    refused,

    responded(request, requestContext, commandResponse, reference) {
      if (!commandResponse.ok) return refused(request, requestContext, commandResponse.refusal, reference);
      const message = `${path} answered`;
      const many = `requests for ${path} were answered`;
      // Of polls and repeats most are only counted.
      const fields = () => fieldsOf(requestContext, null, reference);
      // A till that polls would push everything else out of the log.
      if (path === '/QueryPayment') {
        const poll = { name: path, level: 'debug', message, many, detailed: true } as const;
        return queryLines.note(poll, callerName(request), fields);
      }
      const about = reference ?? JSON.stringify(commandResponse.body['batch'] ?? null);
      if (commandResponse.repeated === true || about === toldOf) {
        const again = { name: `${path} again`, level: 'info', message, many, detailed: true } as const;
        return repeatedLines.note(again, callerName(request), fields);
      }
      toldOf = about;
      log.info(message, fieldsOf(requestContext, null, reference, maxLoggedBody));
    },

    unknownFields(request, requestContext, names) {
      const kind = {
        name: `${path} unknown fields`,
        level: 'info',
        message: `${path} ignored fields that it does not know`,
        many: `requests for ${path} had fields that it does not know`,
        detailed: true,
      } as const;
      repeatedLines.note(kind, callerName(request), {
        request_id: requestContext.requestId,
        fields: names
          .slice(0, maxLoggedFields)
          .map((name) => maskCardNumbers(name).slice(0, maxLoggedLength)),
        count: names.length,
      });
    },
  };
}

/** What the POS asked and what it was told, word for word, but masked. */
function bodies({ asked, answered }: RequestContext, maxLength: number): LogFields {
  return {
    ...(asked === undefined ? {} : { asked: bounded(asked(), maxLength) }),
    ...(answered === undefined ? {} : { answered: bounded(answered, maxLength) }),
  };
}

/**
 * Masked here, not only with its line: there it is JSON within JSON, in which a line end between two digits takes more
 * characters than there may be in a number. And before it is cut, so that no piece of a card number is left over.
 */
function bounded(body: string, maxLength: number): string {
  const masked = maskCardNumbers(body);
  return masked.length <= maxLength ? masked : `${masked.slice(0, maxLength)}…`;
}

/** What a caller calls itself. */
function callerName(request: ListenerRequest): string | undefined {
  return request.headers.origin ?? request.headers['user-agent'];
}
