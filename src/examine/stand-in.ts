/**
 * What stands in for the bridge: its own listener, payments and journal, over a terminal that follows a script. So a POS
 * under examination gets the headers, bounds and answers of the real bridge; only the money is pretended.
 */
import type { Chance } from '../base/chance.ts';
import { pause, type Clock } from '../base/clock.ts';
import type { Currency } from '../contract/money.ts';
import { isDecided } from '../contract/operation.ts';
import { openJournal } from '../bridge/journal/index.ts';
import { createListener } from '../bridge/listener/index.ts';
import { approvedMinor, createPayments, type PaymentsEvent } from '../bridge/payments/index.ts';
import { silentLog } from '../log/index.ts';
import { createCallLog, type Call, type CallLog } from './call-log.ts';
import type { Attempt } from './knowledge.ts';
import { createScriptedTerminal, type SalePlan, type ScriptedTerminal } from './scripted-terminal.ts';

export interface StandInOptions {
  /** For its journal; empty, and of no use afterwards. */
  folder: string;
  /** 0: any free port. */
  port: number;
  /** Null: 127.0.0.1 and ::1. */
  host: string | null;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  currency: Currency;
  version: string;
  clock: Clock;
  chance: Chance;
  /** What the terminal does where no scene says otherwise. */
  usual: SalePlan;
  /** A time of the scenes in milliseconds, as it is played. */
  stretch(ms: number): number;
}

export interface StandIn {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly terminal: Pick<ScriptedTerminal, 'plan' | 'hurry'>;
  readonly calls: CallLog;
  /** Of the POS, oldest first; those that `occupy` makes are not among them. */
  payments(): Attempt[];
  /** Nothing is on the terminal and nothing in doubt. */
  isFree(): boolean;
  /** Puts a payment of its own onto the terminal, which takes `forMs`. */
  occupy(forMs: number): Promise<void>;
  /** A person says that what is in doubt was not charged, as far as a person may. */
  decide(): void;
  /** Ends every connection and listens no more for `downMs`. Gives why it cannot listen again; null: it does. */
  goAway(downMs: number): Promise<string | null>;
  close(): Promise<void>;
}

export type StandInOpening = { kind: 'open'; standIn: StandIn } | { kind: 'failed'; message: string };

/** The connection of the terminal is made in less. */
const pollMs = 20;
const heartbeatMs = 30_000;

/** `loses`: this answer gets lost. Fails where the port is taken. */
export async function openStandIn(
  options: StandInOptions,
  loses: (call: Call) => boolean,
): Promise<StandInOpening> {
  const { folder, clock, chance, currency, version, stretch, host, allowedHosts, allowedOrigins } = options;
  const log = silentLog;
  const opening = openJournal({ folder, clock, log, version });
  if (opening.kind !== 'opened') return { kind: 'failed', message: opening.message };
  const { journal } = opening;
  const terminal = createScriptedTerminal(clock, options.usual, stretch);
  const payments = createPayments({
    journal,
    clock,
    chance,
    log,
    currency,
    maxTipPercent: 0,
    simulated: true,
    runner: { heartbeatMs },
    stopTimeoutMs: 1_000,
    environment: {
      lineName: 'examination',
      lockLine: () => ({ kind: 'held', release() {} }),
      protocol: terminal.protocol,
      connect: terminal.connect,
      clock,
      log,
    },
  });
  const calls = createCallLog(clock, loses);
  const listen = async (port: number) => {
    const listener = createListener({
      payments,
      log,
      clock,
      chance,
      version,
      port,
      host,
      allowedHosts,
      allowedOrigins,
      currency,
      makeReferences: false,
      tokensFile: null,
      observer: calls.observer,
    });
    return { listener, started: await listener.start() };
  };
  const closeCore = async () => {
    terminal.hurry();
    await payments.stop();
    journal.close();
  };

  payments.start();
  const first = await listen(options.port);
  let { listener } = first;
  const { started } = first;
  if (started.kind === 'failed') {
    await closeCore();
    return { kind: 'failed', message: started.message };
  }

  const own = new Set<string>();
  const made = new Map<string, { startedMs: number; decidedMs: number | null }>();
  const follow = (event: PaymentsEvent) => {
    if (event.kind !== 'journal_event' || event.payment === null) return;
    const { reference, status } = event.payment;
    if (own.has(reference)) return;
    const known = made.get(reference) ?? { startedMs: clock.elapsed(), decidedMs: null };
    made.set(reference, known);
    if (isDecided(status)) known.decidedMs ??= clock.elapsed();
  };
  const unsubscribe = payments.subscribe(follow);

  const stop = async () => {
    for (const call of calls.open()) call.cut();
    await listener.stop();
  };

  return {
    kind: 'open',
    standIn: {
      addresses: started.addresses,
      port: started.port,
      terminal,
      calls,
      payments: () =>
        [...made].flatMap(([reference, times]) => {
          const found = payments.queryPayment(reference);
          if (!found.ok) return [];
          const isReversed = found.value.status === 'voided';
          return [{ reference, chargedMinor: isReversed ? null : approvedMinor(found.value), ...times }];
        }),
      isFree() {
        const { terminal: shown, currentOperation, inDoubt } = payments.status();
        return shown.connection === 'ready' && currentOperation === null && inDoubt === 0;
      },
      async occupy(forMs) {
        const reference = `EXAMINATION-${own.size + 1}`;
        own.add(reference);
        terminal.plan({ afterMs: forMs, ending: { kind: 'approved' } });
        const begun = await payments.createPayment({ reference, amountMinor: 100, conditionCode: '00' });
        if (!begun.ok) throw new Error(begun.refusal.message);
        // The terminal has it a moment later, and then the next plan is for somebody else.
        await pause(clock, pollMs);
      },
      decide() {
        for (const { operationId } of payments.operationsInDoubt()) {
          const person = { by: 'the examination', reason: 'the scene says so' };
          payments.resolve({ operationId, resolution: 'not-charged', ...person });
        }
      },
      async goAway(downMs) {
        await stop();
        await pause(clock, downMs);
        const again = await listen(started.port);
        ({ listener } = again);
        return again.started.kind === 'failed' ? again.started.message : null;
      },
      async close() {
        unsubscribe();
        await stop();
        await closeCore();
      },
    },
  };
}
