/**
 * The Express application that each of our servers builds on. A module of its own, because Express takes as long to load as
 * all the rest of HTTP: a bridge that starts has no use for it yet.
 */
import express from 'express';
import type { Express } from 'express';

/** Takes paths as they are written, reads no query string, and adds no header of its own. */
export function createExpressApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  return app;
}
