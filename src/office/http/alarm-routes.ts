/** What stands wrong, and whom the office told. Mounted behind `peopleRoutes`, which knows who asks. */
import { Router } from 'express';
import { testAlarmRequestSchema } from '../../contract/office-alarms.ts';
import type { Alarms } from '../alarms/alarms.ts';
import type { Readings } from './readings.ts';
import { jsonOf, named, refuse } from './request.ts';
import { only } from './who-asks.ts';

export function alarmRoutes({ alarms, readings }: { alarms: Alarms; readings: Readings }): Router {
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
