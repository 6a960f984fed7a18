/** What stands wrong, and whom the office told. Mounted behind `peopleRoutes`, which knows who asks. */
import { Router } from 'express';
import { testAlarmRequestSchema } from '../../contract/office-alarms.ts';
import type { Alarms } from '../alarms/alarms.ts';
import type { Audit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import type { Readings } from './readings.ts';
import { jsonOf, named, refuse } from './request.ts';
import { only, whoOf } from './who-asks.ts';

export interface AlarmRoutesParts {
  database: Database;
  alarms: Alarms;
  audit: Audit;
  readings: Readings;
}

export function alarmRoutes({ database, alarms, audit, readings }: AlarmRoutesParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/alarms', named('/office/v1/alarms'), async (_request, response) => {
    await readings.note(response, 'alarms_read', {});
    response.json(await alarms.list());
  });

  router.post(
    '/alarms/test',
    named('/office/v1/alarms/test'),
    only('administrator'),
    async (request, response) => {
      const asked = await jsonOf(request, response, testAlarmRequestSchema);
      if (asked === null) return;
      // Before anything goes out: a message cannot be called back.
      await audit.note(database, whoOf(response), 'alarm_tested', asked);
      const result = await alarms.test(asked.receiver);
      if (result !== null) return void response.json(result);
      refuse(response, {
        error: 'not_found',
        message:
          'There is no such receiver in the file with the alarms. "tillbridge office alarms" lists them.',
      });
    },
  );

  return router;
}
