/** Tells in plain sentences what the bridge does: for the window that it runs in, or the service's log. */
import type { PaymentsEvent, PaymentsApi, TerminalStatus } from '../bridge/payments/index.ts';
import type { JournalEvent } from '../contract/journal-events.ts';
import { factSentence, startedWords } from './fact-sentences.ts';

export interface Narrator {
  /** Ends it. */
  stop(): void;
}

/**
 * Says how the terminal is now, and then each change of it and each step of an operation, through `say`. `started` of
 * an operation that began before is asked of the journal's facts.
 */
export function narrate(
  payments: Pick<PaymentsApi, 'status' | 'subscribe' | 'doubts'>,
  say: (sentence: string) => void,
): Narrator {
  let lastSaid = '';
  /** What each running operation is called. At most a handful. */
  const names = new Map(payments.doubts().map(({ operationId, facts }) => [operationId, nameIn(facts)]));

  const tellTerminal = (terminal: TerminalStatus) => {
    const sentence =
      terminal.progress === null ? `Terminal: ${terminal.text}` : `Terminal shows: ${terminal.progress}`;
    if (sentence === lastSaid) return;
    lastSaid = sentence;
    say(sentence);
  };
  const tellFact = (event: JournalEvent) => {
    if (event.type === 'operation_started') names.set(event.operationId, startedWords(event));
    const sentence = ofAnOperation(event)
      ? sentenceOf(event, names.get(event.operationId) ?? `operation ${event.operationId}`)
      : sentenceBeside(event);
    if (event.type === 'operation_ended') names.delete(event.operationId);
    if (sentence === null) return;
    lastSaid = '';
    say(sentence);
  };
  const { terminal, discrepancies } = payments.status();
  if (discrepancies > 0) {
    const what = discrepancies === 1 ? 'One discrepancy is' : `${discrepancies} discrepancies are`;
    say(`${what} open. See "tillbridge discrepancies".`);
  }
  tellTerminal(terminal);
  const end = payments.subscribe((paymentsEvent: PaymentsEvent) =>
    paymentsEvent.kind === 'terminal'
      ? tellTerminal(paymentsEvent.terminal)
      : tellFact(paymentsEvent.stored.event),
  );
  return { stop: end };
}

type OperationEvent = Exclude<Extract<JournalEvent, { operationId: string }>, { type: 'discrepancy_found' }>;

function ofAnOperation(event: JournalEvent): event is OperationEvent {
  return 'operationId' in event && event.type !== 'discrepancy_found';
}

/** What is said of facts that are no step of an operation. */
function sentenceBeside(event: Exclude<JournalEvent, OperationEvent>): string | null {
  switch (event.type) {
    case 'discrepancy_found':
      return `DISCREPANCY. ${event.message} See "tillbridge discrepancies".`;
    case 'discrepancy_acknowledged':
    case 'terminal_trait_learned':
      return factSentence(event);
    case 'terminal_ready':
    case 'terminal_lost':
    case 'record_seen':
    case 'journal_opened':
    case 'journal_repaired':
      return null;
  }
}

/** Null for facts that are of interest to support only; the journal has them. */
function sentenceOf(event: OperationEvent, name: string): string | null {
  switch (event.type) {
    case 'operation_started':
      return `${capital(name)}: given to the terminal.`;
    case 'cancel_requested':
      return `${capital(name)}: a cancel was asked for.`;
    case 'result_received':
    case 'result_acknowledged':
    case 'late_result_received':
      return null;
    case 'operation_in_doubt':
      return `${capital(name)}: IN DOUBT. ${event.reason}`;
    case 'evidence_found':
      return event.needsPerson
        ? `${capital(name)}: a person must decide. ${event.evidence.explanation} See "tillbridge doubts".`
        : null;
    case 'operation_ended':
      return `${capital(name)}: ${event.outcome.replace('_', ' ')}. ${event.reason}`;
  }
}

function nameIn(facts: { event: JournalEvent }[]): string {
  const started = facts.map(({ event }) => event).find((event) => event.type === 'operation_started');
  return started === undefined ? 'operation' : startedWords(started);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
