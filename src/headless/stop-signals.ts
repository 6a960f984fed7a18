/** The first signal asks to stop, a second one ends at once. */
import type { StopSignal, CliContext } from './cli-context.ts';

/**
 * One press of Ctrl-C can arrive twice: from the console, and passed on by npm or the launcher. What follows the first
 * signal within this time is the same press.
 */
const samePressMs = 300;

/** Whoever is abandoned would have been sent SIGTERM. */
const signalNumbers = { SIGINT: 2, SIGTERM: 15, abandoned: 15 };

/** The exit code of a process that a signal has ended, as shells have it. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + signalNumbers[signal];
}

export interface StopSignals {
  /** Resolves with the first signal. */
  first: Promise<StopSignal>;
  /** Signals end the process again as they would without us. */
  release(): void;
}

export function watchStopSignals(context: CliContext, endedAtOnce = 'Ended at once.'): StopSignals {
  let firstAtMs: number | null = null;
  let release = () => {};
  const first = new Promise<StopSignal>((resolve) => {
    release = context.onSignal((signal) => {
      if (firstAtMs === null) {
        firstAtMs = context.clock.elapsed();
        resolve(signal);
      } else if (signal !== 'abandoned' && context.clock.elapsed() - firstAtMs >= samePressMs) {
        context.error(endedAtOnce);
        context.endNow(exitCodeOf(signal));
      }
    });
  });
  return { first, release: () => release() };
}
