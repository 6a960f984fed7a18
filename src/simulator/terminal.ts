/** What the parts of the simulated terminal share: its settings, memory, registration, and what can happen to it. */
import type { Clock } from '../base/clock.ts';
import type { Currency } from '../contract/money.ts';
import type { Log } from '../log/index.ts';
import type { TextEncoding } from '../bridge/terminals/zvt/wire/index.ts';
import type { Dialect } from './dialects.ts';
import type { Fact } from './facts.ts';
import type { Registration } from './registration.ts';
import type { Scene } from './scenes.ts';
import type { TerminalMemory } from './terminal-memory.ts';
import type { SimulatorTimings } from './timings.ts';

export interface Terminal {
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: SimulatorTimings;
  readonly dialect: Dialect;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  readonly pace: number;
  readonly currency: Currency;
  /** Eight digits (BMP 29). */
  readonly terminalId: string;
  /** Six digits. */
  readonly password: string;
  readonly textEncoding: TextEncoding;
  readonly memory: TerminalMemory;
  /** Lives in the working memory: gone with the power. */
  registration: Registration;
  /** Puts facts that belong together into the ledger and the memory. Throws when the ledger cannot be written. */
  record(facts: readonly Fact[]): void;
  /** The scene of the operation that begins now. `fallback` is what its amount says. */
  takeScene(fallback: Scene): Scene;
  /** The line is cut for `timings.cutMs`. */
  cutLine(): void;
  /** The same, and the working memory is lost: whatever was under way has never been. */
  losePower(): void;
  /** Deaf and mute for `timings.silenceMs`, with the line in place; what was under way is forgotten. */
  hang(): void;
  /** Resolves when the line is there (again). */
  lineBack(): Promise<void>;
}

/** The merchant contract number (BMP 2A): 15 characters. */
export const merchantId = 'TILLBRIDGE00001';

/** The terminal's own clock as it writes it into records: local time, date MMDD and time HHMMSS. */
export function terminalTime(clock: Clock): { terminal_date: string; terminal_time: string } {
  const now = new Date(clock.now());
  const two = (value: number) => value.toString().padStart(2, '0');
  return {
    terminal_date: two(now.getMonth() + 1) + two(now.getDate()),
    terminal_time: two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds()),
  };
}
