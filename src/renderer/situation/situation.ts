/** The one thing that the cashier must know now, out of all that the state tells. */
import type {
  ConsoleState,
  CurrentOperation,
  LastEnded,
  ListenerState,
  PaymentView,
  ShutOut,
  TerminalState,
} from '../../contract/console/index.ts';
import type { InDoubtView } from '../../contract/in-doubt.ts';
import type { ClientView } from '../store/console-client.ts';

export type Situation =
  /** What is shown is old: nobody knows what the terminal does now. */
  | { kind: 'disconnected'; shutOut: ShutOut | null }
  | { kind: 'operation'; currentOperation: CurrentOperation; terminal: TerminalState | null }
  | { kind: 'in_doubt'; inDoubt: InDoubtView; terminal: TerminalState | null }
  /** Something has just ended. */
  | { kind: 'result'; ended: LastEnded; payment: PaymentView | null }
  | { kind: 'bridge'; bridge: ConsoleState['bridge'] }
  | { kind: 'journal'; damaged: boolean; text: string }
  /**
   * A repair of the journal lost events: no payment starts before somebody has acknowledged that. `by`: it is the journal
   * of the terminal of this name, or that one cannot be read; null: this terminal's own.
   */
  | { kind: 'held'; by: string | null }
  | { kind: 'terminal'; terminal: TerminalState }
  | { kind: 'listener'; listener: Exclude<ListenerState, { kind: 'on' }> }
  | { kind: 'ready' };

/**
 * `ready` only when a payment of the POS would reach the terminal and be written down. `fresh` is the result that is new
 * (`store/till-events.ts`): it comes before everything but what is on the terminal now and what is in doubt. Of several
 * terminals the state is that of one (`stateOf`): what is in doubt on another one stops nothing on this one.
 */
export function situationOf(
  view: ClientView & { state: ConsoleState },
  fresh: LastEnded | null = null,
): Situation {
  const { currentOperation, doubts, salesHeld, heldElsewhere, terminal, bridge, journal, listener } =
    view.state;
  if (!view.connected) return { kind: 'disconnected', shutOut: view.shutOut };
  if (currentOperation !== null) return { kind: 'operation', currentOperation, terminal };
  const inDoubt = doubts.find(({ needsDecision }) => needsDecision) ?? doubts[0];
  if (inDoubt !== undefined) return { kind: 'in_doubt', inDoubt, terminal };
  if (fresh !== null) return { kind: 'result', ended: fresh, payment: paymentOf(fresh, view.state) };
  if (bridge.kind !== 'running' || terminal === null) return { kind: 'bridge', bridge };
  if (!journal.writable) return { kind: 'journal', damaged: journal.damaged, text: journal.text };
  if (salesHeld) return { kind: 'held', by: null };
  if (heldElsewhere !== null) return { kind: 'held', by: heldElsewhere };
  if (terminal.connection !== 'ready') return { kind: 'terminal', terminal };
  if (listener.kind !== 'on') return { kind: 'listener', listener };
  return { kind: 'ready' };
}

function paymentOf({ outcome }: LastEnded, { lastPayment }: ConsoleState): PaymentView | null {
  return outcome === 'closed' || outcome === 'not_closed' ? null : lastPayment;
}
