/** What the log is told of the calls of one command: what moved something always, what anybody can repeat within bounds. */
import { errorStatus } from '../../contract/errors.ts';
import { type LogFields, maskCardNumbers } from '../../log/index.ts';
import type { Failure } from './answers.ts';
import type { Command, Reply } from './commands.ts';
import type { Exchange, ListenerContext, ListenerRequest } from './context.ts';
import { unknownFields } from './issues.ts';
import { maxLoggedFields, maxLoggedLength } from './limits.ts';

export interface CommandLines {
  answered(request: ListenerRequest, exchange: Exchange, reply: Reply, reference: string | undefined): void;
  refused(request: ListenerRequest, exchange: Exchange, failure: Failure, reference?: string): void;
  unknownFields(request: ListenerRequest, exchange: Exchange, body: Record<string, unknown>): void;
}

export function createCommandLines(context: ListenerContext, command: Command): CommandLines {
  const { log, repeated, polls, clock } = context;
  const { path } = command;
  /** What the newest line of a success was about; many callers can join one operation, and each is answered. */
  let toldOf: string | null = null;

  const fieldsOf = (exchange: Exchange, failure: Failure | null, reference?: string): LogFields => ({
    request_id: exchange.requestId,
    command: path.slice(1),
    status: failure === null ? 200 : errorStatus[failure.code],
    ...(failure === null ? {} : { code: failure.code }),
    ...(reference === undefined ? {} : { reference }),
    duration_ms: Math.round(clock.elapsed() - exchange.arrivedAt.elapsedMs),
  });

  const refused: CommandLines['refused'] = (request, exchange, failure, reference) => {
    const { code } = failure;
    const why = code === 'unauthorized' ? 'without a valid token' : `(${code})`;
    repeated.note(
      {
        name: `${path} ${code}`,
        level: 'info',
        message: `${path} refused`,
        many: `requests for ${path} ${why} were refused`,
        // A call of a till is worth a line; those of somebody who may not call are only counted.
        ...(code === 'unauthorized' ? {} : { detailed: true }),
      },
      callerName(request),
      fieldsOf(exchange, failure, reference),
    );
  };

  return {
    refused,

    answered(request, exchange, reply, reference) {
      if (!reply.ok) return refused(request, exchange, reply.failure, reference);
      const message = `${path} answered`;
      const many = `requests for ${path} were answered`;
      const fields = fieldsOf(exchange, null, reference);
      // A till that polls would push everything else out of the log.
      if (path === '/QueryPayment') {
        const poll = { name: path, level: 'debug', message, many, detailed: true } as const;
        return polls.note(poll, callerName(request), fields);
      }
      const about = reference ?? JSON.stringify(reply.body['batch'] ?? null);
      if (reply.repeated === true || about === toldOf) {
        const again = { name: `${path} again`, level: 'info', message, many, detailed: true } as const;
        return repeated.note(again, callerName(request), fields);
      }
      toldOf = about;
      log.info(message, fields);
    },

    unknownFields(request, exchange, body) {
      const unknown = unknownFields(command.schema, body);
      if (unknown.length === 0) return;
      const kind = {
        name: `${path} unknown fields`,
        level: 'info',
        message: `${path} ignored fields that it does not know`,
        many: `requests for ${path} had fields that it does not know`,
        detailed: true,
      } as const;
      repeated.note(kind, callerName(request), {
        request_id: exchange.requestId,
        fields: unknown
          .slice(0, maxLoggedFields)
          .map((name) => maskCardNumbers(name).slice(0, maxLoggedLength)),
        count: unknown.length,
      });
    },
  };
}

/** What a caller calls itself. */
function callerName(request: ListenerRequest): string | undefined {
  return request.headers.origin ?? request.headers['user-agent'];
}
