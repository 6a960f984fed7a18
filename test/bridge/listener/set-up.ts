/** A listener on a free port with payments in memory, closed after each test. */
import { afterEach } from 'vitest';
import { systemChance } from '../../../src/contract/chance.ts';
import { systemClock } from '../../../src/contract/clock.ts';
import { createListener } from '../../../src/bridge/listener/index.ts';
import type { Listener, ListenerOptions } from '../../../src/bridge/listener/index.ts';
import type { Log, LogFields } from '../../../src/bridge/log/log.ts';
import { createMemoryPayments } from '../../support/memory-payments.ts';
import type { MemoryPayments } from '../../support/memory-payments.ts';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: LogFields;
}

export interface Rig {
  listener: Listener;
  payments: MemoryPayments;
  port: number;
  lines: LogLine[];
}

const opened: Listener[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.stop()));
});

export function prepareListener(change: Partial<ListenerOptions> = {}) {
  const payments = createMemoryPayments();
  const lines: LogLine[] = [];
  const listener = createListener({
    payments,
    log: collectingLog(lines),
    clock: systemClock,
    chance: systemChance(systemClock),
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
  opened.push(listener);
  return { listener, payments, lines };
}

export async function startListener(change: Partial<ListenerOptions> = {}): Promise<Rig> {
  const prepared = prepareListener(change);
  const started = await prepared.listener.start();
  if (started.kind === 'failed') throw new Error(started.message);
  return { ...prepared, port: started.port };
}

export function collectingLog(lines: LogLine[], base: LogFields = {}): Log {
  const at =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields: { ...base, ...fields } });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => collectingLog(lines, { ...base, ...fields }),
  };
}
