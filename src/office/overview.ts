/** What the whole chain looks like now: its shops, what is open, what people decided. */
import type {
  BridgeView,
  DecisionView,
  DiscrepancyRow,
  DoubtView,
  FindingView,
  OpenItems,
  ShopView,
} from '../contract/office-page.ts';
import type { Database } from './database/database.ts';

export interface Overview {
  /** With all of their bridges; `only`: the one with this id. */
  shops(only?: string): Promise<ShopView[]>;
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
    async open(limit, shopId) {
      const values = [limit, shopId ?? null];
      const [doubts, discrepancies, findings] = await Promise.all([
        database.query<DoubtView>(
          `SELECT operation_id, kind, ${place}, payment_id, reference, amount_minor, currency, started_at, doubt_since,
             needs_person, reason
           FROM open_operations ${ofChain} WHERE doubt_since IS NOT NULL AND ${ofShop} ORDER BY doubt_since LIMIT $1`,
          values,
        ),
        database.query<DiscrepancyRow>(
          `SELECT discrepancy_id, kind, ${place}, message, refs, amount_minor, currency, found_at
           FROM discrepancies ${ofChain} WHERE acknowledged_at IS NULL AND ${ofShop} ORDER BY found_at LIMIT $1`,
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
