/** What people ask the office, on its page and by the command line. Mounted behind `peopleRoutes`, which knows who asks. */
import { Router } from 'express';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import {
  acknowledgeFindingRequestSchema,
  overviewQuerySchema,
  type ShopDetails,
} from '../../contract/office-page.ts';
import type { Audit } from '../audit.ts';
import type { Bridges } from '../bridges.ts';
import type { Database } from '../database/database.ts';
import { acknowledge } from '../findings.ts';
import type { Overview } from '../overview.ts';
import { paymentSearchSchema, type Search } from '../search.ts';
import type { ShopStates } from '../shop-states.ts';
import type { Readings } from './readings.ts';
import { jsonOf, named, problemOf, queryOf, refuse, sendPacked } from './request.ts';
import { only, whoOf } from './who-asks.ts';

export interface OfficeRoutesParts {
  database: Database;
  bridges: Bridges;
  overview: Overview;
  shopStates: ShopStates;
  search: Search;
  audit: Audit;
  readings: Readings;
  clock: Clock;
  version: string;
  /** Something of this shop has changed. */
  onNews: (shopId: string) => void;
}

const makeCodeSchema = z.strictObject({
  shop: z.string().trim().min(1, 'must be the name of a shop').max(200),
});
const maxOpenItems = 500;
/** Of one terminal, those of some weeks. */
const maxBatches = 30;
const openQuery = z.strictObject({ shopId: z.uuid().optional() });
const decisionsPage = z.strictObject({
  before: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
/** A query string has texts only. */
const searchQuerySchema = z.preprocess((query) => {
  const { amountMinor, limit, simulated, ...texts } = query as Record<string, string>;
  return {
    ...texts,
    ...(amountMinor === undefined ? {} : { amountMinor: Number(amountMinor) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(simulated === undefined ? {} : { simulated: simulated === 'true' }),
  };
}, paymentSearchSchema);

export function officeRoutes(parts: OfficeRoutesParts): Router {
  const { database, bridges, overview, shopStates, search, audit, readings, clock, version, onNews } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  router.post('/codes', named('/office/v1/codes'), only('manager'), async (request, response) => {
    const asked = await jsonOf(request, response, makeCodeSchema);
    if (asked === null) return;
    const { shop } = asked;
    const who = whoOf(response);
    const { shopId, ...made } = await bridges.makeCode({ shop, by: who.name }, (queries) =>
      audit.note(queries, who, 'code_made', { shop }),
    );
    response.json(made);
    onNews(shopId);
  });

  router.post(
    '/bridges/:id/revoke',
    named('/office/v1/bridges/revoke'),
    only('administrator'),
    async (request, response) => {
      const id = z.uuid().safeParse(request.params['id']);
      const revoked = id.success
        ? await bridges.revoke(id.data, (queries) =>
            audit.note(queries, whoOf(response), 'bridge_revoked', { bridgeId: id.data }),
          )
        : null;
      if (revoked === null) {
        return refuse(response, {
          error: 'not_found',
          message: 'There is no such bridge, or its key was revoked before.',
        });
      }
      response.json({});
      onNews(revoked.shopId);
    },
  );

  router.get('/overview', named('/office/v1/overview'), async (request, response) => {
    const asked = overviewQuerySchema.safeParse(queryOf(request));
    if (!asked.success)
      return refuse(response, { error: 'invalid_request', message: problemOf(asked.error) });
    await sendPacked(request, response, { shops: await shopStates.shops(asked.data.shops) });
  });

  router.get('/versions', named('/office/v1/versions'), async (_request, response) => {
    response.json({ officeVersion: version, versions: await shopStates.versions() });
  });

  router.get('/shops', named('/office/v1/shops'), async (_request, response) => {
    response.json({ shops: await overview.shops() });
  });

  router.get('/shops/:id', named('/office/v1/shops/one'), async (request, response) => {
    const id = z.uuid().safeParse(request.params['id']);
    const [shop] = id.success ? await overview.shops(id.data) : [];
    if (shop === undefined)
      return refuse(response, { error: 'not_found', message: 'There is no shop with this id.' });
    response.json({ ...shop, terminals: await overview.terminals(shop.shop_id) } satisfies ShopDetails);
  });

  router.get('/shops/:id/batches', named('/office/v1/shops/batches'), async (request, response) => {
    const id = z.uuid().safeParse(request.params['id']);
    if (!id.success)
      return refuse(response, { error: 'not_found', message: 'There is no shop with this id.' });
    response.json({ batches: await overview.batches(id.data, maxBatches) });
  });

  router.get('/open', named('/office/v1/open'), async (request, response) => {
    const asked = openQuery.safeParse(queryOf(request));
    if (!asked.success)
      return refuse(response, { error: 'invalid_request', message: problemOf(asked.error) });
    await readings.note(response, 'open_read', asked.data);
    response.json(await overview.open(maxOpenItems, asked.data.shopId));
  });

  router.post(
    '/findings/:id/acknowledge',
    named('/office/v1/findings/acknowledge'),
    only('manager'),
    async (request, response) => {
      const id = z.uuid().safeParse(request.params['id']);
      const asked = await jsonOf(request, response, acknowledgeFindingRequestSchema);
      if (asked === null) return;
      const who = whoOf(response);
      // Whom a provider has named speaks for nobody else.
      const by = who.by === 'provider' ? who.name : asked.by;
      if (by === undefined)
        return refuse(response, { error: 'invalid_request', message: 'by: Say whose word it is.' });
      const { reason } = asked;
      const done = id.success
        ? await database.transaction(async (queries) => {
            const at = new Date(clock.now()).toISOString();
            const found = await acknowledge(queries, id.data, { by, reason, at });
            if (found !== null) {
              const about = { findingId: id.data, kind: found.kind, shopId: found.shopId, by, reason };
              await audit.note(queries, who, 'finding_acknowledged', about);
            }
            return found;
          })
        : null;
      if (done === null) {
        return refuse(response, {
          error: 'not_found',
          message: 'There is no such finding, or it was acknowledged before.',
        });
      }
      response.json({});
      onNews(done.shopId);
    },
  );

  router.get('/decisions', named('/office/v1/decisions'), async (request, response) => {
    const page = decisionsPage.safeParse(queryOf(request));
    if (!page.success) return refuse(response, { error: 'invalid_request', message: problemOf(page.error) });
    const { before = null, limit } = page.data;
    await readings.note(response, 'decisions_read', page.data);
    response.json({ decisions: await overview.decisions({ before, limit }) });
  });

  router.get('/payments', named('/office/v1/payments'), async (request, response) => {
    const asked = searchQuerySchema.safeParse(queryOf(request));
    if (!asked.success)
      return refuse(response, { error: 'invalid_request', message: problemOf(asked.error) });
    await audit.note(database, whoOf(response), 'searched', asked.data);
    response.json(await search.payments(asked.data));
  });

  router.get('/payments/:id', named('/office/v1/payments/one'), async (request, response) => {
    const id = z.uuid().safeParse(request.params['id']);
    const found = id.success ? await search.payment(id.data) : null;
    if (found === null) {
      const day = id.success ? await search.archivedDayOf(id.data) : null;
      const message =
        day === null
          ? 'There is no payment with this id.'
          : `The payments of ${day} are not in the database any more. "tillbridge office archive --restore" reads them from their file again.`;
      return refuse(response, { error: 'not_found', message });
    }
    // Before the answer: nobody reads a payment of which nobody can tell that it was read.
    const { payment_id: paymentId, shop, reference } = found.payment;
    await audit.note(database, whoOf(response), 'payment_read', { paymentId, shop, reference });
    response.json(found);
  });

  return router;
}
