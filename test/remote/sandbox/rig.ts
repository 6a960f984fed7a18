/** A sandbox on a free port with a client of it, and requests by hand for what a client would not send. */
import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import type { LineLog } from '../../../src/log/log.ts';
import {
  createRemoteClient,
  latestVersion,
  versionHeader,
  type RemoteClient,
  type tables,
  type UnknownReport,
} from '../../../src/remote/library/client.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/remote/library/sandbox.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** The time stands still: no quote expires and no trade settles while a slow machine tests. */
export const stoppedClock: Clock = createVirtualClock({ startsAt: Date.UTC(2026, 2, 26, 8, 0, 0) });

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
export function atEnd(close: () => Promise<void> | void): void {
  open.push(close);
}

interface HandMade {
  method?: string;
  headers?: Record<string, string | null>;
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

export interface SandboxRig {
  sandbox: Sandbox;
  client: RemoteClient<typeof tables>;
  /** What the client did not know in any answer. */
  unknowns: UnknownReport[];
  /** Every line of the log. */
  lines: string[];
  token(scope?: string): Promise<string>;
  /** With a token and the latest version, unless headers say something else; null: without this header. */
  request(where: string, request?: HandMade): Promise<Answer>;
}

/** Keeps nothing on disk, unless `dataDir` says so. Closes itself after the test, unless `keep`. */
export async function startSandbox(
  options: Partial<SandboxOptions> & { keep?: boolean } = {},
): Promise<SandboxRig> {
  const { keep = false, ...given } = options;
  const lines: string[] = [];
  const sandbox = await createSandbox({
    dataDir: null,
    clock: stoppedClock,
    log: rememberingLog(lines),
    ...given,
  });
  if (!keep) atEnd(() => sandbox.close());
  const unknowns: UnknownReport[] = [];
  const client = createRemoteClient({
    baseUrl: sandbox.baseUrl,
    auth: sandbox.client,
    onUnknown: (report) => void unknowns.push(report),
    retry: { maxAttempts: 1 },
  });
  let shared: Promise<string> | null = null;
  return {
    sandbox,
    client,
    unknowns,
    lines,
    token: (scope) => fetchToken(sandbox, scope),
    async request(where, { method = 'GET', headers = {}, body } = {}) {
      shared ??= fetchToken(sandbox);
      const all: Record<string, string | null> = {
        authorization: `Bearer ${await shared}`,
        [versionHeader]: latestVersion,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const init = { method, headers: sent, ...(body === undefined ? {} : { body: text }) };
      return answerOf(await fetch(`${sandbox.baseUrl}${where}`, init));
    },
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, text, body };
}

async function fetchToken(sandbox: Sandbox, scope?: string): Promise<string> {
  const { clientId, clientSecret } = sandbox.client;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope }),
  });
  const answer = await answerOf(
    await fetch(`${sandbox.baseUrl}/oauth/token`, { method: 'POST', body: form }),
  );
  return String(answer.body['access_token']);
}

export function temporaryFolder(): string {
  const folder = tempFolder('sandbox');
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function rememberingLog(lines: string[]): LineLog {
  const write = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: LineLog = { debug: write, info: write, warn: write, error: write, with: () => log };
  return log;
}
