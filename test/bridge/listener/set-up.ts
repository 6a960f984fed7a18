/** A listener on a free port with payments in memory, on a clock that stands still, closed after each test. */
import { afterEach } from 'vitest';
import { createListener } from '../../../src/bridge/listener/index.ts';
import type { Listener, ListenerOptions } from '../../../src/bridge/listener/index.ts';
import type { Log, LogFields } from '../../../src/log/log.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { createMemoryPayments } from '../../support/memory-payments.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock, type TestTime } from '../../support/virtual-clock.ts';
import type { MemoryPayments } from '../../support/memory-payments.ts';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: LogFields;
}

export interface Rig {
  clock: TestTime;
  listener: Listener;
  payments: MemoryPayments;
  port: number;
  lines: LogLine[];
}

const opened: { listener: Listener; clock: TestTime }[] = [];
afterEach(async () => {
  await Promise.all(
    opened.splice(0).map(({ listener, clock }) => clock.run(listener.stop(), 'the end of the listener')),
  );
});

/** What is changed; `clock` for tests that move it, or need the machine's time. */
export type ListenerChange = Partial<ListenerOptions> & { clock?: TestTime };

export function prepareListener(change: ListenerChange = {}) {
  const clock = change.clock ?? createVirtualClock({ besideIo: true });
  const payments = createMemoryPayments(clock);
  const lines: LogLine[] = [];
  const listener = createListener({
    payments,
    log: collectingLog(lines),
    clock,
    chance: seededChance(clock),
    version: '1.2.3',
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    allowedOrigins: [],
    currency: 'EUR',
    makeReferences: false,
    tokensFile: null,
    ...change,
  });
  opened.push({ listener, clock });
  return { clock, listener, payments, lines };
}

export async function startListener(change: ListenerChange = {}): Promise<Rig> {
  const prepared = prepareListener(change);
  const started = await prepared.listener.start();
  if (started.kind === 'failed') throw new Error(started.message);
  return { ...prepared, port: started.port };
}

export function collectingLog(lines: LogLine[]): Log {
  return createNotingLog((level, message, fields) => void lines.push({ level, message, fields }));
}
