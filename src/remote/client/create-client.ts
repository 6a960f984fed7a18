/** Makes a client of the remote interface from the catalogue. */
import type { Clock } from '../../base/clock.ts';
import { type LineLog, silentLog } from '../../log/index.ts';
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
import { clientCredentialTokens, fixedToken, type AccessTokens } from './access-token.ts';
import { call } from './call.ts';
import {
  type CallArguments,
  type CallContext,
  type CallOptions,
  type UnknownReport,
} from './call-context.ts';
import type { RecordOrId, RemoteClient } from './client-types.ts';
import { notSent } from './errors.ts';
import { fetchOnce, type HttpRequest } from './http.ts';
import { listOf, pageOf } from './lists.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retries.ts';
import { createSandboxGuard, readBaseUrl, readTokenUrl } from './service.ts';
import { createSecrets } from './secrets.ts';

export interface RemoteClientOptions<All extends Tables = typeof tables> {
  /** Ends with /v1; https, or http to this computer. */
  baseUrl: string;
  auth: RemoteAuth;
  fetch?: typeof fetch;
  clock?: Clock;
  /** From 0 to 1, for the pauses between attempts. */
  random?: () => number;
  log?: LineLog;
  /** Parts of the default policy. */
  retry?: Partial<RetryPolicy>;
  /** For one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Send operations whose address or body is a guess of the catalogue's also to what is no sandbox. */
  allowUndocumented?: boolean;
  /** Hears what the catalogue does not know. Without it, the log does, with the place but not the value. */
  onUnknown?: (report: UnknownReport) => void;
  /** Another catalogue than the whole one. */
  catalogue?: Catalogue<All>;
}

/** Time and chance, which the library's entry takes from the machine unless they are given. */
export interface ClientDependencies {
  clock: Clock;
  random: () => number;
}

export type RemoteAuth =
  | { bearer: string }
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
      call(context, operation, given, callOptions),
    records: (operation: Operation, given: CallArguments = {}, callOptions: CallOptions = {}) =>
      listMethods(context, operation).list(given.query, callOptions),
  };
  // The members are made from the same tables as the type.
  return client as unknown as RemoteClient<All>;
}

function contextOf(options: Omit<RemoteClientOptions, 'catalogue'> & ClientDependencies): CallContext {
  const base = readBaseUrl(options.baseUrl);
  const { clock, random } = options;
  const log = (options.log ?? silentLog).with({ source: 'remote' });
  const doFetch = options.fetch ?? fetch;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const retry = { ...defaultRetryPolicy, ...options.retry };
  const secrets = createSecrets();
  const allowUndocumented = options.allowUndocumented ?? false;
  const send = (request: HttpRequest) =>
    fetchOnce(request, { fetch: doFetch, clock, timeoutMs, signal: null });
  const isSandbox = createSandboxGuard(base, send);

  function tokensOf(auth: RemoteAuth): AccessTokens {
    if ('bearer' in auth) {
      secrets.keep(mustBeHeader('auth.bearer', auth.bearer));
      return fixedToken(auth.bearer);
    }
    secrets.keep(mustBeGiven('auth.clientSecret', auth.clientSecret));
    const given = auth.tokenUrl === undefined ? null : readTokenUrl(auth.tokenUrl);
    const credentials = {
      clientId: mustBeGiven('auth.clientId', auth.clientId),
      clientSecret: auth.clientSecret,
      scope: auth.scope ?? null,
    };
    return clientCredentialTokens(credentials, {
      tokenUrl: async () => {
        if (given !== null) return given;
        if (allowUndocumented || (await isSandbox()) === 'sandbox') return `${base.text}${tokenPath}`;
        throw notSent(
          'undocumented',
          'auth.tokenUrl is missing: where tokens are had is not documented, so the client secret was sent nowhere.',
        );
      },
      send,
      clock,
      random,
      retry,
      secrets,
    });
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
    isSandbox,
    onUnknown:
      options.onUnknown ??
      ((report) =>
        log.warn('remote: the catalogue does not know this', {
          where: report.where,
          kind: report.kind,
          path: report.path,
          operation: report.operation,
          version: report.version,
        })),
  };
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
    resources[operation.member] = { ...resources[operation.member], ...methodsOf(context, operation) };
  }
  return resources;
}

function methodsOf(context: CallContext, operation: Operation): Methods {
  const name = operation.clientMethod;
  if (operation.kind === 'create') {
    return {
      [name]: (body: unknown, options: CallOptions = {}) => call(context, operation, { body }, options),
    };
  }
  if (operation.kind === 'list') return listMethods(context, operation);
  if (operation.kind === 'retrieve') {
    return operation.query === null
      ? { [name]: (id: string, options: CallOptions = {}) => call(context, operation, { id }, options) }
      : {
          [name]: (id: string, query: Record<string, unknown>, options: CallOptions = {}) =>
            call(context, operation, { id, query }, options),
        };
  }
  const step = (record: RecordOrId, body: unknown, options: CallOptions) =>
    call(
      context,
      operation,
      { ...(typeof record === 'string' ? { id: record } : tagOf(record)), body },
      options,
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
  const fetchPage = (query: CallArguments['query'], options: CallOptions) =>
    call(context, operation, { query: query ?? {} }, options);
  return {
    list: (query: CallArguments['query'] = {}, options: CallOptions = {}) =>
      listOf(operation, typeof query['token'] === 'string' ? query['token'] : null, (token) =>
        fetchPage(token === null ? query : { ...query, token }, options),
      ),
    page: async (query: CallArguments['query'] = {}, options: CallOptions = {}) =>
      pageOf(await fetchPage(query, options)),
  };
}
