/** The shops and their bridges: who may send, with which key, and what each said of itself last. */
import { timingSafeEqual } from 'node:crypto';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import {
  enrolmentCodePattern,
  heartbeatEveryMs,
  type EnrolRequest,
  type EnrolResponse,
  type Heartbeat,
} from '../contract/office.ts';
import type { Database, Queries } from './database/database.ts';
import { storableJson, storableText } from './database/storable.ts';
import { noteLags } from './journal-lags.ts';
import { hashOf, newSecret } from './secrets.ts';

export interface Bridges {
  /** Makes a one-time code with which one bridge can join the shop, which is made where there is none of that name. */
  makeCode(
    asked: { shop: string; by: string },
    also?: Also,
  ): Promise<{ shopId: string; code: string; expiresAt: string }>;
  /** Null: the code is unknown, too old, or used by another bridge than the one with this key. */
  enrol(request: EnrolRequest): Promise<Enrolled | null>;
  /** Null: the key is unknown, or was revoked. */
  bridgeOf(key: string): Promise<KnownBridge | null>;
  /** Null: there is no such bridge, or its key was revoked before. */
  revoke(bridgeId: string, also?: Also): Promise<{ shopId: string } | null>;
  /** True: it says otherwise than before, or had been silent. */
  heard(bridge: KnownBridge, heartbeat: Heartbeat): Promise<boolean>;
}

/** Carried out in the same transaction, so that both are done or neither. */
type Also = (queries: Queries) => Promise<void>;

type Enrolled = Omit<EnrolResponse, 'officeVersion'>;

export interface KnownBridge {
  bridgeId: string;
  shopId: string;
  shopName: string;
}

/** How long a code waits to be used, in milliseconds: the day of a visit to the shop, with its evening. */
const codeLifeMs = 24 * 60 * 60_000;
/** Without those that are mistaken for each other: 0 and O, 1 and I. */
const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeGroups = 4;
const codeGroupLength = 4;
/** A bridge that was not heard for so long is silent, in milliseconds: three times in a row. */
export const silentAfterMs = 3 * heartbeatEveryMs;
/** How long a known key is believed without asking the database, in milliseconds: so late a revocation may be felt. */
const keyMemoryMs = 5_000;
const maxKeysInMemory = 20_000;

