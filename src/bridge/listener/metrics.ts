/** What the listener counts. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../base/clock.ts';
import type { BatchesWithoutMoney } from '../../contract/batches-without-money.ts';
import { operationOutcomeSchema, transactionStatusSchema } from '../../contract/operation.ts';
import { terminalConnectionSchema } from '../../contract/terminal.ts';
import type { PaymentsStatus } from '../payments/index.ts';
import type { EventMeaning, StoredEvent } from './sse-events.ts';
import type { ListenerTerminal } from './terminal-table.ts';

/** What the counts in /health and /metrics mean. */
export const countMeanings = {
  inDoubt: 'Operations whose outcome nobody knows yet.',
  discrepancies: 'What the terminal and the journal disagree about, and nobody has acknowledged yet.',
};

/** Upper bounds of the duration histogram, in seconds; the longest `Prefer: wait` is 300 s. */
const durationBoundsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 60, 120, 300];

/** Of the terminal's first answer, in seconds: it has 5 s for it (ZVT T3). */
const answerBoundsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** From the card to the result, in seconds. */
const cardBoundsS = [0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120];

export interface ListenerMetrics {
  /** A response is on its way: its path is one of ours or `other`, so the number of labels is bounded. */
  responded(request: { path: string; arrivedAt: { elapsedMs: number } }, status: number): void;
  /** `terminal` is the name of the one whose journal has it. */
  journalEvent(terminal: string, stored: StoredEvent, meaning: EventMeaning): void;
  /** All of them, and the process's own, as `contentType` says. */
  text(): Promise<string>;
  readonly contentType: string;
}

export function createListenerMetrics(options: {
  terminals: readonly Pick<ListenerTerminal, 'name' | 'payments'>[];
  clock: Clock;
  version: string;
  /** Open streams of /events. */
  eventStreams: () => number;
  batchesWithoutMoney: () => readonly BatchesWithoutMoney[] | Promise<readonly BatchesWithoutMoney[]>;
}): ListenerMetrics {
  const { terminals, clock, version, eventStreams, batchesWithoutMoney } = options;
  const registry = new Registry();
  const registers = [registry];
  let withProcess = false;

  const requests = new Counter({
    name: 'tillbridge_http_requests_total',
    help: 'Requests answered, by path and HTTP status.',
    labelNames: ['path', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'tillbridge_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer, waits for the terminal included, by path.',
    labelNames: ['path'],
    buckets: durationBoundsS,
    registers,
  });
  const changes = new Counter({
    name: 'tillbridge_payment_changes_total',
    help: 'How often a payment came to a status while the listener was open.',
    labelNames: ['terminal', 'status'],
    registers,
  });
  const ended = new Counter({
    name: 'tillbridge_operations_ended_total',
    help: 'Sales, voids and batch closes that ended while the listener was open, by outcome.',
    labelNames: ['terminal', 'outcome'],
    registers,
  });
  for (const { name: terminal } of terminals) {
    for (const status of transactionStatusSchema.options) changes.inc({ terminal, status }, 0);
    for (const outcome of operationOutcomeSchema.options) ended.inc({ terminal, outcome }, 0);
  }

  const answers = new Histogram({
    name: 'tillbridge_terminal_answer_seconds',
    help: 'Time from a command that moves money to the terminal’s first answer to it, of operations that the terminal ended itself.',
    labelNames: ['terminal'],
    buckets: answerBoundsS,
    registers,
  });
  const cards = new Histogram({
    name: 'tillbridge_card_to_result_seconds',
    help: 'Time from the terminal’s first sign of a card to its result, PIN entry included; terminals that show no sign of a card are not counted.',
    labelNames: ['terminal'],
    buckets: cardBoundsS,
    registers,
  });
  for (const { name: terminal } of terminals) {
    answers.zero({ terminal });
    cards.zero({ terminal });
  }

  const ofTerminals = (name: string, help: string, read: (status: PaymentsStatus) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['terminal'],
      registers,
      collect() {
        for (const { name: terminal, payments } of terminals) this.set({ terminal }, read(payments.status()));
      },
    });
  ofTerminals('tillbridge_operations_in_doubt', countMeanings.inDoubt, ({ inDoubt }) => inDoubt);
  ofTerminals(
    'tillbridge_open_discrepancies',
    countMeanings.discrepancies,
    ({ discrepancies }) => discrepancies,
  );
  const streams = new Gauge({
    name: 'tillbridge_event_streams',
    help: 'Open streams of /events.',
    registers: [],
    collect() {
      this.set(eventStreams());
    },
  });
  registry.registerMetric(streams);
  const withoutMoney = new Gauge({
    name: 'tillbridge_batches_without_money',
    help: 'Closed batches whose money has not been found at the account, by why, as "tillbridge reconcile" found it last.',
    labelNames: ['terminal', 'state'],
    registers: [],
    async collect() {
      const counts = await batchesWithoutMoney();
      this.reset();
      for (const { count, ...labels } of counts) this.set(labels, count);
    },
  });
  registry.registerMetric(withoutMoney);
  const info = new Gauge({
    name: 'tillbridge_info',
    help: 'Always 1; the label tells the version.',
    labelNames: ['version'],
    registers,
  });
  info.set({ version }, 1);
  const state = new Gauge({
    name: 'tillbridge_terminal_state',
    help: '1 for the state that the terminal is in, 0 for the others.',
    labelNames: ['terminal', 'state'],
    registers: [],
    collect() {
      for (const { name: terminal, payments } of terminals) {
        const { connection } = payments.status().terminal;
        for (const state of terminalConnectionSchema.options)
          this.set({ terminal, state }, state === connection ? 1 : 0);
      }
    },
  });
  registry.registerMetric(state);

  return {
    responded({ path, arrivedAt }, status) {
      requests.inc({ path, status });
      durations.observe({ path }, (clock.elapsed() - arrivedAt.elapsedMs) / 1_000);
    },

    journalEvent(terminal, { event }, meaning) {
      if (event.type === 'operation_ended') {
        ended.inc({ terminal, outcome: event.outcome });
        if (event.times !== undefined) answers.observe({ terminal }, event.times.answerMs / 1_000);
        if (event.times?.cardMs !== undefined) cards.observe({ terminal }, event.times.cardMs / 1_000);
      }
      if (meaning?.kind === 'payment') changes.inc({ terminal, status: meaning.status });
      if (meaning?.kind === 'batch') changes.inc({ terminal, status: 'settled' }, meaning.settled);
    },

    text() {
      // They look at the event loop a hundred times a second, so only where somebody asks.
      if (!withProcess) collectDefaultMetrics({ register: registry });
      withProcess = true;
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
