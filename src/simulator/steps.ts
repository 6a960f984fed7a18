/** The steps that people see at the terminal, as 04 FF messages and pauses. */
import type { Exchange } from './exchange.ts';
import { wantsProgress, type Terminal } from './simulated-terminal.ts';
import { intermediateStatus } from './replies.ts';

export interface Step {
  /** What the terminal shows, as two hex digits (ZVT PA00P015, 04 FF). */
  status: string;
  text: string;
  takesMs: number;
}

/** How the till took part: `on`; or it cannot be reached any more, which breaks the operation off. */
export type StepEnd = 'on' | 'broken_off';

/** Informs the till (if it wants to know; its answer counts for nothing, but it must answer), then lets the time pass. */
export async function takeStep(
  terminal: Terminal,
  exchange: Exchange,
  step: Step,
  signal?: AbortSignal,
): Promise<StepEnd> {
  if (wantsProgress(terminal.registration)) {
    const answer = await exchange.sendAndWait(intermediateStatus(terminal, step.status, step.text));
    if (answer.kind !== 'positive' && answer.kind !== 'negative') return 'broken_off';
  }
  await exchange.pause(step.takesMs, signal);
  return exchange.ended ? 'broken_off' : 'on';
}

/** Bytes that no receiver may take for anything: no DLE, STX, ACK or NAK among them. */
const garbage = Uint8Array.of(0x00, 0xff, 0x55, 0x7f);
const pieceBytes = 3;

/** The line is noisy until the operation is over. (The NAK of the scenario is given by `acceptFrame` of the data link.) */
export function makeNoise(exchange: Exchange): void {
  exchange.disturb({ pieceBytes, garbage, corruptNextFrame: true });
}
