/** The Express application of the console's port: which path does what, and for whom. */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import {
  consoleMethods,
  enterRequestSchema,
  pageHeaders,
  type ConsoleService,
  type MethodName,
} from '../../contract/console/index.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RepeatedKind, RepeatedLines } from '../../http/index.ts';
import type { Log } from '../../log/index.ts';
import type { WindowAccess } from './window-access.ts';
import { isApi, refuse, secretOf, shutOut } from './console-responses.ts';
import type { ChangeStreams } from './change-streams.ts';
import { fileRoute } from './file-route.ts';
import type { PageGuard } from './page-guard.ts';
import type { ConsoleLimits } from './console-limits.ts';

export interface ConsoleRoutesOptions {
  service: ConsoleService;
  rendererFolder: string;
  access: WindowAccess;
  guard: PageGuard;
  changes: ChangeStreams;
  limits: ConsoleLimits;
  log: Log;
  repeatedLines: RepeatedLines;
}

export function createConsoleRoutes(options: ConsoleRoutesOptions): Express {
  const { service, rendererFolder, access, guard, changes, limits, log, repeatedLines } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', 'simple');

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
    refuse(request, response, refusal.code, refusal.message);
  });

  // The guard has seen the media type; what is sent as JSON is read as JSON.
  const readBody = express.json({ limit: limits.maxBodyBytes, inflate: false, type: () => true });
  app
    .route('/api/enter')
    .post(express.json({ limit: maxEnterBytes, inflate: false, type: () => true }), (request, response) => {
      const wanted = enterRequestSchema.safeParse(request.body);
      if (!wanted.success) return refuse(request, response, 'invalid_request', 'There is no link in it.');
      const entered = access.enter(wanted.data.link);
      if (!entered.ok) {
        // Whoever has it has read it somewhere.
        if (entered.code === 'link_used') repeatedLines.note(linkUsedAgain, undefined, {});
        return shutOut(response, entered.code);
      }
      log.info('A window of the console was opened by its link');
      response.setHeader('Cache-Control', 'no-store');
      response.json({ ok: true, value: { secret: entered.secret } });
    })
    .all(otherMethod('POST'));
  // The page itself is no secret: without what the methods return it shows nothing.
  app.use('/api', (request, response, next) => {
    const refused = access.refusalFor(secretOf(request));
    if (refused === null) next();
    else shutOut(response, refused);
  });

  app.route('/api/changes').get(changes.route).all(otherMethod('GET'));
  app.route('/api/files').post(readBody, fileRoute({ service, log, limits })).all(otherMethod('POST'));
  app.all('/api/:method', (request, response, next) => {
    if (request.method !== 'POST' && isMethodName(request.params.method))
      otherMethod('POST')(request, response);
    else next();
  });
  app.post('/api/:method', readBody, async (request, response, next) => {
    const { method } = request.params;
    if (!isMethodName(method)) return next();
    response.setHeader('Cache-Control', 'no-store');
    response.json(await service.invoke(method, request.body));
  });
  app.use('/api', (request, response) => {
    refuse(request, response, 'not_found', 'There is no such method.');
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
    refuse(request, response, 'not_found', 'The console’s page is not built. "npm run build" makes it.'),
  );
  app.use((request, response) => refuse(request, response, 'not_found', 'There is no such page.'));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const [code, message] = errorResponseOf(error);
    if (code === 'internal_error') log.error('A request of the console failed', { error: String(error) });
    if (response.headersSent) response.destroy();
    else refuse(request, response, code, message);
  });
  return app;
}

/** A link's token has 43 characters. */
const maxEnterBytes = 1_024;

function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(consoleMethods, name);
}

function otherMethod(allowed: 'GET' | 'POST') {
  return (request: Request, response: Response): void => {
    response.setHeader('Allow', allowed);
    refuse(request, response, 'method_not_allowed', `This path takes ${allowed} only.`);
  };
}

const linkUsedAgain: RepeatedKind = {
  name: 'link used',
  level: 'warn',
  message: 'A link to the console was opened a second time',
  many: 'attempts to open the console by a link that was used before',
  detailed: true,
};

function refusedRequests(code: ErrorCode): RepeatedKind {
  const many = `requests to the console were refused (${code})`;
  return { name: code, level: 'info', message: 'Refused a request to the console', many };
}

/** What Express and its body reader throw; `type` is documented with the reader. */
function errorResponseOf(error: unknown): [ErrorCode, string] {
  const { type, status } = error as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.too.large':
      return ['body_too_large', 'The request is too large.'];
    case 'entity.parse.failed':
      return ['invalid_json', 'The body is not one JSON object.'];
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return ['unsupported_media_type', 'Send JSON in UTF-8, not compressed.'];
    default:
      return typeof status === 'number' && status < 500
        ? ['invalid_request', 'The request cannot be understood.']
        : ['internal_error', 'A fault in the bridge; its log says more.'];
  }
}
