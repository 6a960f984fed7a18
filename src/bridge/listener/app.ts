/** The Express application: which path does what, and what the others answer. */
import express from 'express';
import type { Express } from 'express';
import { answerFailure, commonHeaders } from './answers.ts';
import type { Headers } from './answers.ts';
import { commandRoute } from './command-route.ts';
import { commands } from './commands.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './context.ts';
import type { EventStreams } from './events.ts';
import { healthRoute } from './health.ts';
import { metricsRoute } from './metrics.ts';
import { openApiRoute } from './openapi-route.ts';
import { createWaits } from './waits.ts';

/** Request headers that a web page of an allowed origin may send. */
const allowedHeaders = 'Authorization, Content-Type, Last-Event-ID, Prefer, X-Api-Version, X-Request-Id';
/** How long a browser may keep the answer to a preflight, in seconds. */
const preflightAgeS = '600';

type Route = (request: ListenerRequest, response: ListenerResponse) => void | Promise<void>;

/** The guard has let a request through and put its exchange into `response.locals` before it comes here. */
export function createApp(context: ListenerContext, events: EventStreams): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);

  const waits = createWaits(context);
  for (const command of commands) {
    const { path } = command;
    app
      .route(path)
      .post(commandRoute(context, waits, command))
      .options(optionsRoute(context, path, 'POST, OPTIONS'))
      .all(otherMethod(context, path, 'POST, OPTIONS'));
  }

  const readings: Record<string, Route> = {
    '/health': healthRoute(context),
    '/events': events.route,
    '/openapi.json': openApiRoute(context),
    '/metrics': metricsRoute(context, events.size),
  };
  for (const [path, route] of Object.entries(readings)) {
    app
      .route(path)
      .get(route)
      .options(optionsRoute(context, path, 'GET, HEAD, OPTIONS'))
      .all(otherMethod(context, path, 'GET, HEAD, OPTIONS'));
  }
  return app;
}

/** For paths that the application does not know. */
export function answerNotFound(context: ListenerContext, response: ListenerResponse): void {
  answerFailure(context, response.locals.exchange, response, {
    code: 'not_found',
    message: `There is no such path. The commands are ${commands.map(({ path }) => path).join(', ')}; mind capital letters.`,
  });
}

function optionsRoute(context: ListenerContext, path: string, allow: string): Route {
  return (request, response) => {
    const { exchange } = response.locals;
    exchange.path = path;
    const headers: Headers = { ...commonHeaders(context, exchange), Allow: allow };
    if (exchange.origin !== null) {
      headers['Access-Control-Allow-Methods'] = allow;
      headers['Access-Control-Allow-Headers'] = allowedHeaders;
      headers['Access-Control-Max-Age'] = preflightAgeS;
      // Private Network Access: a page of a public site asks whether it may reach this machine.
      if (request.headers['access-control-request-private-network'] === 'true') {
        headers['Access-Control-Allow-Private-Network'] = 'true';
      }
    }
    context.tallies.answered(exchange.path, 204, context.clock.elapsed() - exchange.arrivedAt.elapsedMs);
    response.writeHead(204, headers);
    response.end();
  };
}

function otherMethod(context: ListenerContext, path: string, allow: string): Route {
  return (_request, response) => {
    const { exchange } = response.locals;
    exchange.path = path;
    const failure = {
      code: 'method_not_allowed',
      message: `${path} takes ${allow.startsWith('POST') ? 'POST' : 'GET'} only.`,
    } as const;
    answerFailure(context, exchange, response, failure, { Allow: allow });
  };
}
