/**
 * That something of a shop has changed, told to every process of the office (PostgreSQL's NOTIFY) and by each to the
 * pages that are open there.
 *
 *     ingest ──tell──► gathered for 200 ms ──NOTIFY──► each process ──► its pages
 *
 * It says that there is something to ask for, never what: so nothing is lost by telling it once for many changes.
 */
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/error-text.ts';
import type { OfficeChange } from '../contract/office-page.ts';
import type { LineLog } from '../log/index.ts';
import type { Database } from './database/database.ts';

export interface News {
  /** Something of this shop has changed, and is committed. Never waits. */
  tell(shopId: string): void;
  close(): Promise<void>;
}

const channel = 'office';
const gatherMs = 200;
/** After a notice that the database did not take. */
const againMs = 2_000;
/** A notice has 8,000 bytes at most, and an id 39 with its quotes. With more it is any shop. */
const maxShopsInNotice = 150;

const noticeSchema = z.object({ shops: z.array(z.string()).nullable() });

/** `onChange` hears what any process has told, this one as well. */
export async function openNews(parts: {
  database: Database;
  clock: Clock;
  log: LineLog;
  onChange: (change: OfficeChange) => void;
}): Promise<News> {
  const { database, clock, log, onChange } = parts;
  const gathered = new Set<string>();
  let cancel: (() => void) | null = null;
  let closed = false;

  const endListening = await database.listen(
    channel,
    (text) => onChange(readNotice(text)),
    // What was told while nobody listened is lost.
    () => onChange({ shops: null }),
  );

  const gather = (delayMs: number) => {
    cancel ??= clock.after(delayMs, () => {
      cancel = null;
      void notify();
    });
  };

  async function notify(): Promise<void> {
    const shops = [...gathered];
    gathered.clear();
    const change: OfficeChange = { shops: shops.length > maxShopsInNotice ? null : shops };
    try {
      await database.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(change)]);
    } catch (error) {
      if (closed) return;
      log.debug(`pages could not be told of a change yet: ${errorText(error)}`);
      for (const shop of shops) gathered.add(shop);
      gather(againMs);
    }
  }

  return {
    tell(shopId) {
      if (closed) return;
      gathered.add(shopId);
      gather(gatherMs);
    },
    async close() {
      closed = true;
      cancel?.();
      await endListening();
    },
  };
}

/** A newer office may say it in other words: then anything may have changed. */
function readNotice(text: string): OfficeChange {
  try {
    return noticeSchema.parse(JSON.parse(text));
  } catch {
    return { shops: null };
  }
}
