/** Which path does what, and how the others respond. */
import type { Express, Request, Response } from 'express';
import { loadOnce } from '../../base/load-once.ts';
import { commonHeaders, respondInternalError, respondRefusal } from './responses.ts';
import type { Headers } from './responses.ts';
import { commandRoute } from './command-route.ts';
import { commands } from './command-table.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import type { EventsRoute } from './events-route.ts';
import { healthRoute } from './health.ts';
import { metricsRoute } from './metrics-route.ts';
import { createLongPolls } from './long-polls.ts';

/** Request headers that a web page of an allowed origin may send. */
const allowedHeaders =
  'Authorization, Content-Type, Last-Event-ID, Prefer, X-Api-Version, X-Request-Id, X-Terminal';
/** How long a browser may keep the response to a preflight, in seconds. */
const preflightAgeS = '600';

type Route = (request: ListenerRequest, response: ListenerResponse) => void | Promise<void>;

/**
 * The handler of every request, made of an Express application and a way around it: what tills send again and again, at
 * exactly its path and with its method, reaches its route without Express, which costs as much as the route itself.
 * Express sees all the rest: other methods, query strings, whole URLs, paths that nobody knows. The first of them loads it.
 * The guard has let a request through and put its context into `response.locals` before it comes here.
 */
export function createListenerRoutes(
  context: ListenerContext,
  events: EventsRoute,
): (request: ListenerRequest, response: ListenerResponse) => void {
  const longPolls = createLongPolls(context);
  const posts = new Map<string, Route>(
    commands.map((command) => [command.path, commandRoute(context, longPolls, command)]),
  );
  const gets = new Map<string, Route>([
    ['/health', healthRoute(context)],
    ['/events', events.route],
    ['/openapi.json', openApiRoute(context)],
    ['/metrics', metricsRoute(context)],
  ]);

  async function createApp(): Promise<Express> {
    const { createExpressApp } = await import('../../http/express-app.ts');
    const made = createExpressApp();
    const add = (method: 'get' | 'post', path: string, route: Route, allow: string) => {
      const added = made.route(path);
      added[method](route);
      added.options(optionsRoute(context, path, allow)).all(otherMethod(context, path, allow));
    };
    for (const [path, route] of posts) add('post', path, route, 'POST, OPTIONS');
    for (const [path, route] of gets) add('get', path, route, 'GET, HEAD, OPTIONS');
    return made;
  }

  const direct = ({ method, url = '' }: ListenerRequest): Route | undefined => {
    if (method === 'POST') return posts.get(url);
    return method === 'GET' && url === '/health' ? gets.get(url) : undefined;
  };
  const fail = (response: ListenerResponse, error: unknown) => respondInternalError(context, response, error);
  let app: Express | null = null;

  const throughExpress = (made: Express, request: ListenerRequest, response: ListenerResponse) =>
    made(request as Request, response as ListenerResponse & Response, (error?: unknown) => {
      if (error === undefined || error === null) respondNotFound(context, response);
      else fail(response, error);
    });

  return (request, response) => {
    const route = direct(request);
    if (route !== undefined) return carryOut(route, request, response, fail);
    if (app !== null) return throughExpress(app, request, response);
    createApp().then(
      (made) => {
        app ??= made;
        // Whoever asked may have hung up meanwhile.
        if (!response.locals.requestContext.over) throughExpress(app, request, response);
      },
      (error: unknown) => fail(response, error),
    );
  };
}

/** As Express does it: a route fails by throwing or by rejecting. */
function carryOut(
  route: Route,
  request: ListenerRequest,
  response: ListenerResponse,
  fail: (response: ListenerResponse, error: unknown) => void,
): void {
  try {
    route(request, response)?.catch((error: unknown) => fail(response, error));
  } catch (error) {
    fail(response, error);
  }
}

/** For paths that the application does not know. */
function respondNotFound(context: ListenerContext, response: ListenerResponse): void {
  respondRefusal(context, response, {
    code: 'not_found',
    message: `There is no such path. The commands are ${commands.map(({ path }) => path).join(', ')}; mind capital letters.`,
  });
}

/** The document is made when somebody asks for the first time. */
function openApiRoute(context: ListenerContext): Route {
  const document = loadOnce(async () =>
    JSON.stringify((await import('./openapi.ts')).createOpenApi(context)),
  );
  return async (_request, response) => {
    const { requestContext } = response.locals;
    requestContext.path = '/openapi.json';
    try {
      const text = await document();
      if (requestContext.over) return;
      context.metrics.responded(requestContext, 200);
      response.writeHead(200, {
        ...commonHeaders(context, response),
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    } catch (error) {
      respondInternalError(context, response, error);
    }
  };
}

function optionsRoute(context: ListenerContext, path: string, allow: string): Route {
  return (request, response) => {
    const { requestContext } = response.locals;
    requestContext.path = path;
    const headers: Headers = { ...commonHeaders(context, response), Allow: allow };
    if (requestContext.origin !== null) {
      headers['Access-Control-Allow-Methods'] = allow;
      headers['Access-Control-Allow-Headers'] = allowedHeaders;
      headers['Access-Control-Max-Age'] = preflightAgeS;
      // Private Network Access: a page of a public site asks whether it may reach this machine.
      if (request.headers['access-control-request-private-network'] === 'true') {
        headers['Access-Control-Allow-Private-Network'] = 'true';
      }
    }
    context.metrics.responded(requestContext, 204);
    response.writeHead(204, headers);
    response.end();
  };
}

function otherMethod(context: ListenerContext, path: string, allow: string): Route {
  return (_request, response) => {
    const { requestContext } = response.locals;
    requestContext.path = path;
    const refusal = {
      code: 'method_not_allowed',
      message: `${path} takes ${allow.startsWith('POST') ? 'POST' : 'GET'} only.`,
    } as const;
    respondRefusal(context, response, refusal, { Allow: allow });
  };
}
