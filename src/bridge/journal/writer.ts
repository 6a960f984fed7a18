/** Facts into an open transaction: chain and projections together. */
import type { JournalEvent, StoredEvent } from '../../contract/journal-events.ts';
import { canonicalJson, chainHash, type ChainHead } from './chain.ts';
import { project } from './projection.ts';
import type { Tables } from './tables.ts';

/** A fact with its stamp (ISO 8601, UTC). */
export interface Entry {
  at: string;
  event: JournalEvent;
}

/**
 * Writes `entries` after what there is, and gives the new head of the chain. The caller has begun a transaction and
 * ends it. `onWritten` hears of each fact; it is not on disk before the caller has committed.
 */
export function writeEntries(
  tables: Tables,
  entries: Iterable<Entry>,
  onWritten: (stored: StoredEvent) => void,
): ChainHead {
  let head = tables.head();
  for (const { at, event } of entries) {
    const seq = head.seq + 1;
    // Before the insert: a fact that breaks a rule leaves nothing behind.
    const changes = project(event, tables.view);
    const body = canonicalJson(event);
    const hash = chainHash(head.hash, seq, at, body);
    const operationId = 'operationId' in event ? event.operationId : null;
    tables.insertEvent({ seq, at, type: event.type, operation_id: operationId, body, hash });
    for (const change of changes) tables.apply(change, seq, at);
    head = { seq, hash };
    onWritten({ seq, at, event });
  }
  return head;
}
