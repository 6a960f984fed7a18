/** What a payment, a reversal and a close have in common: steps at the terminal and at the host, and what can happen. */
import { encodeProgress } from '../../bridge/terminals/ecr17/wire/index.ts';
import type { Scenario } from '../scenarios.ts';
import type { Exchange, Terminal } from './terminal.ts';

/** What the terminal shows, and for how long. */
interface Step {
  shows: string;
  takesMs: number;
}

/** `broken_off`: nothing happened, and nobody is told. */
export type Decision = 'approved' | 'declined' | 'cancelled' | 'broken_off';

/** Bytes that no receiver may take for anything: no text, SOH, STX, ACK or NAK among them. */
const garbage = Uint8Array.of(0x00, 0xff);
const pieceBytes = 3;

/** `withCard`: a customer is at it. */
export async function decide(
  terminal: Terminal,
  exchange: Exchange,
  scenario: Scenario,
  withCard: boolean,
): Promise<Decision> {
  if (scenario === 'silence') {
    terminal.hang();
    return 'broken_off';
  }
  if (scenario === 'noise') exchange.disturb({ pieceBytes, garbage, corruptNextFrame: true });
  for (const { shows, takesMs } of stepsOf(terminal, scenario, withCard)) {
    if (terminal.dialect.progress) exchange.put(encodeProgress(shows));
    await exchange.pause(takesMs);
    if (exchange.ended) return 'broken_off';
  }
  if (scenario === 'declined') return 'declined';
  if (scenario === 'cancelled_by_customer') return 'cancelled';
  if (scenario !== 'power_loss') return 'approved';
  terminal.losePower();
  return 'broken_off';
}

function stepsOf({ timeScale, timings }: Terminal, scenario: Scenario, withCard: boolean): Step[] {
  const card: Step = { shows: 'INSERIRE CARTA', takesMs: timings.cardMs * timeScale };
  const again: Step = { ...card, shows: 'CARTA NON LETTA' };
  const pin: Step = { shows: 'DIGITARE PIN', takesMs: timings.pinMs * timeScale };
  const host: Step = { shows: 'ELABORAZIONE...', takesMs: timings.hostMs * timeScale };
  const before = withCard ? [card, ...(scenario === 'card_unreadable' ? [again] : []), pin] : [];
  if (scenario === 'cancelled_by_customer' && withCard) return [card];
  if (scenario !== 'slow_host') return [...before, host];
  const waits = Math.max(1, Math.ceil(timings.slowHostMs / timings.progressEveryMs));
  const wait: Step = { shows: 'ATTENDERE PREGO', takesMs: timings.progressEveryMs };
  return [...before, ...Array.from({ length: waits }, () => wait)];
}
