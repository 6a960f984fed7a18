/** The steps that people see at the terminal, as 04 FF messages and pauses. */
import type { Exchange } from './conversation.ts';
import { wantsProgress } from './registration.ts';
import { intermediateStatus } from './replies.ts';
import type { Terminal } from './terminal.ts';

export interface Step {
  /** Code of sheet section 13, intermediate status. */
  status: string;
  text: string;
  takesMs: number;
}

/** How the till took part: `on`; or it cannot be reached any more, which breaks the operation off. */
export type StepEnd = 'on' | 'broken_off';

/** Tells the till (if it wants to know; its answer counts for nothing, but it must answer), then lets the time pass. */
export async function takeStep(
  terminal: Terminal,
  exchange: Exchange,
  step: Step,
  signal?: AbortSignal,
): Promise<StepEnd> {
  if (wantsProgress(terminal.registration)) {
    const answer = await exchange.ask(intermediateStatus(terminal, step.status, step.text));
    if (answer.kind !== 'positive' && answer.kind !== 'negative') return 'broken_off';
  }
  await exchange.pause(step.takesMs, signal);
  return exchange.ended ? 'broken_off' : 'on';
}
