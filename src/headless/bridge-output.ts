/**
 * What a bridge prints while it runs, for the window that it runs in or for the service's log: the start banner, then
 * each change in a sentence, on output that nothing waits for.
 */
import type { Bridge } from '../bridge/bridge.ts';
import type { PaymentsEvent, PaymentsApi, TerminalStatus } from '../bridge/payments/index.ts';
import type { JournalEvent } from '../contract/journal-events.ts';
import { commandOn, journalLocation, repairCommand, type Host } from '../host/index.ts';
import { bracketed, nameInAddress } from '../http/index.ts';
import type { CliContext } from './cli-context.ts';
import { capital, describeStarted, eventMessage } from './journal-event-text.ts';

/** The start banner of a bridge: where it listens, what it is connected to, where its files are, what to try. */
export function printStartBanner(
  host: Host,
  bridge: Bridge,
  consoleLink: string | null,
  context: CliContext,
): void {
  const { simulated, line } = bridge.payments.status().terminal;
  context.info(`Tillbridge ${context.version}`);
  if (simulated) context.info('*** SIMULATOR – no real payments ***');
  for (const sentence of damageOf(host, bridge)) context.info(sentence);
  const { running } = host;
  const port = bridge.listener.port;
  const { host: listensAt = null } = running?.configuration ?? {};
  context.info(
    port === null ? notListening(host) : `Listening on http://${bracketed(listensAt ?? '127.0.0.1')}:${port}`,
  );
  context.info(`Terminal line: ${line}`);
  for (const { name, payments, retired } of bridge.terminals.slice(1))
    if (!retired) context.info(`Terminal "${name}": ${payments.status().terminal.line}`);
  if (running !== null) context.info(`Journal: ${running.folder}`);
  if (running !== null && running.logFile !== null) context.info(`Log: ${running.logFile}`);
  if (consoleLink !== null) {
    context.info('Console:', consoleLink);
    const console = commandOn(running?.configuration.dataDir ?? context.defaultDataDir, 'console');
    context.info(`The link works once, within an hour. "${console}" prints another.`);
  }
  if (port !== null) {
    // At 0.0.0.0 it listens, but it is not called so.
    context.info(`Try it: ${tryIt(`http://${nameInAddress(listensAt)}:${port}`, simulated, context)}`);
  }
  context.info('Stop it with Ctrl-C.');
}

/** What is to be done about each journal that was damaged when the bridge started. */
export function damageOf({ running }: Host, bridge: Bridge): string[] {
  const several = bridge.terminals.length > 1;
  const { simulated } = bridge.payments.status().terminal;
  return bridge.terminals.flatMap(({ name, damage }) => {
    if (damage === null || running === null) return [];
    const command = repairCommand(journalLocation(running.configuration.dataDir, simulated, name));
    return [
      `THE JOURNAL${several ? ` OF "${name}"` : ''} IS DAMAGED. ${damage}`,
      `To repair it, stop the bridge and run "${command}".`,
    ];
  });
}

/** The start banner of a host that waits for somebody to choose a terminal. */
export function printSetupBanner(consoleLink: string, context: CliContext): void {
  context.info(`Tillbridge ${context.version}`);
  context.info('No terminal has been chosen yet. Open the console to choose one:');
  context.info('Console:', consoleLink);
  context.info('The link works once, within an hour.');
  context.info('Stop it with Ctrl-C.');
}

function notListening(host: Host): string {
  const { listener } = host.state();
  return listener.kind === 'failed'
    ? `Not listening: ${listener.text}`
    : 'Not listening: your POS cannot take card payments until you press Start in the console.';
}

/** A payment on the simulator; on a real terminal only a question that moves nothing. */
function tryIt(address: string, simulated: boolean, context: CliContext): string {
  if (!simulated) return `curl ${address}/health`;
  // In letters as well: a number of 13 digits may be taken for a card’s and masked.
  const reference = `TRY-${context.clock.now().toString(36).toUpperCase()}`;
  const body = `{"amount":"12.00","retrieval_reference_number":"${reference}"}`;
  // cmd.exe knows only double quotes.
  const quoted = process.platform === 'win32' ? `"${body.replaceAll('"', '\\"')}"` : `'${body}'`;
  return `curl -H "x-api-version: v1" -H "Content-Type: application/json" -d ${quoted} ${address}/CreatePayment`;
}

export interface EventPrinter {
  stop(): void;
}

/** Prints what happens on each terminal; of several, each sentence begins with the name of its terminal. */
export function printEventsOf(
  terminals: readonly { name: string; payments: PrintedPayments }[],
  dataDir: string,
  print: (message: string) => void,
): EventPrinter {
  const several = terminals.length > 1;
  const printers = terminals.map(({ name, payments }) =>
    printEvents(payments, dataDir, several ? (message) => print(`${name}: ${message}`) : print),
  );
  return { stop: () => printers.forEach((printer) => printer.stop()) };
}

type PrintedPayments = Pick<PaymentsApi, 'status' | 'subscribe' | 'operationsInDoubt'>;

/**
 * Prints how the terminal is now, and then each change of it and each step of an operation. What an operation that began
 * before is called comes from its events in the journal. `dataDir` is for the commands in it.
 */
export function printEvents(
  payments: PrintedPayments,
  dataDir: string,
  print: (message: string) => void,
): EventPrinter {
  let lastPrinted = '';
  /** What each running operation is called. At most a handful. */
  const names = new Map(
    payments.operationsInDoubt().map(({ operationId, facts }) => [operationId, nameIn(facts)]),
  );

  const printTerminal = (terminal: TerminalStatus) => {
    const message =
      terminal.progress === null ? `Terminal: ${terminal.text}` : `Terminal shows: ${terminal.progress}`;
    if (message === lastPrinted) return;
    lastPrinted = message;
    print(message);
  };
  const printEvent = (event: JournalEvent) => {
    if (event.type === 'operation_started') names.set(event.operationId, describeStarted(event));
    const message = ofAnOperation(event)
      ? operationMessage(event, names.get(event.operationId) ?? `operation ${event.operationId}`, dataDir)
      : otherMessage(event, dataDir);
    if (event.type === 'operation_ended') names.delete(event.operationId);
    if (message === null) return;
    lastPrinted = '';
    print(message);
  };
  const { terminal, discrepancies } = payments.status();
  if (discrepancies > 0) {
    const what = discrepancies === 1 ? 'One discrepancy is' : `${discrepancies} discrepancies are`;
    print(`${what} open. See "${commandOn(dataDir, 'discrepancies')}".`);
  }
  printTerminal(terminal);
  const end = payments.subscribe((paymentsEvent: PaymentsEvent) =>
    paymentsEvent.kind === 'terminal'
      ? printTerminal(paymentsEvent.terminal)
      : printEvent(paymentsEvent.stored.event),
  );
  return { stop: end };
}

type OperationEvent = Exclude<Extract<JournalEvent, { operationId: string }>, { type: 'discrepancy_found' }>;

function ofAnOperation(event: JournalEvent): event is OperationEvent {
  return 'operationId' in event && event.type !== 'discrepancy_found';
}

/** What is printed of events that are no step of an operation. */
function otherMessage(event: Exclude<JournalEvent, OperationEvent>, dataDir: string): string | null {
  switch (event.type) {
    case 'discrepancy_found':
      return `DISCREPANCY. ${event.message} See "${commandOn(dataDir, 'discrepancies')}".`;
    case 'discrepancy_acknowledged':
    case 'terminal_trait_learned':
      return eventMessage(event);
    case 'terminal_ready':
    case 'terminal_lost':
    case 'record_seen':
    case 'journal_opened':
    case 'journal_repaired':
      return null;
  }
}

/** Null for events that are of interest to support only; the journal has them. */
function operationMessage(event: OperationEvent, name: string, dataDir: string): string | null {
  switch (event.type) {
    case 'operation_started':
      return `${capital(name)}: started.`;
    case 'cancel_requested':
      return `${capital(name)}: cancellation requested.`;
    case 'result_received':
    case 'result_acknowledged':
    case 'late_result_received':
      return null;
    case 'operation_in_doubt':
      return `${capital(name)}: IN DOUBT. ${event.reason}`;
    case 'evidence_found':
      return event.needsPerson
        ? `${capital(name)}: someone has to decide. ${event.evidence.explanation} See "${commandOn(dataDir, 'doubts')}".`
        : null;
    case 'operation_ended':
      return `${capital(name)}: ${event.outcome.replace('_', ' ')}. ${event.reason}`;
  }
}

function nameIn(events: { event: JournalEvent }[]): string {
  const started = events.map(({ event }) => event).find((event) => event.type === 'operation_started');
  return started === undefined ? 'operation' : describeStarted(started);
}

export interface DeferredOutput {
  /** Has `print` called in the order of the calls, after what runs now is done. */
  print(line: string): void;
  /** Prints what still waits, now. */
  flush(): void;
}

/**
 * Writing to a pipe or a window blocks the process. A line about a payment comes in the middle of
 * it, before the caller has the response and the terminal the command; neither should wait for whoever reads the output.
 */
export function deferOutput(print: (line: string) => void): DeferredOutput {
  let waiting: string[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    for (const line of lines) print(line);
  };
  return {
    print(line) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(line);
    },
    flush,
  };
}
