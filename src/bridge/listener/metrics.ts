/** `GET /metrics` in Prometheus text form. The library is loaded when somebody asks for the first time. */
import { operationOutcomeSchema, transactionStatusSchema } from '../../contract/operation.ts';
import type { Histogram, Registry } from 'prom-client';
import { refuseAndClose, challenge, commonHeaders } from './responses.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { respondInternalError } from './internal-errors.ts';
import { terminalConnectionSchema } from '../../contract/terminal.ts';
import { durationBoundsS } from './counters.ts';
import type { Counters } from './counters.ts';
import { noteMissingToken, tokenRefusal } from './token-guard.ts';

export function metricsRoute(context: ListenerContext, eventStreams: () => number) {
  let registry: Promise<Registry> | null = null;
  return async (request: ListenerRequest, response: ListenerResponse): Promise<void> => {
    const { requestContext } = response.locals;
    requestContext.path = '/metrics';
    try {
      const refusal = tokenRefusal(context.tokens, request.headers.authorization);
      if (refusal !== null) {
        noteMissingToken(context, request, requestContext);
        return refuseAndClose(context, requestContext, request, response, refusal, challenge);
      }
      registry ??= createRegistry(context, eventStreams);
      const ready = await registry;
      const text = await ready.metrics();
      if (requestContext.over) return;
      context.counters.responded(
        requestContext.path,
        200,
        context.clock.elapsed() - requestContext.arrivedAt.elapsedMs,
      );
      response.writeHead(200, {
        ...commonHeaders(context, requestContext),
        'Content-Type': ready.contentType,
      });
      response.end(text);
    } catch (error) {
      respondInternalError(context, requestContext, response, error);
    }
  };
}

async function createRegistry(context: ListenerContext, eventStreams: () => number): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const { payments, counters, version } = context;
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
      for (const [path, byStatus] of counters.requests) {
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
        this.inc({ status }, counters.statuses.get(status) ?? 0);
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
        this.inc({ outcome }, counters.outcomes.get(outcome) ?? 0);
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
  registry.registerMetric(durationMetric(counters));
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
function durationMetric(counters: Counters): Histogram {
  const name = 'tillbridge_http_request_duration_seconds';
  const metric = {
    name,
    help: 'Time from the headers of a request to its answer, waits for the terminal included, by path.',
    type: 'histogram',
    aggregator: 'sum',
    get: () => Promise.resolve({ ...metric, values: durationValues(name, counters) }),
  };
  // The registry asks a metric for its name and for `get` alone.
  return metric as unknown as Histogram;
}

function durationValues(name: string, counters: Counters) {
  return [...counters.durations].flatMap(([path, counter]) => {
    let sum = 0;
    const buckets = [...durationBoundsS, '+Inf'].map((le, index) => {
      sum += counter.counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { path, le }, value: sum };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { path }, value: counter.sumS },
      { metricName: `${name}_count`, labels: { path }, value: counter.count },
    ];
  });
}
