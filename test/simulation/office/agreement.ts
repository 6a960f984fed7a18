/**
 * Compares what the head office knows of a shop with the shop's own journal, by the tables of both: it shares no code with
 * what has brought the one to the other.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../../../src/office/database/database.ts';
import type { Finding } from '../evidence.ts';

interface OfficePayment {
  id: string;
  status: string;
  minor: number;
  /** The office says that a lost part of the journal has said the newest of it. */
  lost: boolean;
  /** Of its newest event, as far as the office has it there. */
  chain: number;
  seq: number;
}

/** What the office may tell of a journal, and how often it must have gone back before that. */
const goneBackFor: Record<string, number> = {
  journal_behind: 1,
  journal_branched: 1,
  operations_lost: 1,
  discrepancy_lost: 1,
  two_places: 2,
};

export async function compareWithOffice(parts: {
  database: Database;
  shopId: string;
  journalFile: string;
  /** How many times the journal went back. */
  wentBack: number;
}): Promise<Finding[]> {
  const { database, shopId, journalFile, wentBack } = parts;
  const findings: Finding[] = [];
  const say = (rule: string, text: string) => findings.push({ rule, text });
  const inOffice = <T extends object>(sql: string) => database.query<T>(sql, [shopId]);
  const journal = new DatabaseSync(journalFile, { readOnly: true });
  const inJournal = <T>(sql: string) => journal.prepare(sql).all() as T[];
  try {
    const told = await inOffice<{ kind: string; chain: number | null; message: string }>(
      'SELECT kind, chain, message FROM findings JOIN bridges USING (bridge_id) WHERE shop_id = $1',
    );
    for (const { kind, message } of told) {
      if (wentBack < (goneBackFor[kind] ?? Infinity))
        say('the office tells only what is so', `${kind}: ${message}`);
    }
    // The office cannot know of each: what went back may have had nothing yet that the office has.
    const branches = told.filter(({ kind }) => kind === 'journal_branched');
    if (branches.length > wentBack)
      say(
        'the office tells only what is so',
        `${branches.length} branches, and it went back ${wentBack} times`,
      );
    const others = await inOffice<{ chain: number }>(
      'SELECT chain FROM chains WHERE shop_id = $1 ORDER BY chain OFFSET 1',
    );
    const untoldOf = others.filter((other) => branches.every(({ chain }) => chain !== other.chain));
    if (untoldOf.length > 0)
      say(
        'each time that a journal went back is told',
        `of ${others.length} times ${untoldOf.length} are not told`,
      );

    const ownEvents = inJournal<{ seq: number; hash: string }>('SELECT seq, hash FROM events ORDER BY seq');
    const events = await inOffice<{ chain: number; seq: number; hash: string }>(
      `SELECT chain, seq, encode(hash, 'hex') AS hash FROM events JOIN chains USING (chain) WHERE shop_id = $1`,
    );
    const kept = new Map<string, number>();
    for (const { seq, hash } of events) kept.set(`${seq} ${hash}`, (kept.get(`${seq} ${hash}`) ?? 0) + 1);
    const missing = ownEvents.filter(({ seq, hash }) => !kept.has(`${seq} ${hash}`));
    if (missing.length > 0)
      say('the office has every event', `${missing.length} are missing, the first is ${missing[0]?.seq}`);
    const twice = [...kept].filter(([, times]) => times > 1);
    if (twice.length > 0) say('no event is kept twice', `${twice.length}, such as ${twice[0]?.[0]}`);
    const own = new Set(ownEvents.map(({ seq, hash }) => `${seq} ${hash}`));
    const gone = events.filter(({ seq, hash }) => !own.has(`${seq} ${hash}`));
    if (gone.length > 0 && told.length === 0)
      say('a journal that went back is told', `${gone.length} events are not in the shop any more`);

    const payments = await inOffice<OfficePayment>(
      `SELECT payment_id AS id, status, amount_minor AS minor, EXISTS (
         SELECT FROM chains WHERE chains.chain = payments.chain AND in_journal_to < last_seq
       ) AS lost, chain, last_seq AS seq FROM payments WHERE shop_id = $1`,
    );
    const present = new Set(
      events.filter(({ seq, hash }) => own.has(`${seq} ${hash}`)).map(({ chain, seq }) => `${chain} ${seq}`),
    );
    for (const { id, lost, chain, seq } of payments) {
      if (lost && present.has(`${chain} ${seq}`)) say('what the shop has is not called lost', id);
    }
    const known = new Map(payments.map((payment) => [payment.id, payment]));
    const ownPayments = inJournal<{ id: string; status: string; minor: number }>(
      'SELECT transaction_id AS id, status, amount_minor AS minor FROM payments',
    );
    for (const { id, status, minor } of ownPayments) {
      const found = known.get(id);
      known.delete(id);
      if (found === undefined) say('the office has every payment', `${id}, ${status}`);
      else if ((found.status !== status && !found.lost) || found.minor !== minor)
        say(
          'office and shop agree on a payment',
          `${id}: ${status} ${minor} in the shop, ${found.status} ${found.minor} in the office`,
        );
    }
    for (const { id, status, lost } of known.values()) {
      if (!lost) say('what only the office knows is called lost', `${id}, ${status}`);
    }

    const open = await inOffice<{ id: string }>(
      `SELECT operation_id AS id FROM open_operations JOIN chains USING (chain)
       WHERE shop_id = $1 AND in_journal_to IS NULL`,
    );
    const openThere = open.map(({ id }) => id);
    const openHere = inJournal<{ id: string }>(
      "SELECT operation_id AS id FROM operations WHERE phase <> 'ended'",
    ).map(({ id }) => id);
    if (openThere.toSorted().join(' ') !== openHere.toSorted().join(' '))
      say(
        'office and shop agree on what is open',
        `${openHere.length} in the shop, ${openThere.length} in the office`,
      );

    const unseenThere = await inOffice<{ id: string }>(
      'SELECT DISTINCT discrepancy_id AS id FROM open_discrepancies JOIN chains USING (chain) WHERE shop_id = $1',
    );
    const unseenHere = inJournal<{ id: string }>(
      'SELECT discrepancy_id AS id FROM discrepancies WHERE acknowledged_seq IS NULL',
    );
    const [there, here] = [unseenThere, unseenHere].map((rows) => rows.map(({ id }) => id).toSorted());
    if (there?.join(' ') !== here?.join(' '))
      say(
        'office and shop agree on what waits for a person',
        `${unseenHere.length} discrepancies in the shop, ${unseenThere.length} in the office`,
      );
  } finally {
    journal.close();
  }
  return findings;
}
