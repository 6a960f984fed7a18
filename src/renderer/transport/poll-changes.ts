/**
 * Changes for a window that has no stream: it asks again and again, and what differs from the time before is passed on as
 * the host would have sent it. The newest of everything is enough: the pages ask for more where they miss something.
 */
import {
  shutOutSchema,
  type ConsoleChange,
  type ConsoleResult,
  type MethodName,
  type RequestOf,
  type ResponseOf,
} from '../../contract/console/index.ts';

/** So many of the newest payments and log lines are looked at. */
const newestPayments = 20;
const newestLines = 100;

type Ask = <N extends MethodName>(name: N, request: RequestOf<N>) => Promise<ConsoleResult<ResponseOf<N>>>;

/** `shut_out`: this page may not ask. `lost`: nobody answered, or nothing that can be used. */
export type PollEnd = 'answered' | 'shut_out' | 'lost';
export type Poll = (onChange: (change: ConsoleChange) => void) => Promise<PollEnd>;

/** Gives what is called for each look. It rejects when nobody answers. The first one only remembers what there is. */
export function createPoll(ask: Ask): Poll {
  let before: Seen | null = null;
  return async (onChange) => {
    const seen = await look(ask);
    if (seen === 'lost' || seen === 'shut_out') return seen;
    if (before !== null) for (const change of changesBetween(before, seen)) onChange(change);
    before = seen;
    return 'answered';
  };
}

interface Seen {
  state: ResponseOf<'state'>;
  settings: ResponseOf<'settings'>;
  payments: ResponseOf<'payments'>['payments'];
  log: Pick<ResponseOf<'log'>, 'lines' | 'last'>;
}

async function look(ask: Ask): Promise<Seen | 'shut_out' | 'lost'> {
  const state = await ask('state', {});
  if (!state.ok) return shutOutSchema.safeParse(state.refusal.code).success ? 'shut_out' : 'lost';
  const settings = await ask('settings', {});
  if (!settings.ok) return 'lost';
  const everyPayment = { span: null, status: null, text: null };
  const everyLine = { minLevel: 'debug', sources: null, text: null } as const;
  const payments: Seen['payments'] = [];
  for (const terminal of terminalsIn(state.value)) {
    const newest = await ask('payments', {
      filter: everyPayment,
      before: null,
      limit: newestPayments,
      ...terminal,
    });
    // Refused while no bridge runs or the journal is damaged: then there is nothing new, either.
    if (newest.ok) payments.push(...newest.value.payments);
  }
  const log = await ask('log', { filter: everyLine, before: null, limit: newestLines });
  return {
    state: state.value,
    settings: settings.value,
    payments,
    log: log.ok ? log.value : { lines: [], last: 0 },
  };
}

/** For a request about each of them; the main one needs no name. */
function terminalsIn({ otherTerminals = [] }: Seen['state']): { terminal?: string }[] {
  return [{}, ...otherTerminals.map(({ name }) => ({ terminal: name }))];
}

function changesBetween(before: Seen, now: Seen): ConsoleChange[] {
  const changes: ConsoleChange[] = [];
  if (differ(before.state, now.state)) changes.push({ kind: 'state', state: now.state });
  if (differ(before.settings, now.settings)) changes.push({ kind: 'settings', view: now.settings });
  const known = new Map(before.payments.map((payment) => [payment.transactionId, payment]));
  // The host tells the older one first.
  for (const payment of now.payments.toReversed()) {
    if (differ(known.get(payment.transactionId), payment)) changes.push({ kind: 'payment', payment });
  }
  if (now.log.last > before.log.last) {
    const lines = now.log.lines.filter(({ id }) => id > before.log.last).toReversed();
    // Nothing happens to a batch without a line.
    changes.push({ kind: 'log', lines, last: now.log.last });
    for (const { terminal } of terminalsIn(now.state))
      changes.push({ kind: 'batch', ...(terminal === undefined ? {} : { onTerminal: terminal }) });
  }
  return changes;
}

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
