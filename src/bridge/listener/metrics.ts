/** `GET /metrics` in Prometheus text form. The library is loaded when somebody asks for the first time. */
import { operationOutcomeSchema, transactionStatusSchema } from '../../contract/operation.ts';
import type { Histogram, Registry } from 'prom-client';
import { answerAndClose, challenge, commonHeaders } from './answers.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './context.ts';
import { answerInternalError } from './faults.ts';
import { terminalConnectionSchema } from '../../contract/terminal.ts';
import { durationBoundsS } from './tallies.ts';
import type { Tallies } from './tallies.ts';
import { noteNoToken, tokenFailure } from './token-guard.ts';

export function metricsRoute(context: ListenerContext, eventStreams: () => number) {
  let registry: Promise<Registry> | null = null;
  return async (request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { exchange } = response.locals;
    exchange.path = '/metrics';
    try {
      const failure = tokenFailure(context.tokens, request.headers.authorization);
      if (failure !== null) {
        noteNoToken(context, request, exchange);
        return answerAndClose(context, exchange, request, response, failure, challenge);
      }
      registry ??= createRegistry(context, eventStreams);
      const ready = await registry;
      const text = await ready.metrics();
      if (exchange.over) return;
      context.tallies.answered(exchange.path, 200, context.clock.elapsed() - exchange.arrivedAt.elapsedMs);
      response.writeHead(200, { ...commonHeaders(context, exchange), 'Content-Type': ready.contentType });
      response.end(text);
    } catch (error) {
      answerInternalError(context, exchange, response, error);
    }
  };
}

async function createRegistry(context: ListenerContext, eventStreams: () => number): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const { payments, tallies, version } = context;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const info = new Gauge({
    name: 'tillbridge_info',
    help: 'Always 1; the label tells the version.',
    labelNames: ['version'],
    registers: [registry],
  });
  info.set({ version }, 1);

  const requests = new Counter({
    name: 'tillbridge_http_requests_total',
    help: 'Requests answered, by path and HTTP status.',
    labelNames: ['path', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const [path, byStatus] of tallies.requests) {
        for (const [status, value] of byStatus) this.inc({ path, status }, value);
      }
    },
  });

  const changes = new Counter({
    name: 'tillbridge_payment_changes_total',
    help: 'How often a payment came to a status while the listener was open.',
    labelNames: ['status'],
    registers: [],
    collect() {
      this.reset();
      for (const status of transactionStatusSchema.options) {
        this.inc({ status }, tallies.statuses.get(status) ?? 0);
      }
    },
  });

  const ended = new Counter({
    name: 'tillbridge_operations_ended_total',
    help: 'Sales, voids and batch closes that ended while the listener was open, by outcome.',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const outcome of operationOutcomeSchema.options) {
        this.inc({ outcome }, tallies.outcomes.get(outcome) ?? 0);
      }
    },
  });

  const state = new Gauge({
    name: 'tillbridge_terminal_state',
    help: '1 for the state that the terminal is in, 0 for the others.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { connection } = payments.status().terminal;
      for (const name of terminalConnectionSchema.options)
        this.set({ state: name }, name === connection ? 1 : 0);
    },
  });

  const inDoubt = new Gauge({
    name: 'tillbridge_operations_in_doubt',
    help: 'Operations whose outcome nobody knows yet.',
    registers: [],
    collect() {
      this.set(payments.status().inDoubt);
    },
  });

  const discrepancies = new Gauge({
    name: 'tillbridge_open_discrepancies',
    help: 'What terminal and journal disagree about, and nobody has acknowledged yet.',
    registers: [],
    collect() {
      this.set(payments.status().discrepancies);
    },
  });

  const streams = new Gauge({
    name: 'tillbridge_event_streams',
    help: 'Open streams of /events.',
    registers: [],
    collect() {
      this.set(eventStreams());
    },
  });

  registry.registerMetric(requests);
  registry.registerMetric(durationMetric(tallies));
  registry.registerMetric(changes);
  registry.registerMetric(ended);
  registry.registerMetric(state);
  registry.registerMetric(inDoubt);
  registry.registerMetric(discrepancies);
  registry.registerMetric(streams);
  return registry;
}

/**
 * A histogram that is read from the tallies when it is asked for. The library's own would have to be loaded before the
 * first request and costs each of them more than the counting does.
 */
function durationMetric(tallies: Tallies): Histogram {
  const name = 'tillbridge_http_request_duration_seconds';
  const metric = {
    name,
    help: 'Time from the headers of a request to its answer, waits for the terminal included, by path.',
    type: 'histogram',
    aggregator: 'sum',
    get: () => Promise.resolve({ ...metric, values: durationValues(name, tallies) }),
  };
  // The registry asks a metric for its name and for `get` alone.
  return metric as unknown as Histogram;
}

function durationValues(name: string, tallies: Tallies) {
  return [...tallies.durations].flatMap(([path, tally]) => {
    let sum = 0;
    const buckets = [...durationBoundsS, '+Inf'].map((le, index) => {
      sum += tally.counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { path, le }, value: sum };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { path }, value: tally.sumS },
      { metricName: `${name}_count`, labels: { path }, value: tally.count },
    ];
  });
}
