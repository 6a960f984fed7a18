/**
 * Who may see the office's page: a link, or an OpenID provider, begins a session, and the browser shows its token with each
 * request from then on.
 *
 *     link ──once──► session ──each request──► in       until it ends, or the person signs out
 *
 * All of it is in the database, so the next request may come to another process. A role is that of the sign-in: whoever
 * gets another one signs in again.
 */
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import { roleSchema, type Role, type SignedIn } from '../contract/office-page.ts';
import type { Database } from './database/database.ts';
import { hashOf, newSecret } from './secrets.ts';

export interface KnownSession extends SignedIn {
  /** Milliseconds since 1970. */
  endsAt: number;
}

export interface People {
  /** A token for a link, which lets one browser in, once, within an hour. */
  makeLink(person: { name: string; role: Role }): Promise<string>;
  enter(link: string): Promise<Entered>;
  begin(person: Omit<SignedIn, 'by'> & { by: 'link' | 'provider' }): Promise<Began>;
  /** Null: the token is unknown, or its session has ended. */
  sessionOf(token: string): Promise<KnownSession | null>;
  end(token: string): Promise<void>;
}

interface Began {
  token: string;
  session: KnownSession;
}

type Entered = ({ ok: true } & Began) | { ok: false; error: 'link_used' | 'link_unknown' };

const linkLifeMs = 60 * 60_000;
/** A working day: whoever comes the next morning signs in again, and with the role of that day. */
export const sessionLifeMs = 12 * 60 * 60_000;
/** So long it is remembered that a link was used, so that the page can say it. */
const usedLinkKeptMs = 24 * 60 * 60_000;

export function createPeople(
  database: Database,
  { clock, chance }: { clock: Clock; chance: Chance },
): People {
  const moment = (ms: number) => new Date(ms).toISOString();

  async function begin({ name, role, by }: Parameters<People['begin']>[0]): Promise<Began> {
    const token = newSecret(chance);
    const now = clock.now();
    const endsAt = now + sessionLifeMs;
    await database.query('DELETE FROM sessions WHERE expires_at <= $1', [moment(now)]);
    await database.query(
      `INSERT INTO sessions (token_hash, person, role, signed_in_by, began_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [hashOf(token), name, role, by, moment(now), moment(endsAt)],
    );
    return { token, session: { name, role, by, endsAt } };
  }

  return {
    async makeLink({ name, role }) {
      const token = newSecret(chance);
      const now = clock.now();
      await database.query('DELETE FROM sign_in_links WHERE expires_at <= $1', [
        moment(now - usedLinkKeptMs),
      ]);
      await database.query(
        'INSERT INTO sign_in_links (token_hash, person, role, expires_at) VALUES ($1, $2, $3, $4)',
        [hashOf(token), name, role, moment(now + linkLifeMs)],
      );
      return token;
    },
    async enter(link) {
      const now = moment(clock.now());
      // Of two that come at the same moment one finds it used.
      const [row] = await database.query<{ person: string; role: string }>(
        `UPDATE sign_in_links SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
         RETURNING person, role`,
        [hashOf(link), now],
      );
      const role = roleSchema.safeParse(row?.role);
      if (row === undefined || !role.success) {
        const used = await database.query(
          'SELECT FROM sign_in_links WHERE token_hash = $1 AND used_at IS NOT NULL',
          [hashOf(link)],
        );
        return { ok: false, error: used.length > 0 ? 'link_used' : 'link_unknown' };
      }
      return { ok: true, ...(await begin({ name: row.person, role: role.data, by: 'link' })) };
    },
    begin,
    async sessionOf(token) {
      const [row] = await database.query<{
        person: string;
        role: string;
        signed_in_by: 'link' | 'provider';
        expires_at: string;
      }>(
        'SELECT person, role, signed_in_by, expires_at FROM sessions WHERE token_hash = $1 AND expires_at > $2',
        [hashOf(token), moment(clock.now())],
      );
      // A role that a newer office has made is none of ours.
      const role = roleSchema.safeParse(row?.role);
      if (row === undefined || !role.success) return null;
      const { person, signed_in_by: by, expires_at } = row;
      return { name: person, role: role.data, by, endsAt: Date.parse(expires_at) };
    },
    async end(token) {
      await database.query('DELETE FROM sessions WHERE token_hash = $1', [hashOf(token)]);
    },
  };
}
