/** Makes a client of the remote interface from the catalogue. */
import type { Clock } from '../../base/clock.ts';
import packageFacts from '../../../package.json' with { type: 'json' };
import { type LineLog, silentLog } from '../../log/log.ts';
import {
  apiVersions,
  catalogue as wholeCatalogue,
  latestVersion,
  tables,
  tokenPath,
  type ApiVersion,
  type Catalogue,
  type Operation,
  type Tables,
} from '../catalogue/index.ts';
import {
  clientCredentialTokens,
  fixedToken,
  providedToken,
  type AccessTokens,
  type TokenProvider,
} from './access-token.ts';
import { call } from './call.ts';
import type { CallArguments, CallContext, CallOptions } from './call-context.ts';
import type { RecordOrId, RemoteClient } from './client-types.ts';
import { notSent } from './errors.ts';
import { guarded, type RemoteHooks } from './hooks.ts';
import { fetchOnce, type HttpRequest } from '../../base/fetch-once.ts';
import { listOf, pageOf } from './lists.ts';
import { checkClientOptions, over } from './options.ts';
import { remoteCall } from './remote-call.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retries.ts';
import { createSandboxGuard, readBaseUrl, readTokenUrl } from './service.ts';
import { createSecrets } from './secrets.ts';
import { waitingOf } from './waiting.ts';

export interface RemoteClientOptions<All extends Tables = typeof tables> extends RemoteHooks {
  /** Ends with /v1; https, or http to this computer. */
  baseUrl: string;
  auth: RemoteAuth;
  fetch?: typeof fetch;
  clock?: Clock;
  /** From 0 to 1, for the pauses between attempts. */
  random?: () => number;
  /** For idempotency keys; no two alike. */
  newKey?: () => string;
  log?: LineLog;
  /** Parts of the default policy. */
  retry?: Partial<RetryPolicy>;
  /** For one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** What the caller's program is called, before the library's own name in User-Agent: "shop-backend/2.1". */
  userAgent?: string;
  /**
   * The header by which the service knows a repeated request, such as Idempotency-Key. The document names none. With it,
   * each create carries a key, and is sent again when its answer is lost.
   */
  idempotencyHeader?: string;
  /** Send operations whose address or body is a guess of the catalogue's also to what is no sandbox. */
  allowUndocumented?: boolean;
  /** Another catalogue than the whole one. */
  catalogue?: Catalogue<All>;
}

/** Time and chance, which the library's entry takes from the machine unless they are given. */
export interface ClientDependencies {
  clock: Clock;
  random: () => number;
  newKey: () => string;
}

export type RemoteAuth =
  | { bearer: string }
  /** Asked for each request, and again with the token that was refused. */
  | { token: TokenProvider }
  | {
      clientId: string;
      clientSecret: string;
      /** The document does not show where tokens are had; without this, only a sandbox is asked, at its own path. */
      tokenUrl?: string;
      /** Scopes with blanks between. Without it, all that the client may have. */
      scope?: string;
    };

const defaultTimeoutMs = 30_000;

/** Throws RemoteError "configuration". Sends nothing yet. */
export function createRemoteClient<All extends Tables = typeof tables>(
  options: RemoteClientOptions<All> & ClientDependencies,
): RemoteClient<All> {
  const context = contextOf(options);
  const catalogue: Catalogue = options.catalogue ?? wholeCatalogue;
  const versions = Object.fromEntries(
    apiVersions.map((version) => [version, versionClient(context, catalogue, version)]),
  );
  const client = {
    ...versions[latestVersion],
    ...versions,
    call: (operation: Operation, given: CallArguments = {}, callOptions: CallOptions = {}) =>
      remoteCall(call(context, operation, given, callOptions)),
    records: (operation: Operation, given: CallArguments = {}, callOptions: CallOptions = {}) =>
      listMethods(context, operation).list(given.query, callOptions),
  };
  // The members are made from the same tables as the type.
  return client as unknown as RemoteClient<All>;
}