export function createBridges(
  database: Database,
  { clock, chance }: { clock: Clock; chance: Chance },
): Bridges {
  const now = () => new Date(clock.now()).toISOString();
  const known = new Map<string, { bridge: KnownBridge; until: number }>();

  return {
    async makeCode({ shop, by }, also) {
      const groups = Array.from({ length: codeGroups }, () =>
        Array.from(
          { length: codeGroupLength },
          () => codeLetters[chance.integer(0, codeLetters.length)],
        ).join(''),
      );
      const code = groups.join('-');
      const expiresAt = new Date(clock.now() + codeLifeMs).toISOString();
      const shopId = await database.transaction(async (queries) => {
        await queries.query(
          'INSERT INTO shops (shop_id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
          [chance.uuid(), shop, now()],
        );
        const [made] = await queries.query<{ shop_id: string }>(
          `INSERT INTO enrolment_codes (code_hash, shop_id, made_by, made_at, expires_at)
           SELECT $1, shop_id, $2, $3, $4 FROM shops WHERE name = $5 RETURNING shop_id`,
          [hashOf(code), by, now(), expiresAt, shop],
        );
        if (made === undefined) throw new Error('The shop of a code was not made.');
        await also?.(queries);
        return made.shop_id;
      });
      return { shopId, code, expiresAt };
    },

    async enrol({ code, computer, version, key = newSecret(chance) }) {
      const normal = normalCode(code);
      if (!enrolmentCodePattern.test(normal)) return null;
      const bridgeId = chance.uuid();
      return await database.transaction(async (queries) => {
        const [shop] = await queries.query<{ shop_id: string; name: string; used_by: string | null }>(
          `SELECT shop_id, name, used_by FROM enrolment_codes JOIN shops USING (shop_id)
           WHERE code_hash = $1 AND (used_by IS NOT NULL OR expires_at > $2) FOR UPDATE OF enrolment_codes`,
          [hashOf(normal), now()],
        );
        if (shop === undefined) return null;
        const known = { id: shop.shop_id, name: shop.name };
        if (shop.used_by !== null) {
          // The answer was lost.
          const [own] = await queries.query(
            'SELECT 1 FROM bridges WHERE bridge_id = $1 AND key_hash = $2 AND revoked_at IS NULL',
            [shop.used_by, hashOf(key)],
          );
          return own === undefined ? null : { bridgeId: shop.used_by, key, shop: known };
        }
        await queries.query(
          `INSERT INTO bridges (bridge_id, shop_id, computer, key_hash, enrolled_at, version)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [bridgeId, shop.shop_id, storableText(computer), hashOf(key), now(), storableText(version)],
        );
        await queries.query('UPDATE enrolment_codes SET used_by = $1 WHERE code_hash = $2', [
          bridgeId,
          hashOf(normal),
        ]);
        return { bridgeId, key, shop: known };
      });
    },

    async bridgeOf(key) {
      const remembered = known.get(key);
      if (remembered !== undefined && remembered.until > clock.elapsed()) return remembered.bridge;
      known.delete(key);
      const hash = hashOf(key);
      const [row] = await database.query<{
        bridge_id: string;
        shop_id: string;
        name: string;
        key_hash: Uint8Array;
      }>(
        `SELECT bridge_id, shop_id, name, key_hash FROM bridges JOIN shops USING (shop_id)
         WHERE key_hash = $1 AND revoked_at IS NULL`,
        [hash],
      );
      if (row === undefined || !timingSafeEqual(row.key_hash, hash)) return null;
      const bridge = { bridgeId: row.bridge_id, shopId: row.shop_id, shopName: row.name };
      if (known.size >= maxKeysInMemory) known.clear();
      known.set(key, { bridge, until: clock.elapsed() + keyMemoryMs });
      return bridge;
    },

    async revoke(bridgeId, also) {
      const revoked = await database.transaction(async (queries) => {
        const [row] = await queries.query<{ shop_id: string }>(
          'UPDATE bridges SET revoked_at = $2 WHERE bridge_id = $1 AND revoked_at IS NULL RETURNING shop_id',
          [bridgeId, now()],
        );
        if (row === undefined) return null;
        await also?.(queries);
        return { shopId: row.shop_id };
      });
      for (const [key, { bridge }] of known) if (bridge.bridgeId === bridgeId) known.delete(key);
      return revoked;
    },

    async heard({ bridgeId, shopId }, heartbeat) {
      const said = Date.parse(heartbeat.at);
      const ahead = Number.isNaN(said) ? null : said - clock.now();
      const heardAt = clock.now();
      const [row] = await database.query<{ changed: boolean }>(
        `WITH before AS (SELECT heard_at, heartbeat FROM bridges WHERE bridge_id = $1)
         UPDATE bridges SET heard_at = $2, clock_ahead_ms = $3, version = $4, heartbeat = $5::jsonb
         FROM before WHERE bridge_id = $1
         RETURNING before.heartbeat - 'at' IS DISTINCT FROM $5::jsonb - 'at' OR before.heard_at < $6 AS changed`,
        [
          bridgeId,
          new Date(heardAt).toISOString(),
          ahead,
          storableText(heartbeat.version),
          storableJson(withoutSeqs(heartbeat)),
          new Date(heardAt - silentAfterMs).toISOString(),
        ],
      );
      await noteLags(database, { bridgeId, shopId }, heartbeat.terminals, new Date(heardAt).toISOString());
      return row?.changed ?? false;
    },
  };
}

/** That a journal grows is no change of the bridge. */
function withoutSeqs({ terminals, ...heartbeat }: Heartbeat): Heartbeat {
  return { ...heartbeat, terminals: terminals.map(({ lastSeq: _lastSeq, ...terminal }) => terminal) };
}

/** As it is made: people type it in small letters, with blanks, or without hyphens. */
function normalCode(code: string): string {
  const letters = code.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return (letters.match(/.{1,4}/g) ?? []).join('-');
}
