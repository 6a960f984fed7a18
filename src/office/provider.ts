/**
 * Signing in by an OpenID provider (OpenID Connect Core 1.0, authorization code flow with PKCE, state and nonce).
 *
 *     /sign-in ──► provider ──code──► /sign-in/back ──code, verifier──► provider ──ID token──► name and role
 *
 * What binds the way back to the way there is in the database, for the process that it comes back to, and in a cookie of
 * the browser that began: nobody is signed in by the way back of somebody else.
 */
import * as openid from 'openid-client';
import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/error-text.ts';
import { mayActAs, type Role } from '../contract/office-page.ts';
import { isLoopback } from '../http/index.ts';
import type { LineLog } from '../log/index.ts';
import type { Database } from './database/database.ts';
import { hashOf } from './secrets.ts';

export interface ProviderSettings {
  issuer: URL;
  clientId: string;
  /** Null: a public client, which PKCE protects. */
  clientSecret: string | null;
  /** Which claim names the roles: its name, or a path to it such as "realm_access.roles". */
  roleClaim: string;
  /** Which of its values is which role. */
  roles: ReadonlyMap<string, Role>;
}

type SignInResult =
  | { ok: true; name: string; role: Role }
  /** `message`: for the person, in a sentence. */
  | { ok: false; message: string };

export interface Provider {
  /** Where the browser goes, and the state that it keeps in a cookie. Rejects when the provider does not answer. */
  begin(redirectUri: string): Promise<{ address: string; state: string }>;
  /** `cameBack`: the whole address that the provider has sent the browser to. `state`: of its cookie. */
  finish(cameBack: URL, state: string | null): Promise<SignInResult>;
}

/** How long a person may take at the provider. */
export const signInLifeMs = 10 * 60_000;
const providerTimeoutS = 15;

export function createProvider(
  settings: ProviderSettings,
  { database, clock, log }: { database: Database; clock: Clock; log: LineLog },
): Provider {
  const { issuer, clientId, clientSecret, roleClaim, roles } = settings;
  const moment = (ms: number) => new Date(ms).toISOString();
  let known: Promise<openid.Configuration> | null = null;

  /** What the provider says of itself; asked again after it could not be had. */
  function configuration(): Promise<openid.Configuration> {
    known ??= openid
      .discovery(issuer, clientId, undefined, authentication(clientSecret), {
        timeout: providerTimeoutS,
        // Without TLS only where nobody is in between.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' && isLoopback(issuer.hostname)
            ? [openid.allowInsecureRequests]
            : []),
        ],
      })
      .catch((error: unknown) => {
        known = null;
        throw error;
      });
    return known;
  }

  return {
    async begin(redirectUri) {
      const config = await configuration();
      const [state, nonce, verifier] = [
        openid.randomState(),
        openid.randomNonce(),
        openid.randomPKCECodeVerifier(),
      ];
      const now = clock.now();
      await database.query('DELETE FROM sign_ins_begun WHERE expires_at <= $1', [moment(now)]);
      await database.query(
        'INSERT INTO sign_ins_begun (state_hash, nonce, code_verifier, expires_at) VALUES ($1, $2, $3, $4)',
        [hashOf(state), nonce, verifier, moment(now + signInLifeMs)],
      );
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { address: address.href, state };
    },

    async finish(cameBack, state) {
      const begun =
        state === null || cameBack.searchParams.get('state') !== state ? null : await takeBegun(state);
      if (state === null || begun === null)
        return {
          ok: false,
          message: 'This sign-in was not begun in this browser, or took too long. Try again.',
        };
      try {
        const config = await configuration();
        const tokens = await openid.authorizationCodeGrant(config, cameBack, {
          pkceCodeVerifier: begun.code_verifier,
          expectedState: state,
          expectedNonce: begun.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('there is no ID token');
        // Some providers tell of roles only where they are asked for the person.
        const all: Record<string, unknown> =
          claimOf(claims, roleClaim) === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? { ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
            : claims;
        const name = nameOf(all);
        const role = roleOf(claimOf(all, roleClaim), roles);
        if (role === null) {
          log.warn('somebody without a role has signed in at the OpenID provider', { person: name });
          return {
            ok: false,
            message: `${name} has no role here. Ask whoever manages the provider for one.`,
          };
        }
        return { ok: true, name, role };
      } catch (error) {
        log.warn(`the OpenID provider has let nobody in: ${errorText(error)}`);
        return { ok: false, message: 'The OpenID provider has not confirmed who you are. Try again.' };
      }
    },
  };

  /** Once: whoever comes back a second time begins anew. */
  async function takeBegun(state: string): Promise<{ nonce: string; code_verifier: string } | null> {
    const [begun = null] = await database.query<{ nonce: string; code_verifier: string }>(
      'DELETE FROM sign_ins_begun WHERE state_hash = $1 AND expires_at > $2 RETURNING nonce, code_verifier',
      [hashOf(state), moment(clock.now())],
    );
    return begun;
  }
}

/** By HTTP Basic, as every provider must take it, unless it says that it takes the secret in the body only. */
function authentication(secret: string | null): openid.ClientAuth {
  if (secret === null) return openid.None();
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** A claim's name may have dots in it, such as "https://example.com/roles"; only then they are a path. */
function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** The one that may do most. */
function roleOf(claim: unknown, roles: ReadonlyMap<string, Role>): Role | null {
  const values = Array.isArray(claim) ? claim : [claim];
  const given = values.flatMap((value) => (typeof value === 'string' ? (roles.get(value) ?? []) : []));
  return given.reduce<Role | null>(
    (best, role) => (best !== null && mayActAs(best, role) ? best : role),
    null,
  );
}

function nameOf({ name, preferred_username, email, sub }: Record<string, unknown>): string {
  const given = [name, preferred_username, email, sub].find(
    (text): text is string => typeof text === 'string' && text.trim() !== '',
  );
  return (given ?? 'somebody').trim().slice(0, 200);
}
