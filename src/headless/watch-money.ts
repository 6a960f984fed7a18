/** `tillbridge reconcile --watch`: looks again and again, and prints what is new. */
import { pause } from '../base/clock.ts';
import type { KeptResults, MoneyOutcome } from '../host/reconcile/index.ts';
import type { ReceivableResult } from '../reconcile/index.ts';
import { exitFailed, exitOk, type CliContext } from './cli-context.ts';
import { watchStopSignals } from './stop-signals.ts';

const minuteMs = 60_000;

/**
 * Until a signal; the exit code is that of the last look. `tell` prints an outcome, and gives its exit code. What cannot be
 * looked for at the first time ends it; later it is told once, and tried again.
 */
export async function watchMoney(
  everyMinutes: number,
  look: () => Promise<MoneyOutcome>,
  tell: (outcome: MoneyOutcome) => number,
  context: CliContext,
): Promise<number> {
  const { clock } = context;
  const signals = watchStopSignals(context);
  const stopping = new AbortController();
  void signals.first.then(() => stopping.abort());
  let before: KeptResults | null = null;
  let failure: string | null = null;
  let exitCode: number;
  try {
    do {
      const outcome = await look();
      if (!outcome.ok) {
        const said = outcome.messages.join(' ');
        exitCode = said === failure ? exitFailed : tell(outcome);
        failure = said;
        if (before === null) return exitCode;
      } else {
        failure = null;
        const { results } = outcome;
        const news = before === null ? results : changedSince(before, results);
        if (news !== null) tell({ ...outcome, results: news });
        exitCode = exitCodeFor(results);
        before = results;
      }
      await pause(clock, everyMinutes * minuteMs, stopping.signal);
    } while (!stopping.signal.aborted);
    context.endSoon();
    return exitCode;
  } finally {
    signals.release();
  }
}

/** For scripts: whether somebody should look at something. */
export function exitCodeFor({ batches }: KeptResults): number {
  return batches.some(({ needsPerson }) => needsPerson) ? exitFailed : exitOk;
}

/** What one result says that another did not; null: nothing. */
function changedSince(before: KeptResults, now: KeptResults): KeptResults | null {
  const said = new Set(before.batches.flatMap(({ parts }) => parts.map(saying)));
  const batches = now.batches
    .map((batch) => ({ ...batch, parts: batch.parts.filter((part) => !said.has(saying(part))) }))
    .filter(({ parts }) => parts.length > 0);
  const known = new Set(before.unexplained.map(({ id }) => id));
  const unexplained = now.unexplained.filter(({ id }) => !known.has(id));
  return batches.length + unexplained.length === 0 ? null : { ...now, batches, unexplained };
}

function saying({ batchId, acquirer, state, reason, needsPerson, match }: ReceivableResult): string {
  return JSON.stringify([batchId, acquirer, state, reason, needsPerson, match]);
}
