/** Who has asked for which payments, and who has done what, in the order in which it happened. Only its time takes it away. */
import type { Clock } from '../base/clock.ts';
import type { AuditAct, AuditEntry } from '../contract/office-page.ts';
import { maskCardNumbers } from '../log/index.ts';
import type { Queries } from './database/database.ts';
import { storableJson, storableText } from './database/storable.ts';

type Doer = Pick<AuditEntry, 'role'> & { name: string; by: AuditEntry['signed_in_by'] };

export interface Audit {
  /**
   * Written before what was asked is answered, and in the same transaction as what was done: `queries` is that one.
   */
  note(queries: Queries, who: Doer, act: AuditAct, about: Record<string, unknown>): Promise<void>;
  /** Newest first. */
  page(queries: Queries, page: { before: number | null; limit: number }): Promise<AuditEntry[]>;
}

export function createAudit(clock: Pick<Clock, 'now'>): Audit {
  return {
    async note(queries, { name, role, by }, act, about) {
      await queries.query(
        'INSERT INTO audit (at, person, role, signed_in_by, act, about) VALUES ($1, $2, $3, $4, $5, $6::jsonb)',
        [
          new Date(clock.now()).toISOString(),
          storableText(name),
          role,
          by,
          act,
          // Somebody may search for the number of a card by mistake.
          storableJson(masked(about)),
        ],
      );
    },
    page(queries, { before, limit }) {
      return queries.query<AuditEntry>(
        `SELECT entry, at, person, role, signed_in_by, act, about FROM audit
         WHERE $1::bigint IS NULL OR entry < $1 ORDER BY entry DESC LIMIT $2`,
        [before, limit],
      );
    },
  };
}

function masked(about: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(about).map(([name, value]) => [
      name,
      typeof value === 'string' ? maskCardNumbers(value) : value,
    ]),
  );
}
