/** A client of a scripted server, with a clock that skips the pauses and remembers them. */
import { afterEach } from 'vitest';
import type { LineLog } from '../../../src/log/log.ts';
import {
  createRemoteClient,
  RemoteError,
  type RemoteClientOptions,
  type UnknownReport,
} from '../../../src/remote/library/client.ts';
import { accountHolderCreationIntent } from '../catalogue/examples.ts';
import { createSkippingClock } from '../skipping-clock.ts';
import { startScriptedServer, type Reply, type Script, type ScriptedServer } from './scripted-server.ts';

const open: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Longer than any pause between attempts. */
export const deadlineMs = 600_000;

export async function rig(script: Script, options: Partial<RemoteClientOptions> = {}) {
  const server = await startScriptedServer(script);
  open.push(server);
  const clock = createSkippingClock((delayMs) => delayMs >= deadlineMs);
  const lines: string[] = [];
  const reports: UnknownReport[] = [];
  const client = createRemoteClient({
    baseUrl: server.baseUrl,
    auth: { bearer: 'the-access-token' },
    clock,
    random: () => 1,
    timeoutMs: deadlineMs,
    log: rememberingLog(lines),
    allowUndocumented: true,
    onUnknown: (report) => void reports.push(report),
    ...options,
  });
  return { client, server, clock, lines, reports };
}

function rememberingLog(lines: string[]): LineLog {
  const add = (message: string, fields?: unknown) => void lines.push(JSON.stringify([message, fields]));
  const log: LineLog = { debug: add, info: add, warn: add, error: add, with: () => log };
  return log;
}

export const intentId = accountHolderCreationIntent.id;
export const holderIntent = (changes: object = {}): Reply => ({
  body: { ...accountHolderCreationIntent, ...changes },
});
export const newHolder = { know_your_customer: { type: 'cms', detail: { cms_id: '4711' } } } as const;

/** The RemoteError with which `promise` fails. */
export async function failureOf(promise: Promise<unknown>): Promise<RemoteError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof RemoteError) return error;
  throw new Error(`expected a RemoteError, got ${String(error)}`);
}
