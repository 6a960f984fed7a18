/** What the parts of the simulated terminal share: its settings, its memory, and what can happen to it. */
import type { Clock } from '../../base/clock.ts';
import type { Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { Ecr17Message } from '../../bridge/terminals/ecr17/wire/index.ts';
import type { AckedExchange } from '../acked-exchange.ts';
import type { FrameFaults } from '../frame-output.ts';
import type { Scenario } from '../scenarios.ts';
import { defaultTimings, type SimulatorTimings } from '../simulated-terminal.ts';
import type { Ecr17Dialect } from './dialects.ts';
import type { LedgerEntry } from './ledger.ts';
import type { TerminalMemory } from './terminal-memory.ts';

/** All durations, in milliseconds. `byteGapMs` is the longest gap in a frame, `ackTimeoutMs` the wait for an ACK. */
export type Ecr17Timings = Omit<SimulatorTimings, 'answerTimeoutMs' | 'repeatStatusMs'>;

/** No source has the times of the terminal; these are between those of the tills that are known. */
export const defaultEcr17Timings: Ecr17Timings = {
  ...defaultTimings,
  byteGapMs: 3_000,
  ackTimeoutMs: 3_000,
  progressEveryMs: 5_000,
};

/** What tests have it do wrong. The counts say how often, from now on. */
export interface Faults extends FrameFaults {
  /** The ACK of a request is lost; the request is carried out. */
  lostAcks: number;
  /** A good request gets NAK, and is not carried out. */
  naks: number;
  /** A request is acknowledged and carried out, and its answer never comes. */
  lostAnswers: number;
  /** An answer that was acknowledged comes once more. */
  repeatedAnswers: number;
}

export const noFaults: Faults = {
  lostAcks: 0,
  naks: 0,
  badLrcs: 0,
  lostAnswers: 0,
  repeatedAnswers: 0,
  pieceBytes: null,
};

export type Exchange = AckedExchange<Ecr17Message>;

export interface Terminal {
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: Ecr17Timings;
  readonly dialect: Ecr17Dialect;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  readonly timeScale: number;
  readonly currency: Currency;
  /** Eight digits. */
  readonly terminalId: string;
  readonly memory: TerminalMemory;
  readonly faults: Faults;
  /** As `s` tells it: 2 is ready. */
  status: string;
  /** E: the tickets of the next operation go to the till. */
  printsOnTill: boolean;
  /** The ticket of the last close or totals, for R. */
  serviceTicket: string | null;
  /** Puts an entry into the ledger and the memory. Throws when the ledger cannot be written. */
  record(entry: LedgerEntry): void;
  /** The scenario of the operation that begins now. `fallback` is what its amount says. */
  takeScenario(fallback: Scenario): Scenario;
  /** Ends the connection, if it can be ended. */
  hangUp(): void;
  /** The line is cut for `timings.cutMs`; the terminal goes on. */
  cutLine(): void;
  /** The same, and whatever was under way has never been. */
  losePower(): void;
  /** Deaf and mute for `timings.silenceMs`, with the line in place; what was under way is forgotten. */
  hang(): void;
}

/** The terminal's own clock, local: as the host's time in results (DDDHHMM), and as a status tells it (DDMMYYhhmm). */
export function terminalTime(clock: Pick<Clock, 'now'>): { hostDateTime: string; dateTime: string } {
  const now = new Date(clock.now());
  const two = (value: number) => (value % 100).toString().padStart(2, '0');
  const time = two(now.getHours()) + two(now.getMinutes());
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  const dayOfYear = Math.round((day - Date.UTC(now.getFullYear(), 0, 0)) / (24 * 3_600_000));
  return {
    hostDateTime: dayOfYear.toString().padStart(3, '0') + time,
    dateTime: two(now.getDate()) + two(now.getMonth() + 1) + two(now.getFullYear()) + time,
  };
}
