/** Where the access token comes from: given, or fetched with client credentials, renewed in time and shared. */
import { tokenAnswerSchema, tokenErrorSchema } from '../catalogue/index.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { notSent, RemoteError } from './errors.ts';
import type { Exchange, ExchangeRequest } from './exchange.ts';
import { pauseBeforeNext, type RetryPolicy } from './retries.ts';
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

/** A token is renewed this long before it runs out, or a tenth of its life, whichever is shorter. */
const maxRenewBeforeMs = 60_000;
/** Taken for the life of a token when the answer does not tell it. */
const unknownLifeMs = 300_000;

export function clientCredentialTokens(
  credentials: { clientId: string; clientSecret: string; scope: string | null },
  means: {
    /** Where to ask; throws when there is no address that may be asked. */
    tokenUrl: () => Promise<string>;
    send: (request: ExchangeRequest) => Promise<Exchange>;
    clock: Clock;
    random: () => number;
    retry: RetryPolicy;
    secrets: Secrets;
  },
): AccessTokens {
  let current: { token: string; renewAtMs: number } | null = null;
  let underway: Promise<string> | null = null;

  async function fetchToken(): Promise<string> {
    const url = await means.tokenUrl();
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      ...(credentials.scope === null ? {} : { scope: credentials.scope }),
    });
    const answer = await sendWithRepeats({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
    });
    const parsed = tokenAnswerSchema.safeParse(jsonOf(answer.body));
    if (answer.status !== 200 || !parsed.success) throw tokenRefused(answer, means.secrets);
    const { access_token: token, expires_in: lifeSeconds } = parsed.data;
    const lifeMs = lifeSeconds === undefined ? unknownLifeMs : lifeSeconds * 1_000;
    means.secrets.add(token);
    current = { token, renewAtMs: means.clock.elapsed() + lifeMs - Math.min(maxRenewBeforeMs, lifeMs / 10) };
    return token;
  }

  /** A token that nobody got does no harm, so this may be repeated. */
  async function sendWithRepeats(request: ExchangeRequest): Promise<Extract<Exchange, { kind: 'answer' }>> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await means.send(request);
      const wait = pauseBeforeNext(result, attempt, true, means.retry, means.clock.now(), means.random);
      if (wait !== null) await pause(means.clock, wait);
      else if (result.kind === 'answer') return result;
      else throw notSent('token-refused', `The token end point did not answer. ${result.detail}`);
    }
  }

  return {
    async get() {
      if (current !== null && means.clock.elapsed() < current.renewAtMs) return current.token;
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

function tokenRefused(answer: { status: number; body: string }, secrets: Secrets): RemoteError {
  const error = tokenErrorSchema.safeParse(jsonOf(answer.body));
  const { error: code = null, error_description: words = null } = error.success ? error.data : {};
  const said = code === null ? 'Its answer cannot be read.' : `${code}${words === null ? '' : `: ${words}`}`;
  return notSent(
    'token-refused',
    secrets.with([])(`The token end point gave no token (status ${answer.status}). ${said}`),
    { status: answer.status, code },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
