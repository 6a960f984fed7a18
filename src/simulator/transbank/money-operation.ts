/** What a sale, a void and a close have in common: steps at the terminal and at the host, and what can happen on the way. */
import { cancelledCode } from '../../bridge/terminals/transbank/wire/index.ts';
import type { Scenario } from '../scenarios.ts';
import { sendProgress } from './answers.ts';
import type { Exchange } from './exchange.ts';
import type { Terminal } from './terminal.ts';

/** What the terminal shows (0900), and for how long. */
interface Step {
  code: '78' | '81' | '82';
  takesMs: number;
}

/** `broken_off`: nothing happened, and nobody is told. */
export type Decision = { kind: 'approved' } | { kind: 'refused'; code: string } | { kind: 'broken_off' };

const rejectedCode = '01';
/** Bytes that no receiver may take for anything: no text, STX, ACK or NAK among them. */
const garbage = Uint8Array.of(0x00, 0xff);
const pieceBytes = 3;

/** `told`: the till wants to hear of the steps. `withCard`: a customer is at it. */
export async function decide(
  terminal: Terminal,
  exchange: Exchange,
  scenario: Scenario,
  { told, withCard }: { told: boolean; withCard: boolean },
): Promise<Decision> {
  if (scenario === 'silence') {
    terminal.hang();
    return { kind: 'broken_off' };
  }
  if (scenario === 'noise') exchange.disturb({ pieceBytes, garbage, corruptNextFrame: true });
  let listens = told;
  for (const { code, takesMs } of stepsOf(terminal, scenario, withCard)) {
    // Whether the till hears of it changes nothing: the customer goes on.
    if (listens) listens = (await sendProgress(terminal, exchange, code)) === 'delivered';
    await exchange.pause(takesMs);
    if (exchange.ended) return { kind: 'broken_off' };
  }
  if (scenario === 'declined') return { kind: 'refused', code: rejectedCode };
  if (scenario === 'cancelled_by_customer') return { kind: 'refused', code: cancelledCode };
  if (scenario !== 'power_loss') return { kind: 'approved' };
  terminal.losePower();
  return { kind: 'broken_off' };
}

function stepsOf(terminal: Terminal, scenario: Scenario, withCard: boolean): Step[] {
  const { timeScale, timings } = terminal;
  const card: Step = { code: '78', takesMs: timings.cardMs * timeScale };
  const pin: Step = { code: '81', takesMs: timings.pinMs * timeScale };
  const host: Step = { code: '82', takesMs: timings.hostMs * timeScale };
  const before = withCard ? [card, ...(scenario === 'card_unreadable' ? [card] : []), pin] : [];
  if (scenario === 'cancelled_by_customer' && withCard) return [card];
  if (scenario !== 'slow_host') return [...before, host];
  const waits = Math.max(1, Math.ceil(timings.slowHostMs / timings.progressEveryMs));
  const wait: Step = { ...host, takesMs: timings.progressEveryMs };
  return [...before, ...Array.from({ length: waits }, () => wait)];
}
