/** `tillbridge sandbox settle`: has the sandbox's acquirer pay for batches that simulated terminals have closed. */
import { formatAmount } from '../contract/money.ts';
import { readClosedBatches, readServiceAccess, type ServiceAccess } from '../host/reconcile/index.ts';
import type { ClosedBatch } from '../reconcile/index.ts';
import { createRemoteClient, RemoteError } from '../remote/library/client.ts';
import { settlementOperation, settlementSchema } from '../remote/sandbox/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { explain } from './remote-access.ts';
import { demoClient } from './run-sandbox.ts';

export interface SettleFlags {
  account: string;
  percent?: string;
  days?: string;
  remark?: string;
  mistake?: string;
  baseUrl?: string;
}

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
    currency_code: chosen.currency,
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
    const client = createRemoteClient({ ...accessOf(flags, context.environment), clock: context.clock });
    const settled = await client.call(settlementOperation, { body: settlement });
    for (const booking of settlementSchema.parse(settled).transactions) {
      const { post_time, debit_credit_indicator, amount, currency_code, remark } = booking;
      const sign = debit_credit_indicator === 'debit' ? '-' : '';
      const day = post_time.slice(0, 10);
      context.stdoutExact(oneLine(`${day}  ${sign}${amount} ${currency_code}  ${remark}`));
    }
    return exitOk;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return explain(error, context);
  }
}

type Choice = { ok: true; batches: ClosedBatch[]; currency: string } | { ok: false; message: string };

function chooseBatches(named: readonly string[], closed: readonly ClosedBatch[]): Choice {
  const inTurn = closed.toSorted((one, other) => (one.closedAt < other.closedAt ? -1 : 1));
  const last = inTurn.at(-1);
  if (last === undefined) return { ok: false, message: 'No simulated terminal has closed a batch yet.' };
  const batches: ClosedBatch[] = named.length === 0 ? [last] : [];
  for (const name of named) {
    // Numbers begin again: the latest one is meant.
    const found = inTurn.findLast(({ id, number }) => id === name || number === name);
    if (found === undefined) return { ok: false, message: `There is no closed batch "${name}".` };
    batches.push(found);
  }
  const { currency } = batches[0] ?? last;
  if (batches.some((batch) => batch.currency !== currency))
    return { ok: false, message: 'These batches are in different currencies: one credit cannot pay them.' };
  return { ok: true, batches, currency };
}

/** As for `tillbridge remote`; without it, that of a sandbox with data. */
function accessOf(flags: SettleFlags, environment: CliContext['environment']): ServiceAccess {
  const given = readServiceAccess(flags, environment);
  if (given.ok) return given.value;
  const demo = readServiceAccess(flags, {
    ...environment,
    TILLBRIDGE_REMOTE_CLIENT_ID: demoClient.clientId,
    TILLBRIDGE_REMOTE_CLIENT_SECRET: demoClient.clientSecret,
  });
  if (!demo.ok) throw new Error(demo.message);
  return demo.value;
}

function failed(context: CliContext, message: string): number {
  context.error(oneLine(message));
  return exitFailed;
}
