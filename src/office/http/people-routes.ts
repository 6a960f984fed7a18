/** How people come in and go, what each has done, and what the open pages are told. Mounted before `officeRoutes`. */
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { linkMark } from '../../contract/console/index.ts';
import {
  enterOfficeRequestSchema,
  makeLinkRequestSchema,
  type Session,
  type SignInWays,
} from '../../contract/office-page.ts';
import type { EventStreams } from './change-streams.ts';
import type { Audit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import type { KnownSession, People } from '../people.ts';
import { eventStreamType } from '../../http/index.ts';
import type { Readings } from './readings.ts';
import { jsonOf, named, problemOf, queryOf, refuse } from './request.ts';
import { only, setSessionCookie, signedIn, tokenOf, whoOf } from './who-asks.ts';

export interface PeopleRoutesParts {
  database: Database;
  people: People;
  audit: Audit;
  readings: Readings;
  streams: EventStreams;
  clock: Clock;
  version: string;
  administratorKey: string;
  ways: SignInWays;
  /** Where people reach the office, such as "http://127.0.0.1:8070"; the port is known once it is open. */
  pageOrigin: () => string;
}

const auditPage = z.strictObject({
  before: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export function peopleRoutes(parts: PeopleRoutesParts): Router {
  const { database, people, audit, readings, streams, clock, administratorKey, ways, pageOrigin } = parts;
  const router = Router({ caseSensitive: true, strict: true });
  const isSecure = () => pageOrigin().startsWith('https:');

  router.get('/sign-in', named('/office/v1/sign-in'), (_request, response) => {
    response.json(ways);
  });

  router.post('/enter', named('/office/v1/enter'), async (request, response) => {
    const asked = await jsonOf(request, response, enterOfficeRequestSchema);
    if (asked === null) return;
    const entered = await people.enter(asked.link);
    if (!entered.ok) return refuse(response, { error: entered.error, message: linkMessages[entered.error] });
    await audit.note(database, entered.session, 'signed_in', {});
    setSessionCookie(response, entered.token, isSecure());
    response.json(sessionView(entered.session));
  });

  router.use(signedIn(people, administratorKey));

  router.get('/session', named('/office/v1/session'), (_request, response) => {
    response.json(sessionView(whoOf(response)));
  });

  router.post('/sign-out', named('/office/v1/sign-out'), async (request, response) => {
    await audit.note(database, whoOf(response), 'signed_out', {});
    const token = tokenOf(request);
    if (token !== null) await people.end(token);
    setSessionCookie(response, null, isSecure());
    response.json({});
  });

  router.post('/links', named('/office/v1/links'), only('administrator'), async (request, response) => {
    const asked = await jsonOf(request, response, makeLinkRequestSchema);
    if (asked === null) return;
    await audit.note(database, whoOf(response), 'link_made', asked);
    response.json({ link: `${pageOrigin()}/${linkMark}${await people.makeLink(asked)}` });
  });

  router.get('/audit', named('/office/v1/audit'), only('manager'), async (request, response) => {
    const page = auditPage.safeParse(queryOf(request));
    if (!page.success) return refuse(response, { error: 'invalid_request', message: problemOf(page.error) });
    const { before = null, limit } = page.data;
    await readings.note(response, 'audit_read', page.data);
    response.json({ entries: await audit.page(database, { before, limit }) });
  });

  router.get('/changes', named('/office/v1/changes'), (request: Request, response: Response) => {
    if (streams.isFull())
      return refuse(response, { error: 'unavailable', message: 'Too many pages of the office are open.' });
    response.writeHead(200, { 'content-type': eventStreamType, 'x-accel-buffering': 'no' });
    if (request.method === 'HEAD') return void response.end();
    const { endsAt } = whoOf(response);
    streams.open(response, ': hello\n\n', { mayGoOn: () => clock.now() < endsAt });
  });

  return router;

  function sessionView({ name, role, by, endsAt }: KnownSession): Session {
    const end = endsAt === Infinity ? '9999-12-31T00:00:00.000Z' : new Date(endsAt).toISOString();
    return { name, role, by, endsAt: end, officeVersion: parts.version };
  }
}

const linkMessages = {
  link_used: 'This link was opened before, and works only once.',
  link_unknown: 'This link does not work any more.',
};
