/** Who may do what: clients with their secrets, the tokens they get, and the scopes of these. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import {
  apiVersions,
  tokenErrorSchema,
  tokenRequestSchema,
  type Catalogue,
  type RemoteErrorCode,
  type tokenResponseSchema,
} from '../catalogue/index.ts';
import type { Database } from './store/database.ts';

export interface SandboxClient {
  clientId: string;
  clientSecret: string;
  /** Null or absent: all that there are. */
  scopes?: readonly string[] | null;
}

export interface Access {
  /** Makes the client, or gives it a new secret. */
  register(client: SandboxClient): void;
  /** The token end point. */
  issue(form: Readonly<Record<string, string>>): TokenResult;
  /** Of the Authorization header. */
  check(
    authorization: string | null,
  ): { ok: true; scopes: ReadonlySet<string> } | { ok: false; code: RemoteErrorCode };
}

type TokenResult =
  | { ok: true; answer: z.infer<typeof tokenResponseSchema> }
  | { ok: false; status: 400 | 401; error: z.infer<typeof tokenErrorSchema> };

/** The sandbox's own paths, beside the catalogue's operations. */
const ownScopes = [
  'webhook-subscription:create',
  'webhook-subscription:read',
  'webhook-subscription:delete',
  'sandbox:advance',
  'sandbox:read',
  'sandbox:settle',
] as const;

/** A token that ran out is remembered this long, so that its holder hears "expired" rather than "unknown". */
const rememberMs = 24 * 3_600_000;

export function allScopes(catalogue: Catalogue): string[] {
  const scopes = apiVersions.flatMap((version) => catalogue.operations(version).map(({ scope }) => scope));
  return [...new Set([...scopes, ...ownScopes])];
}

/** Secrets and tokens are kept as digests only. */
export function createAccess(
  database: Database,
  catalogue: Catalogue,
  { clock, chance }: { clock: Clock; chance: Chance },
  tokenLifeSeconds: number,
): Access {
  const { sql } = database;
  const setClient = sql.prepare(
    'INSERT INTO client (client_id, secret_digest, scopes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ' +
      'secret_digest = excluded.secret_digest, scopes = excluded.scopes',
  );
  const selectClient = sql.prepare('SELECT secret_digest, scopes FROM client WHERE client_id = ?');
  const insertToken = sql.prepare(
    'INSERT INTO access_token (digest, client_id, scopes, expire_ms) VALUES (?, ?, ?, ?)',
  );
  const selectToken = sql.prepare('SELECT scopes, expire_ms FROM access_token WHERE digest = ?');
  const forgetTokens = sql.prepare('DELETE FROM access_token WHERE expire_ms < ?');
  const everyScope = allScopes(catalogue);

  return {
    register({ clientId, clientSecret, scopes }) {
      const kept = scopes === undefined || scopes === null ? null : scopes.join(' ');
      database.transaction(() => setClient.run(clientId, digestOf(clientSecret), kept));
    },
    issue(form) {
      if (form['grant_type'] !== undefined && form['grant_type'] !== 'client_credentials') {
        return refused(400, 'unsupported_grant_type', 'The only grant type is client_credentials.');
      }
      const parsed = tokenRequestSchema.safeParse(form);
      if (!parsed.success) {
        const names = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
        return refused(400, 'invalid_request', `Missing or wrong: ${names}.`);
      }
      const request = parsed.data;
      const client = selectClient.get(request.client_id);
      const known = client === undefined ? digestOf('') : String(client['secret_digest']);
      if (!sameDigest(digestOf(request.client_secret), known) || client === undefined) {
        return refused(401, 'invalid_client', 'There is no such client, or the secret is wrong.');
      }
      const { scopes: kept } = client;
      const allowed = typeof kept === 'string' ? kept.split(' ').filter((scope) => scope !== '') : everyScope;
      const asked = request.scope?.split(' ').filter((scope) => scope !== '') ?? allowed;
      if (!asked.every((scope) => allowed.includes(scope))) {
        return refused(
          400,
          'invalid_scope',
          'The client may not have one of the scopes, or there is no such scope.',
        );
      }
      const token = Buffer.from(chance.bytes(32)).toString('base64url');
      const scope = asked.join(' ');
      database.transaction(() => {
        forgetTokens.run(Math.floor(clock.now()) - rememberMs);
        const expireMs = Math.floor(clock.now()) + tokenLifeSeconds * 1_000;
        insertToken.run(digestOf(token), request.client_id, scope, expireMs);
      });
      return {
        ok: true,
        answer: { access_token: token, token_type: 'Bearer', expires_in: tokenLifeSeconds, scope },
      };
    },
    check(authorization) {
      const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) return { ok: false, code: 'token_missing' };
      const row = selectToken.get(digestOf(token));
      if (row === undefined) return { ok: false, code: 'token_invalid' };
      if (Number(row['expire_ms']) <= clock.now()) return { ok: false, code: 'token_expired' };
      return { ok: true, scopes: new Set(String(row['scopes']).split(' ')) };
    },
  };
}

function refused(
  status: 400 | 401,
  error: z.infer<typeof tokenErrorSchema>['error'],
  error_description: string,
): TokenResult {
  return { ok: false, status, error: { error, error_description } };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function sameDigest(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
