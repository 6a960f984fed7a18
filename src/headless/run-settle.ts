/** `tillbridge sandbox settle`: has the sandbox's acquirer pay for batches that simulated terminals have closed. */
import { errorText } from '../base/error-text.ts';
import { formatAmount } from '../contract/money.ts';
import { readClosedBatches, readServiceAccess } from '../host/index.ts';
import type { ClosedBatch } from '../reconcile/index.ts';
import { sandboxHeader, sandboxProbePath, tokenPath } from '../remote/library/client.ts';
import { settlementsPath } from '../remote/sandbox/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { demoClient } from './run-sandbox.ts';

export interface SettleFlags {
  account: string;
  percent?: string;
  days?: string;
  remark?: string;
  mistake?: string;
  baseUrl?: string;
}

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];
const timeoutMs = 30_000;

/** `named`: numbers or ids of batches; none: the one that was closed last. */
export async function runSettle(
  named: readonly string[],
  dataDir: string,
  flags: SettleFlags,
  context: CliContext,
): Promise<number> {
  if (flags.days !== undefined && !/^\d{1,2}$/.test(flags.days)) {
    context.error('--days must be a whole number from 0 to 60.');
    return exitUsage;
  }
  const closed = readClosedBatches(dataDir, true, '');
  if (!closed.ok) return failed(context, closed.message);
  const chosen = chooseBatches(named, closed.batches);
  if (!chosen.ok) return failed(context, chosen.message);
  const settlement = {
    account_id: flags.account,
    batches: chosen.batches.map(({ number, totalMinor, currency }) => ({
      number,
      amount: formatAmount(totalMinor, currency),
    })),
    fee_percent: flags.percent ?? null,
    days: flags.days === undefined ? null : Number(flags.days),
    remark: flags.remark ?? null,
    mistake: flags.mistake ?? null,
  };
  try {
    const { transactions } = await postSettlement(settlement, flags, context.environment);
    for (const { post_time, debit_credit_indicator, amount, currency_code, remark } of transactions) {
      const sign = debit_credit_indicator === 'debit' ? '-' : '';
      const day = post_time.slice(0, 10);
      context.stdoutExact(oneLine(`${day}  ${sign}${amount} ${currency_code}  ${remark}`));
    }
    return exitOk;
  } catch (error) {
    return failed(context, `The sandbox has settled nothing: ${errorText(error)}`);
  }
}

type Choice = { ok: true; batches: ClosedBatch[] } | { ok: false; message: string };

function chooseBatches(named: readonly string[], closed: readonly ClosedBatch[]): Choice {
  const inTurn = closed.toSorted((one, other) => (one.closedAt < other.closedAt ? -1 : 1));
  const last = inTurn.at(-1);
  if (last === undefined) return { ok: false, message: 'No simulated terminal has closed a batch yet.' };
  if (named.length === 0) return { ok: true, batches: [last] };
  const batches: ClosedBatch[] = [];
  for (const name of named) {
    // Numbers begin again: the latest one is meant.
    const found = inTurn.findLast(({ id, number }) => id === name || number === name);
    if (found === undefined) return { ok: false, message: `There is no closed batch "${name}".` };
    batches.push(found);
  }
  return { ok: true, batches };
}

interface Settled {
  transactions: {
    post_time: string;
    debit_credit_indicator: string;
    amount: string;
    currency_code: string;
    remark: string;
  }[];
}

/** Throws what there is to tell. Nobody is asked but a sandbox on this computer, nor shown a secret. */
async function postSettlement(
  settlement: object,
  flags: SettleFlags,
  environment: CliContext['environment'],
): Promise<Settled> {
  const { baseUrl, auth } = accessOf(flags, environment);
  if (!loopbackHosts.includes(new URL(baseUrl).hostname))
    throw new Error(`${baseUrl} is not on this computer.`);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}${path}`, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const probe = await ask(sandboxProbePath);
  if (probe.headers.get(sandboxHeader) !== 'true')
    throw new Error(`what answers at ${baseUrl} is no sandbox.`);
  const bearer =
    'bearer' in auth ? auth.bearer : (await answerOf<Token>(ask(tokenPath, tokenRequest(auth)))).access_token;
  return await answerOf<Settled>(
    ask(settlementsPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(settlement),
    }),
  );
}

interface Token {
  access_token: string;
}

type Client = { clientId: string; clientSecret: string };

function accessOf(flags: SettleFlags, environment: CliContext['environment']) {
  const given = readServiceAccess(flags, environment);
  const access = given.ok
    ? given
    : readServiceAccess(flags, {
        ...environment,
        TILLBRIDGE_REMOTE_CLIENT_ID: demoClient.clientId,
        TILLBRIDGE_REMOTE_CLIENT_SECRET: demoClient.clientSecret,
      });
  if (!access.ok) throw new Error(access.message);
  const { baseUrl, auth } = access.value;
  return { baseUrl: baseUrl.replace(/\/$/, ''), auth: auth as { bearer: string } | Client };
}

function tokenRequest({ clientId, clientSecret }: Client): RequestInit {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return { method: 'POST', body: new URLSearchParams(form) };
}

async function answerOf<T>(asked: Promise<Response>): Promise<T> {
  const response = await asked;
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  throw new Error(typeof message === 'string' ? message : `status ${response.status}`);
}

function failed(context: CliContext, message: string): number {
  context.error(oneLine(message));
  return exitFailed;
}
