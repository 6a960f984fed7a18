/** What `tillbridge remote` does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { maskLine } from '../log/index.ts';
import {
  apiVersions,
  catalogue,
  createRemoteClient,
  latestVersion,
  readQuery,
  RemoteError,
  secretsOf,
  type ApiVersion,
  type CallArguments,
  type Operation,
} from '../remote/library/client.ts';
import { exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { readServiceAccess, type AccessFlags, type Read } from '../host/reconcile/index.ts';
import { explain } from './remote-access.ts';

export interface RemoteFlags extends AccessFlags {
  json?: string;
  query: string[];
  etag?: string;
  all?: boolean;
  apiVersion?: string;
  timeoutMs?: string;
  allowUndocumented?: boolean;
}

export interface RemoteRun {
  resource: string | null;
  operation: string | null;
  id: string | null;
  flags: RemoteFlags;
}

const maxTimeoutMs = 600_000;

export async function runRemote(run: RemoteRun, context: CliContext): Promise<number> {
  const version = readVersion(run.flags.apiVersion);
  if (!version.ok) return wrong(context, version.message);
  if (run.resource === null) return listResources(version.value, context);
  const ofResource = catalogue
    .operations(version.value)
    .filter(({ resource, plural }) => resource === run.resource || plural === run.resource);
  if (ofResource.length === 0) {
    return wrong(
      context,
      `There is no resource "${run.resource}" in ${version.value}; "tillbridge remote" lists them.`,
    );
  }
  if (run.operation === null) return listOperations(ofResource, context);
  const operation = ofResource.find(({ action }) => action === run.operation);
  if (operation === undefined) {
    const there = ofResource.map(({ action }) => action).join(', ');
    return wrong(context, `${run.resource} have no operation "${run.operation}"; they have: ${there}.`);
  }
  return await callOperation(run, operation, context);
}

async function callOperation(run: RemoteRun, operation: Operation, context: CliContext): Promise<number> {
  const given = readArguments(run, operation, context);
  if (!given.ok) return wrong(context, given.message);
  const access = readServiceAccess(run.flags, context.environment);
  if (!access.ok) return wrong(context, access.message);
  const timeoutMs = run.flags.timeoutMs ?? '30000';
  if (!/^[1-9]\d{0,5}$/.test(timeoutMs) || Number(timeoutMs) > maxTimeoutMs) {
    return wrong(context, `--timeout-ms: must be a whole number from 1 to ${maxTimeoutMs}.`);
  }
  try {
    const client = createRemoteClient({
      ...access.value,
      clock: context.clock,
      timeoutMs: Number(timeoutMs),
      allowUndocumented: run.flags.allowUndocumented ?? false,
      onUnknown: (report) => context.error(oneLine(`Note on the ${report.where}: ${report.message}`)),
    });
    if (run.flags.all === true) {
      for await (const record of client.records(operation, given.value))
        context.stdoutExact(withoutCardNumbers(record));
    } else {
      context.stdoutExact(withoutCardNumbers(await client.call(operation, given.value), 2));
    }
    return exitOk;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return explain(error, context);
  }
}

/** JSON of what the service has answered; nobody but it knows whether card numbers are among it. */
function withoutCardNumbers(value: unknown, indent = 0): string {
  const masked: unknown = JSON.parse(maskLine(JSON.stringify(value)));
  return JSON.stringify(masked, null, indent);
}

function readVersion(value: string | undefined): Read<ApiVersion> {
  const version = apiVersions.find((known) => known === (value ?? latestVersion));
  return version === undefined
    ? { ok: false, message: `--api-version: must be one of ${apiVersions.join(', ')}.` }
    : { ok: true, value: version };
}

function readArguments(run: RemoteRun, operation: Operation, context: CliContext): Read<CallArguments> {
  const needsId = operation.pathParameters.length > 0;
  if (needsId !== (run.id !== null)) {
    const message = needsId
      ? `${operation.title}: its id is missing.`
      : `${operation.title}: takes no id, but got "${run.id}".`;
    return { ok: false, message };
  }
  if (run.flags.all === true && operation.kind !== 'list') {
    return { ok: false, message: '--all: only for a list.' };
  }
  const body = readBody(run.flags.json, operation, context);
  if (!body.ok) return body;
  if (run.flags.json?.startsWith('@') === false && secretsOf(operation.request, body.value).length > 0)
    context.error(secretOnCommandLine);
  const query = readParameters(run.flags.query, operation);
  if (!query.ok) return query;
  return {
    ok: true,
    value: {
      ...(run.id === null ? {} : { id: run.id }),
      ...(operation.request === null ? {} : { body: body.value }),
      query: query.value,
      ...(run.flags.etag === undefined ? {} : { etag: run.flags.etag }),
    },
  };
}

const secretOnCommandLine =
  'This body has a secret. On the command line the shell remembers it, and others on this computer may see it: write the body ' +
  'into a file, and give it with --json @FILE.';

function readBody(json: string | undefined, operation: Operation, context: CliContext): Read<unknown> {
  if (operation.request === null) {
    return json === undefined
      ? { ok: true, value: undefined }
      : { ok: false, message: `--json: "${operation.title}" takes no body.` };
  }
  if (json === undefined)
    return { ok: false, message: `${operation.title}: its body is missing; give it with --json.` };
  let text = json;
  if (json.startsWith('@')) {
    try {
      text = readFileSync(path.resolve(context.currentFolder, json.slice(1)), 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { ok: false, message: `--json: ${json.slice(1)} cannot be read (${code ?? 'unknown'}).` };
    }
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The parser's own sentence quotes the text, which may hold a secret.
    return { ok: false, message: '--json: this is not JSON.' };
  }
}

function readParameters(given: readonly string[], operation: Operation): Read<Record<string, unknown>> {
  const pairs: [string, string][] = [];
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) return { ok: false, message: `--query: "${text}" is not NAME=VALUE.` };
    pairs.push([text.slice(0, at), text.slice(at + 1)]);
  }
  const known = Object.keys(operation.query?.shape ?? {});
  const stranger = pairs.find(([name]) => !known.includes(name));
  if (stranger === undefined) {
    return { ok: true, value: operation.query === null ? {} : readQuery(operation.query, pairs) };
  }
  const there = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  return { ok: false, message: `--query: "${operation.title}" does not take ${stranger[0]}; ${there}.` };
}

function listResources(version: ApiVersion, context: CliContext): number {
  context.stdout(`Resources of ${version}:`);
  let area = '';
  for (const [resource, row] of Object.entries(catalogue.tables[version])) {
    if (row.area !== area) context.stdout(`\n${row.area}`);
    area = row.area;
    const plural = catalogue.operations(version).find((operation) => operation.resource === resource)?.plural;
    context.stdout(`  ${(plural ?? resource).padEnd(42)} ${row.meaning}`);
  }
  context.stdout('\n"tillbridge remote <resource>" lists its operations.');
  return exitOk;
}

function listOperations(operations: readonly Operation[], context: CliContext): number {
  const width = Math.max(...operations.map(({ action }) => action.length));
  for (const operation of operations) {
    const guess = operation.assumed ? '  (not documented)' : '';
    context.stdout(`${operation.action.padEnd(width)}  ${operation.method} ${operation.path}${guess}`);
  }
  return exitOk;
}

function wrong(context: CliContext, message: string): number {
  context.error(oneLine(message));
  return exitUsage;
}
