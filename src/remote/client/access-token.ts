/** Where the access token comes from: given, or fetched with client credentials, renewed in time and shared. */
import { tokenResponseSchema, tokenErrorSchema } from '../catalogue/index.ts';
import { notSent, RemoteError } from './errors.ts';
import { sendRepeated, type Repeats } from './repeats.ts';
import type { Secrets } from './secrets.ts';

export interface AccessTokens {
  /** Throws RemoteError "token-refused". One request serves all who ask meanwhile. */
  get(): Promise<string>;
  /** The service did not take this token. True: `get` will give another one. */
  reject(token: string): boolean;
}

export function fixedToken(token: string): AccessTokens {
  return { get: () => Promise.resolve(token), reject: () => false };
}

/** Gives an access token each time it is asked; `refused` is one that the service has just not taken. */
export type TokenProvider = (refused: string | null) => string | Promise<string>;

/** `check` throws on what cannot be a token. */
export function providedToken(
  provider: TokenProvider,
  secrets: Secrets,
  check: (token: string) => string,
): AccessTokens {
  let refused: string | null = null;
  return {
    async get() {
      let token: string;
      try {
        token = await provider(refused);
      } catch (error) {
        throw notSent('token-refused', 'auth.token gave no access token.', { cause: error });
      }
      secrets.add(token);
      return check(token);
    },
    reject(token) {
      refused = token;
      return true;
    },
  };
}

/** A token is renewed this long before it runs out, or a tenth of its life, whichever is shorter. */
const maxRenewBeforeMs = 60_000;
/** Taken for the life of a token when the answer does not tell it. */
const unknownLifeMs = 300_000;

export function clientCredentialTokens(
  credentials: { clientId: string; clientSecret: string; scope: string | null },
  dependencies: Repeats & {
    /** Where to ask; throws when there is no address that may be asked. */
    tokenUrl: () => Promise<string>;
    secrets: Secrets;
  },
): AccessTokens {
  let current: { token: string; renewAtMs: number } | null = null;
  let underway: Promise<string> | null = null;

  async function fetchToken(): Promise<string> {
    const url = await dependencies.tokenUrl();
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      ...(credentials.scope === null ? {} : { scope: credentials.scope }),
    });
    // A token that nobody got does no harm, so this may be repeated.
    const response = await sendRepeated(
      {
        url,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
      },
      dependencies,
    );
    if (response.kind === 'failed')
      throw notSent('token-refused', `The token end point did not answer. ${response.detail}`);
    const parsed = tokenResponseSchema.safeParse(jsonOf(response.body));
    if (response.status !== 200 || !parsed.success) throw tokenRefused(response, dependencies.secrets);
    const { access_token: token, expires_in: lifeSeconds } = parsed.data;
    const lifeMs = lifeSeconds === undefined ? unknownLifeMs : lifeSeconds * 1_000;
    dependencies.secrets.add(token);
    current = {
      token,
      renewAtMs: dependencies.clock.elapsed() + lifeMs - Math.min(maxRenewBeforeMs, lifeMs / 10),
    };
    return token;
  }

  return {
    async get() {
      if (current !== null && dependencies.clock.elapsed() < current.renewAtMs) return current.token;
      underway ??= fetchToken().finally(() => {
        underway = null;
      });
      return await underway;
    },
    reject(token) {
      // Somebody else may have renewed it already.
      if (current?.token === token) current = null;
      return true;
    },
  };
}

function tokenRefused(response: { status: number; body: string }, secrets: Secrets): RemoteError {
  const error = tokenErrorSchema.safeParse(jsonOf(response.body));
  const { error: code = null, error_description: words = null } = error.success ? error.data : {};
  const said = code === null ? 'Its answer cannot be read.' : `${code}${words === null ? '' : `: ${words}`}`;
  return notSent(
    'token-refused',
    secrets.with([])(`The token end point gave no token (status ${response.status}). ${said}`),
    { status: response.status, code },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
