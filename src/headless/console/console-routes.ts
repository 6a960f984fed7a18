/** The Express application of the console's port: which path does what, and for whom. */
import { promises, Readable } from 'node:stream';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import {
  consoleMethods,
  enterRequestSchema,
  fileRequestSchema,
  maxKeepStatementBytes,
  pageHeaders,
  type ConsoleService,
  type MethodName,
} from '../../contract/console/index.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { createExpressApp } from '../../http/express-app.ts';
import type { RepeatedKind, RepeatedLines } from '../../http/index.ts';
import type { Log } from '../../log/index.ts';
import type { WindowAccess } from './window-access.ts';
import { isApi, secretOf, type ConsoleResponses } from './console-responses.ts';
import type { ChangeStreams } from './change-streams.ts';
import type { PageGuard } from './page-guard.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { errorText } from '../../base/error-text.ts';

export interface ConsoleRoutesOptions {
  service: ConsoleService;
  rendererFolder: string;
  access: WindowAccess;
  guard: PageGuard;
  responses: ConsoleResponses;
  changes: ChangeStreams;
  limits: ConsoleLimits;
  log: Log;
  repeatedLines: RepeatedLines;
}

export function createConsoleRoutes(options: ConsoleRoutesOptions): Express {
  const { service, rendererFolder, access, guard, responses, changes, limits, log, repeatedLines } = options;
  const app = createExpressApp();

  const otherMethod = (allowed: 'GET' | 'POST') => (request: Request, response: Response) => {
    response.setHeader('Allow', allowed);
    responses.refuse(request, response, 'method_not_allowed', `This path takes ${allowed} only.`);
  };

  app.use((request, response, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const refusal = guard(request, isApi(request));
    if (refusal === null) return next();
    repeatedLines.note(
      refusedRequests(refusal.code),
      request.headers.origin ?? request.headers['user-agent'],
      {
        code: refusal.code,
      },
    );
    responses.refuse(request, response, refusal.code, refusal.message);
  });

  const jsonBody = responses.jsonBody(limits.maxBodyBytes);
  app
    .route('/api/enter')
    .post(responses.jsonBody(maxEnterBytes), (request, response) => {
      const wanted = enterRequestSchema.safeParse(request.body);
      if (!wanted.success)
        return responses.refuse(request, response, 'invalid_request', 'There is no link in it.');
      const entered = access.enter(wanted.data.link);
      if (!entered.ok) {
        // Whoever has it has read it somewhere.
        if (entered.code === 'link_used') repeatedLines.note(linkUsedAgain, undefined, {});
        return responses.shutOut(request, response, entered.code);
      }
      log.info('a window of the console was opened by its link');
      response.setHeader('Cache-Control', 'no-store');
      response.json({ ok: true, value: { secret: entered.secret } });
    })
    .all(otherMethod('POST'));
  // The page itself is no secret: without what the methods return it shows nothing.
  app.use('/api', (request, response, next) => {
    const refused = access.refusalFor(secretOf(request));
    if (refused === null) next();
    else responses.shutOut(request, response, refused);
  });

  app.route('/api/changes').get(changes.route).all(otherMethod('GET'));
  app.route('/api/files').post(jsonBody, fileRoute(options)).all(otherMethod('POST'));
  app.all('/api/:method', (request, response, next) => {
    if (request.method !== 'POST' && isMethodName(request.params.method))
      otherMethod('POST')(request, response);
    else next();
  });
  const statementBody = responses.jsonBody(maxKeepStatementBytes);
  const bodyOfMethod: RequestHandler<{ method: string }> = (request, response, next) =>
    (request.params.method === 'keepStatement' ? statementBody : jsonBody)(request, response, next);
  app.post('/api/:method', bodyOfMethod, async (request, response, next) => {
    const { method } = request.params;
    if (!isMethodName(method)) return next();
    response.setHeader('Cache-Control', 'no-store');
    response.json(await service.invoke(method, request.body));
  });
  app.use('/api', (request, response) => {
    responses.refuse(request, response, 'not_found', 'There is no such method.');
  });

  app.use(
    express.static(rendererFolder, {
      dotfiles: 'ignore',
      redirect: false,
      cacheControl: false,
      setHeaders: (response) => response.setHeader('Cache-Control', 'private, no-cache'),
    }),
  );
  app.get('/', (request, response) =>
    responses.refuse(
      request,
      response,
      'not_found',
      'The console’s page is not built. "npm run build" makes it.',
    ),
  );
  app.use((request, response) => responses.refuse(request, response, 'not_found', 'There is no such page.'));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const { status } = error as { status?: unknown };
    const isOurs = typeof status !== 'number' || status >= 500;
    if (isOurs) log.error('a request of the console failed', { err: error });
    if (response.headersSent) response.destroy();
    else if (isOurs) responses.refuse(request, response, 'internal_error', 'An internal error; see the log.');
    else responses.refuse(request, response, 'invalid_request', 'The request cannot be understood.');
  });
  return app;
}

/** A link's token has 43 characters. */
const maxEnterBytes = 1_024;

function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(consoleMethods, name);
}

const linkUsedAgain: RepeatedKind = {
  name: 'link used',
  level: 'warn',
  message: 'a link to the console was opened a second time',
  many: 'attempts to open the console by a link that was used before',
  detailed: true,
};

function refusedRequests(code: ErrorCode): RepeatedKind {
  const many = `requests to the console were refused (${code})`;
  return { name: code, level: 'info', message: 'refused a request to the console', many };
}

/** `POST /api/files`: a file that the host makes, as an attachment that the browser saves. */
function fileRoute({ service, responses, log, limits }: ConsoleRoutesOptions) {
  return async (request: Request, response: Response): Promise<void> => {
    const wanted = fileRequestSchema.safeParse(request.body);
    if (!wanted.success)
      return responses.refuse(request, response, 'invalid_request', 'There is no such file.');
    let file: Awaited<ReturnType<ConsoleService['makeFile']>>;
    try {
      file = await service.makeFile(wanted.data);
    } catch (error) {
      const reason = errorText(error);
      log.error('a file could not be made', { file: wanted.data.kind, err: error });
      return responses.refuse(request, response, 'internal_error', `The file could not be made: ${reason}`);
    }
    response.attachment(file.name);
    response.setHeader('Content-Type', file.mediaType);
    response.setHeader('Cache-Control', 'no-store');
    response.setTimeout(limits.fileStallMs, () => response.destroy());
    try {
      // A page that goes away ends the making, too. A file that breaks off is never ended properly, so that the
      // browser does not take it for whole.
      await promises.pipeline(Readable.from(file.content, { objectMode: false }), response);
    } catch (error) {
      log.warn('a file was not sent to its end', { file: wanted.data.kind, err: error });
    }
  };
}
