/** Waits for an intent, which may need a person's approval or another bank. */
import { pause } from '../../base/clock.ts';
import type { Operation } from '../catalogue/index.ts';
import { call } from './call.ts';
import type { CallContext, CallOptions } from './call-context.ts';
import { notSent, RemoteError } from './errors.ts';

export interface WaitOptions extends CallOptions {
  /** For all of the waiting, in milliseconds; a minute when left out. */
  withinMs?: number;
}

const defaultWaitMs = 60_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** The service goes on by itself. In any other stage it has ended, or waits for its caller. */
const moving = ['pending-approval', 'pending-completion'];

/** `waitFor`, of a resource whose records have a life cycle. */
export function waitingOf(
  context: CallContext,
  operation: Operation,
): Record<string, (...given: never[]) => unknown> {
  if (operation.segment !== null || !('life_cycle' in shapeOf(operation))) return {};
  return {
    /** Throws RemoteError: "timeout" with outcome "unknown" when the intent was still on its way. */
    async waitFor(record: string | { readonly id: string }, options: WaitOptions = {}): Promise<unknown> {
      const { withinMs = defaultWaitMs, ...callOptions } = options;
      const facts = { operation: operation.id, version: operation.version };
      if (!Number.isFinite(withinMs) || withinMs < 0)
        throw notSent(
          'invalid-request',
          `${operation.title}: withinMs must be a number of milliseconds.`,
          facts,
        );
      const id = typeof record === 'string' ? record : record.id;
      const endsAtMs = context.clock.elapsed() + withinMs;
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
        const { data } = await call(context, operation, { id }, callOptions);
        const stage = stageOf(data);
        if (!moving.includes(stage)) return data;
        const leftMs = endsAtMs - context.clock.elapsed();
        if (leftMs <= 0) {
          const message = `${operation.title}: still ${stage} after ${withinMs} ms. Wait again, or look at it later.`;
          throw new RemoteError({ kind: 'timeout', outcome: 'unknown', message, ...facts });
        }
        await pause(context.clock, Math.min(pauseMs, leftMs), callOptions.signal);
      }
    },
  };
}

function shapeOf({ record }: Operation): object {
  return 'shape' in record && typeof record.shape === 'object' ? (record.shape ?? {}) : {};
}

function stageOf(record: unknown): string {
  const { life_cycle: stage } = record as { life_cycle?: unknown };
  return typeof stage === 'string' ? stage : '';
}
