/** What the parts of the simulated terminal share: its settings, its memory, and what can happen to it. */
import type { Clock } from '../../base/clock.ts';
import type { Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { FrameFaults } from '../frame-output.ts';
import type { Scenario } from '../scenarios.ts';
import { defaultTimings, type SimulatorTimings } from '../simulated-terminal.ts';
import type { TransbankDialect } from './dialects.ts';
import type { LedgerEntry } from './ledger.ts';
import type { TerminalMemory } from './terminal-memory.ts';

/** All durations, in milliseconds. `byteGapMs` is the longest gap in a frame, `ackTimeoutMs` the wait for an ACK. */
export type TransbankTimings = Omit<SimulatorTimings, 'answerTimeoutMs' | 'repeatStatusMs'> & {
  /** From the ACK to whatever follows it, at time scale 1: some tills tell the two apart by the pause between them. */
  startMs: number;
};

/** The documentation states the 10 s for refunds only; every answer of this terminal waits as long. */
export const defaultTransbankTimings: TransbankTimings = {
  ...defaultTimings,
  byteGapMs: 1_000,
  ackTimeoutMs: 10_000,
  startMs: 300,
  progressEveryMs: 10_000,
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
  /** An answer about money (`0210`, `0260`, `1210`, `0510`) has blanks for its result code; what was done stands. */
  blankCodes: number;
}

export const noFaults: Faults = {
  lostAcks: 0,
  naks: 0,
  badLrcs: 0,
  lostAnswers: 0,
  repeatedAnswers: 0,
  blankCodes: 0,
  pieceBytes: null,
};

export interface Terminal {
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: TransbankTimings;
  readonly dialect: TransbankDialect;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  readonly timeScale: number;
  readonly currency: Currency;
  /** Eight letters and digits. */
  readonly terminalId: string;
  readonly memory: TerminalMemory;
  readonly faults: Faults;
  /** Every sale gets code 26 until keys have been loaded. */
  wantsKeys: boolean;
  /** `normal`: it answers nothing until somebody at the terminal switches it back. */
  mode: 'integrated' | 'normal';
  /** Puts entries that belong together into the ledger and the memory. Throws when the ledger cannot be written. */
  record(entries: readonly LedgerEntry[]): void;
  /** The scenario of the operation that begins now. `fallback` is what its amount says. */
  takeScenario(fallback: Scenario): Scenario;
  /** The line is cut for `timings.cutMs`; the terminal goes on. */
  cutLine(): void;
  /** The same, and whatever was under way has never been. */
  losePower(): void;
  /** Deaf and mute for `timings.silenceMs`, with the line in place; what was under way is forgotten. */
  hang(): void;
}

/** The merchant (commerce code): 12 digits. */
export const commerceCode = '597000000001';

/** The terminal's own clock as it writes it into records: local time, DDMMYYYY and HHMMSS. */
export function terminalTime(clock: Clock): { terminal_date: string; terminal_time: string } {
  const now = new Date(clock.now());
  const two = (value: number) => value.toString().padStart(2, '0');
  return {
    terminal_date: two(now.getDate()) + two(now.getMonth() + 1) + now.getFullYear().toString(),
    terminal_time: two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds()),
  };
}
