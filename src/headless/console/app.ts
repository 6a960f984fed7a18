/** The Express application of the console's port: which path does what, and for whom. */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import {
  consoleQuestions,
  pageHeaders,
  type ConsoleService,
  type QuestionName,
} from '../../contract/console/index.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Log } from '../../bridge/log/index.ts';
import { isApi, refuse } from './answers.ts';
import type { ChangeStreams } from './changes.ts';
import { fileRoute } from './files.ts';
import type { Guard } from './guard.ts';
import type { ConsoleLimits } from './limits.ts';
import type { Session } from './session.ts';

export interface AppOptions {
  service: ConsoleService;
  rendererFolder: string;
  session: Session;
  guard: Guard;
  changes: ChangeStreams;
  limits: ConsoleLimits;
  log: Log;
}

export function createApp(options: AppOptions): Express {
  const { service, rendererFolder, session, guard, changes, limits, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', 'simple');

  app.use((request, response, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const failure = guard(request, isApi(request));
    if (failure === null) return next();
    log.debug('Refused a request', { code: failure.code });
    refuse(request, response, failure.code, failure.message);
  });

  app.get('/', (request, response, next) => {
    const given = request.query['token'];
    if (given === undefined) return next();
    if (!session.isToken(given)) return refuse(request, response, 'unauthorized', openTheLink);
    session.openFor(response);
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, '/');
  });
  app.use((request, response, next) => {
    if (session.isOpenFor(request)) next();
    else refuse(request, response, 'unauthorized', openTheLink);
  });

  // The guard has seen the media type; what is sent as JSON is read as JSON.
  const readBody = express.json({ limit: limits.maxBodyBytes, inflate: false, type: () => true });
  app.route('/api/changes').get(changes.route).all(otherMethod('GET'));
  app.route('/api/files').post(readBody, fileRoute({ service, log, limits })).all(otherMethod('POST'));
  app.all('/api/:question', (request, response, next) => {
    if (request.method !== 'POST' && isQuestion(request.params.question))
      otherMethod('POST')(request, response);
    else next();
  });
  app.post('/api/:question', readBody, async (request, response, next) => {
    const { question } = request.params;
    if (!isQuestion(question)) return next();
    response.setHeader('Cache-Control', 'no-store');
    response.json(await service.ask(question, request.body));
  });
  app.use('/api', (request, response) => {
    refuse(request, response, 'not_found', 'There is no such question.');
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
    const [code, message] = failureOf(error);
    if (code === 'internal_error') log.error('A request of the console failed', { error: String(error) });
    if (response.headersSent) response.destroy();
    else refuse(request, response, code, message);
  });
  return app;
}

const openTheLink =
  'This console is only for those who have its link. Open the link that the bridge printed when it started.';

function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(consoleQuestions, name);
}

function otherMethod(allowed: 'GET' | 'POST') {
  return (request: Request, response: Response): void => {
    response.setHeader('Allow', allowed);
    refuse(request, response, 'method_not_allowed', `This path takes ${allowed} only.`);
  };
}

/** What Express and its body reader throw; `type` is documented with the reader. */
function failureOf(error: unknown): [ErrorCode, string] {
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
