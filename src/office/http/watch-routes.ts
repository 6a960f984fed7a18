/**
 * What watches the office asks: a balancer whether this process is there and can work, without a key, and Prometheus for
 * its numbers, with one. Requests through a proxy come from this computer too, so that alone lets nobody read them.
 */
import { Router } from 'express';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../database/database.ts';
import type { OfficeMetrics } from '../operations/metrics.ts';
import { isSame } from '../secrets.ts';
import { bearerOf, named, refuse } from './request.ts';

export interface WatchRoutesParts {
  database: Database;
  metrics: OfficeMetrics;
  clock: Clock;
  /** Any of them will do. */
  keys: readonly string[];
  isClosing: () => boolean;
}

/** How long the database may take to say that it is there, in milliseconds. */
const databaseWaitMs = 2_000;

export function watchRoutes({ database, metrics, clock, keys, isClosing }: WatchRoutesParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/health', named('/health'), (_request, response) => {
    response.json({ success: true, message: 'This process runs.' });
  });

  router.get('/ready', named('/ready'), async (_request, response) => {
    if (isClosing()) return response.status(503).json({ success: false, message: 'This process ends.' });
    const answers = await databaseAnswers();
    response
      .status(answers ? 200 : 503)
      .json(
        answers
          ? { success: true, message: 'Ready.' }
          : { success: false, message: 'The database does not answer.' },
      );
  });

  router.get('/metrics', named('/metrics'), async (request, response) => {
    const key = bearerOf(request);
    if (key === null || !keys.some((one) => isSame(key, one))) {
      response.set('www-authenticate', 'Bearer');
      return refuse(response, {
        error: 'key_unknown',
        message:
          'Send the key that is in "metrics-key" in the office’s data folder, as "Authorization: Bearer".',
      });
    }
    response.type(metrics.contentType).send(await metrics.text());
  });

  return router;

  function databaseAnswers(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.after(databaseWaitMs, () => resolve(false));
      database
        .query('SELECT 1')
        .then(
          () => resolve(true),
          () => resolve(false),
        )
        .finally(cancel);
    });
  }
}
