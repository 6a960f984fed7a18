/** Where the money of the closed batches is. Mounted behind `peopleRoutes`, which knows who asks. */
import { Router, type Response } from 'express';
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import {
  addStatementSchema,
  depositQuerySchema,
  maxAddStatementBytes,
  settleDepositSchema,
  unsettleDepositSchema,
} from '../../contract/office-deposits.ts';
import type { AuditAct } from '../../contract/office-page.ts';
import type { Audit } from '../audit.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Deposits } from '../deposits/deposits.ts';
import { settle, unsettle, type Settling } from '../deposits/settle.ts';
import { jsonOf, named, problemOf, queryOf, refuse } from './request.ts';
import type { Readings } from './readings.ts';
import { only, whoOf } from './who-asks.ts';

export interface DepositRoutesParts {
  database: Database;
  deposits: Deposits;
  audit: Audit;
  readings: Readings;
  clock: Pick<Clock, 'now'>;
  /** Something of this shop has changed. */
  onNews: (shopId: string) => void;
}

/** Nothing is to stay of what was asked for. */
class Refused extends Error {}

export function depositRoutes(parts: DepositRoutesParts): Router {
  const { database, deposits, audit, readings, clock, onNews } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/deposits', named('/office/v1/deposits'), async (request, response) => {
    const asked = depositQuerySchema.safeParse(queryOf(request));
    if (!asked.success)
      return refuse(response, { error: 'invalid_request', message: problemOf(asked.error) });
    await readings.note(response, 'deposits_read', asked.data);
    response.json(await deposits.list(asked.data));
  });

  takesWord('settle', settleDepositSchema, settle, 'deposit_settled');
  takesWord('unsettle', unsettleDepositSchema, unsettle, 'deposit_unsettled');

  router.post('/statements', named('/office/v1/statements'), only('manager'), async (request, response) => {
    const asked = await jsonOf(request, response, addStatementSchema, maxAddStatementBytes);
    if (asked === null) return;
    const { name, corrects } = asked;
    const who = whoOf(response);
    await allOrNothing(response, async () => {
      const added = await database.transaction(async (queries) => {
        const content = Buffer.from(asked.content, 'base64');
        const adding = await deposits.addStatement(queries, { name, content, corrects, by: who.name });
        if (!adding.ok) {
          refuse(response, { error: 'statement_not_kept', message: adding.message });
          throw new Refused();
        }
        const { isNew, accounts, replaced } = adding.value;
        if (isNew)
          await audit.note(queries, who, 'statement_added', {
            name,
            accounts: accounts.join(', '),
            ...(replaced > 0 ? { replaced } : {}),
          });
        return adding.value;
      });
      response.json(added);
      if (added.isNew) deposits.wake();
    });
  });

  return router;

  /** A manager's word on money, or what takes it back. */
  function takesWord<T extends { by?: string | undefined }>(
    name: string,
    schema: z.ZodType<T>,
    carryOut: (queries: Queries, asked: T, word: { by: string; at: string }) => Promise<Settling>,
    act: AuditAct,
  ): void {
    const path = `/deposits/${name}`;
    router.post(path, named(`/office/v1${path}`), only('manager'), async (request, response) => {
      const asked = await jsonOf(request, response, schema);
      if (asked === null) return;
      const who = whoOf(response);
      // Whom a provider has named speaks for nobody else.
      const by = who.by === 'provider' ? who.name : asked.by;
      if (by === undefined)
        return refuse(response, { error: 'invalid_request', message: 'by: Say whose word it is.' });
      await allOrNothing(response, async () => {
        const at = new Date(clock.now()).toISOString();
        const shops = await database.transaction(async (queries) => {
          const done = await carryOut(queries, asked, { by, at });
          if (!done.ok) {
            refuse(response, done);
            throw new Refused();
          }
          await audit.note(queries, who, act, { ...asked, by });
          return done.shops;
        });
        response.json({});
        for (const shop of shops) onNews(shop);
        deposits.wake();
      });
    });
  }
}

/** What was refused within a transaction is rolled back, and answered already. */
async function allOrNothing(response: Response, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused) || !response.headersSent) throw error;
  }
}
