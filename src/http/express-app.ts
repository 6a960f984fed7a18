/**
 * The Express application of the console, the head office, the sandbox and the bridge's rarer routes. A module of its own,
 * because Express takes as long to load as all the rest of HTTP, and a bridge does not need it to take a payment.
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