function contextOf(options: Omit<RemoteClientOptions, 'catalogue'> & ClientDependencies): CallContext {
  checkClientOptions(options);
  const base = readBaseUrl(options.baseUrl);
  const { clock, random, newKey, idempotencyHeader } = options;
  const log = (options.log ?? silentLog).with({ source: 'remote' });
  const doFetch = options.fetch ?? fetch;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const retry = over(defaultRetryPolicy, options.retry);
  const secrets = createSecrets();
  const allowUndocumented = options.allowUndocumented ?? false;
  const send = (request: HttpRequest) =>
    fetchOnce(request, { fetch: doFetch, clock, timeoutMs, signal: null });
  const repeats = { send, clock, random, retry };
  const sandboxGuard = createSandboxGuard(base, repeats);

  async function sandboxTokenUrl(): Promise<string> {
    const found = allowUndocumented ? null : await sandboxGuard.check();
    if (found === null || found.kind === 'sandbox') return `${base.text}${tokenPath}`;
    if (found.kind === 'no-answer')
      throw notSent('network', `The service was asked for no token: it does not answer. ${found.detail}`);
    throw notSent(
      'undocumented',
      'auth.tokenUrl is missing: where tokens are had is not documented, so the client secret was sent nowhere.',
    );
  }

  function tokensOf(auth: RemoteAuth): AccessTokens {
    if ('bearer' in auth) {
      secrets.keep(mustBeHeader('auth.bearer', auth.bearer));
      return fixedToken(auth.bearer);
    }
    if ('token' in auth) {
      return providedToken(auth.token, secrets, (token) => mustBeHeader('what auth.token gave', token));
    }
    secrets.keep(mustBeGiven('auth.clientSecret', auth.clientSecret));
    const given = auth.tokenUrl === undefined ? null : readTokenUrl(auth.tokenUrl);
    const credentials = {
      clientId: mustBeGiven('auth.clientId', auth.clientId),
      clientSecret: auth.clientSecret,
      scope: auth.scope ?? null,
    };
    const tokenUrl = () => (given === null ? sandboxTokenUrl() : Promise.resolve(given));
    return clientCredentialTokens(credentials, { ...repeats, tokenUrl, secrets });
  }

  return {
    base,
    fetch: doFetch,
    clock,
    random,
    log,
    retry,
    timeoutMs,
    tokens: tokensOf(options.auth),
    secrets,
    allowUndocumented,
    sandboxGuard,
    hooks: guarded(options, log),
    headers: { ...userAgentOf(options.userAgent), ...options.headers },
    idempotency: idempotencyHeader === undefined ? null : { header: idempotencyHeader.toLowerCase(), newKey },
  };
}

/** A page must not name itself otherwise than its browser does: the request would need the service's consent first. */
function userAgentOf(name: string | undefined): Record<string, string> {
  if ('document' in globalThis) return {};
  return { 'user-agent': [name, `tillbridge-remote/${packageFacts.version}`].filter(Boolean).join(' ') };
}

function mustBeGiven(name: string, value: string): string {
  if (value === '') throw notSent('configuration', `${name} is empty.`);
  return value;
}

/** RFC 6750, 2.1; also keeps fetch from quoting a header that it cannot send. */
function mustBeHeader(name: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw notSent('configuration', `${name} must be visible ASCII characters without blanks.`);
  }
  return value;
}

type Methods = Record<string, (...given: never[]) => unknown>;

function versionClient(
  context: CallContext,
  catalogue: Catalogue,
  version: ApiVersion,
): Record<string, Methods> {
  const resources: Record<string, Methods> = {};
  for (const operation of catalogue.operations(version)) {
    const methods = methodsOf(context, operation);
    const method = methods[operation.clientMethod];
    if (method !== undefined) Object.assign(method, { assumed: operation.assumptions });
    resources[operation.member] = { ...resources[operation.member], ...methods };
  }
  return resources;
}

function methodsOf(context: CallContext, operation: Operation): Methods {
  const name = operation.clientMethod;
  if (operation.kind === 'create') {
    return {
      [name]: (body: unknown, options: CallOptions = {}) =>
        remoteCall(call(context, operation, { body }, options)),
    };
  }
  if (operation.kind === 'list') return listMethods(context, operation);
  if (operation.kind === 'retrieve') {
    return operation.query === null
      ? {
          [name]: (id: string, options: CallOptions = {}) =>
            remoteCall(call(context, operation, { id }, options)),
          ...waitingOf(context, operation),
        }
      : {
          [name]: (id: string, query: Record<string, unknown>, options: CallOptions = {}) =>
            remoteCall(call(context, operation, { id, query }, options)),
        };
  }
  const step = (record: RecordOrId, body: unknown, options: CallOptions) =>
    remoteCall(
      call(
        context,
        operation,
        { ...(typeof record === 'string' ? { id: record } : tagOf(record)), body },
        options,
      ),
    );
  return operation.request === null
    ? { [name]: (record: RecordOrId, options: CallOptions = {}) => step(record, undefined, options) }
    : {
        [name]: (record: RecordOrId, body: unknown, options: CallOptions = {}) => step(record, body, options),
      };
}

function tagOf({ id, etag }: Exclude<RecordOrId, string>): Pick<CallArguments, 'id' | 'etag'> {
  return etag === undefined ? { id } : { id, etag };
}

function listMethods(context: CallContext, operation: Operation) {
  const fetchPage = async (query: CallArguments['query'], options: CallOptions) =>
    (await call(context, operation, { query: query ?? {} }, options)).data;
  return {
    list: (query: CallArguments['query'] = {}, options: CallOptions = {}) =>
      listOf(operation, typeof query['token'] === 'string' ? query['token'] : null, (token) =>
        fetchPage(token === null ? query : { ...query, token }, options),
      ),
    page: async (query: CallArguments['query'] = {}, options: CallOptions = {}) =>
      pageOf(await fetchPage(query, options)),
  };
}
