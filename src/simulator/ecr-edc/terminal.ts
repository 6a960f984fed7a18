/** What the parts of the simulated terminal share: its settings, its memory, and what can happen to it. */
import type { Clock } from '../../base/clock.ts';
import type { Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { EdcMessage, EdcProfile, MessageParts } from '../../bridge/terminals/ecr-edc/wire/index.ts';
import type { Scenario } from '../scenarios.ts';
import type { SimulatorTimings } from '../simulated-terminal.ts';
import type { EcrEdcDialect } from './dialects.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Faults, SendEvents } from './terminal-end.ts';
import type { TerminalMemory } from './terminal-memory.ts';
import type { Noise } from '../output.ts';

export interface Terminal {
  readonly clock: Clock;
  readonly log: Log;
  readonly profile: EdcProfile;
  readonly dialect: EcrEdcDialect;
  readonly timings: SimulatorTimings;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  readonly timeScale: number;
  readonly currency: Currency;
  /** Eight digits. */
  readonly terminalId: string;
  readonly memory: TerminalMemory;
  readonly faults: Faults;
  /** Puts an entry into the ledger and the memory. Throws when the ledger cannot be written. */
  record(entry: LedgerEntry): void;
  /** The scenario of the operation that begins now. `fallback` is what its amount says. */
  takeScenario(fallback: Scenario): Scenario;
  /** The line is cut for `timings.cutMs`; the terminal goes on. */
  cutLine(): void;
  /** The same, and whatever was under way has never been. */
  losePower(): void;
  /** Deaf and mute for `timings.silenceMs`, with the line in place; what was under way is forgotten. */
  hang(): void;
}

/** One request, from its ACK until the terminal is idle again. */
export interface Exchange {
  readonly request: EdcMessage;
  /** Waits; shorter when the power goes, or the till has the payment stopped. */
  pause(delayMs: number): Promise<void>;
  /** The power is gone. */
  readonly ended: boolean;
  /** The till wants it stopped, and it could be. */
  readonly stopped: boolean;
  /** From now on it is too late to stop it. */
  passPointOfNoReturn(): void;
  /** A message of the terminal about it: its own transaction code and an answer, unless it is said otherwise. */
  send(parts: Partial<MessageParts>, on?: SendEvents): void;
  /** The line is noisy until the exchange is over. */
  disturb(noise: Noise): void;
}

/** The merchant (D1): 15 digits. */
export const merchantId = '000002200000001';

/** The terminal's own clock as it writes it into records: local time, YYMMDD and HHMMSS. */
export function terminalTime(clock: Clock): { terminal_date: string; terminal_time: string } {
  const now = new Date(clock.now());
  const two = (value: number) => (value % 100).toString().padStart(2, '0');
  return {
    terminal_date: two(now.getFullYear()) + two(now.getMonth() + 1) + two(now.getDate()),
    terminal_time: two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds()),
  };
}
