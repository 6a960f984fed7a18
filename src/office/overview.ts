/** What the whole chain looks like now: its shops, what is open, what people decided. */
import type {
  BridgeView,
  DecisionView,
  DiscrepancyRow,
  DoubtView,
  FindingView,
  KnownTerminal,
  OpenItems,
  ShopBatch,
  ShopView,
} from '../contract/office-page.ts';
import type { Database } from './database/database.ts';
import { goesOn } from './ingest/chains.ts';

export interface Overview {
  /** With all of their bridges; `only`: the one with this id. */
  shops(only?: string): Promise<ShopView[]>;
  /** The terminals of a shop, as their journals last told of them. */
  terminals(shopId: string): Promise<KnownTerminal[]>;
  /** The latest batches of a shop, the newest first. */
  batches(shopId: string, limit: number): Promise<ShopBatch[]>;
  /** What waits for a person in any shop, or in one, the oldest first; at most `limit` of each kind. */
  open(limit: number, shopId?: string): Promise<OpenItems>;
  /** What was decided by hand, newest first. */
  decisions(page: { before: string | null; limit: number }): Promise<DecisionView[]>;
}

const place = 'chains.shop_id, shops.name AS shop, chains.terminal, chains.simulated';
const ofChain = 'JOIN chains USING (chain) JOIN shops ON shops.shop_id = chains.shop_id';

/** $2: a shop's id, or null for all. */
const ofShop = '($2::uuid IS NULL OR shops.shop_id = $2)';

export function createOverview(database: Database): Overview {
  return {
    async shops(only) {
      const shops = await database.query<Omit<ShopView, 'bridges'>>(
        'SELECT shop_id, name FROM shops WHERE $1::uuid IS NULL OR shop_id = $1 ORDER BY name',
        [only ?? null],
      );
      const bridges = await database.query<BridgeView>(
        `SELECT bridge_id, shop_id, computer, version, enrolled_at, revoked_at, heard_at, clock_ahead_ms, heartbeat
         FROM bridges WHERE $1::uuid IS NULL OR shop_id = $1 ORDER BY enrolled_at`,
        [only ?? null],
      );
      const byShop = Map.groupBy(bridges, ({ shop_id }) => shop_id);
      return shops.map((shop) => ({ ...shop, bridges: byShop.get(shop.shop_id) ?? [] }));
    },
    terminals(shopId) {
      // Of a journal that goes on in several ways, the one that has grown last.
      return database.query<KnownTerminal>(
        `SELECT DISTINCT ON (terminal, simulated) terminal, simulated, protocol, terminal_id,
           ARRAY(SELECT unnest(traits) ORDER BY 1) AS traits
         FROM terminals JOIN chains USING (chain) WHERE shop_id = $1 ORDER BY terminal, simulated, grown_at DESC`,
        [shopId],
      );
    },
    batches(shopId, limit) {
      // A batch that several chains have is that of the first of them.
      return database.query<ShopBatch>(
        `SELECT batch_id, terminal, simulated, started_at, ended_at, outcome, batch_number, count, total_minor,
           expected_count, expected_minor, coalesce(told_currency, currency) AS currency, reconciled,
           EXISTS (
             SELECT FROM open_operations JOIN chains ON chains.chain = open_operations.chain
             WHERE chains.shop_id = $1 AND ${goesOn} AND operation_id = batch_id AND doubt_since IS NOT NULL
           ) AS in_doubt
         FROM batches JOIN chains USING (chain)
         WHERE shop_id = $1 AND NOT EXISTS (
           SELECT FROM batches AS other WHERE other.batch_id = batches.batch_id AND other.chain < batches.chain
         )
         ORDER BY coalesce(ended_at, started_at) DESC, batch_id LIMIT $2`,
        [shopId, limit],
      );
    },
    async open(limit, shopId) {
      const values = [limit, shopId ?? null];
      const [doubts, discrepancies, findings] = await Promise.all([
        database.query<DoubtView>(
          `SELECT operation_id, kind, ${place}, payment_id, reference, amount_minor, currency, started_at, doubt_since,
             needs_person, reason
           FROM open_operations ${ofChain} WHERE doubt_since IS NOT NULL AND ${goesOn} AND ${ofShop}
           ORDER BY doubt_since LIMIT $1`,
          values,
        ),
        database.query<DiscrepancyRow>(
          `SELECT discrepancy_id, kind, ${place}, message, refs, amount_minor, currency, found_at
           FROM open_discrepancies ${ofChain} WHERE ${ofShop} ORDER BY found_at LIMIT $1`,
          values,
        ),
        database.query<FindingView>(
          `SELECT finding_id, findings.kind, shops.shop_id, shops.name AS shop, findings.terminal, findings.simulated,
             findings.message, findings.found_at
           FROM findings JOIN bridges USING (bridge_id) JOIN shops ON shops.shop_id = bridges.shop_id
           WHERE acknowledged_at IS NULL AND ${ofShop} ORDER BY found_at LIMIT $1`,
          values,
        ),
      ]);
      return { doubts, discrepancies, findings };
    },
    decisions({ before, limit }) {
      return database.query<DecisionView>(
        `SELECT kind, ${place}, decided_at, decided_by, reason, outcome, payment_id
         FROM decisions ${ofChain}
         WHERE $1::timestamptz IS NULL OR decided_at < $1 ORDER BY decided_at DESC LIMIT $2`,
        [before, limit],
      );
    },
  };
}
