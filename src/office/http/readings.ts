/** Readings of lists that a page asks for again with each change: for a while, in one session, they are one entry in the audit log. */
import type { Response } from 'express';
import type { Clock } from '../../base/clock.ts';
import type { AuditAct } from '../../contract/office-page.ts';
import type { Audit } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { whoOf } from './who-asks.ts';

export interface Readings {
  /** To be awaited before the answer: nobody reads what nobody can tell was read. */
  note(response: Response, act: AuditAct, about: Record<string, unknown>): Promise<void>;
}

const oneReadingMs = 15 * 60_000;
const maxReadings = 1_000;

export function createReadings(parts: {
  database: Database;
  audit: Audit;
  clock: Pick<Clock, 'now'>;
}): Readings {
  const { database, audit, clock } = parts;
  /** When each was written last. */
  const written = new Map<string, number>();
  return {
    async note(response, act, about) {
      const who = whoOf(response);
      const reading = JSON.stringify([who.by, who.name, who.endsAt, act, about]);
      const now = clock.now();
      const last = written.get(reading);
      if (last !== undefined && now - last < oneReadingMs) return;
      await audit.note(database, who, act, about);
      // Only now: what could not be written has to be tried again.
      if (written.size >= maxReadings) written.clear();
      written.set(reading, now);
    },
  };
}
