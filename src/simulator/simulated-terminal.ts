/** What the parts of the simulated terminal share: its settings, memory, registration, and what can happen to it. */
import type { Clock } from '../base/clock.ts';
import type { Currency } from '../contract/money.ts';
import type { Log } from '../log/index.ts';
import { type TextEncoding, maxAmountMinor } from '../bridge/terminals/zvt/wire/index.ts';
import type { Dialect } from './dialects.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Scenario } from './scenarios.ts';
import type { TerminalMemory } from './terminal-memory.ts';

export interface Terminal {
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: SimulatorTimings;
  readonly dialect: Dialect;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  readonly timeScale: number;
  readonly currency: Currency;
  /** Eight digits (BMP 29). */
  readonly terminalId: string;
  /** Six digits. */
  readonly password: string;
  readonly textEncoding: TextEncoding;
  readonly memory: TerminalMemory;
  /** Lives in the working memory: gone with the power. */
  registration: Registration;
  /** Puts entries that belong together into the ledger and the memory. Throws when the ledger cannot be written. */
  record(entries: readonly LedgerEntry[]): void;
  /** The scenario of the operation that begins now. `fallback` is what its amount says. */
  takeScenario(fallback: Scenario): Scenario;
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

/** All durations of the simulated terminal, in milliseconds. Tests set them; people set the time scale. */
export interface SimulatorTimings {
  /** T1 (ZVT PA00P016): longest gap between two bytes of one frame. */
  byteGapMs: number;
  /** T2: longest wait for ACK or NAK. */
  ackTimeoutMs: number;
  /** T3: longest wait for the till's answer to a message of the terminal. */
  answerTimeoutMs: number;
  /** Pause before a 04 0F that was answered with 84 9C ("not yet") is sent again. */
  repeatStatusMs: number;
  /** How long a scenario cuts the line, or takes the power away. */
  cutMs: number;
  /** How long a scenario answers nothing at all. */
  silenceMs: number;
  /** How long the slow host takes, and how often the terminal says that it still waits for it. */
  slowHostMs: number;
  progressEveryMs: number;
  /** What card, PIN and host take at time scale 1; these three are multiplied by the time scale. */
  cardMs: number;
  pinMs: number;
  hostMs: number;
  /** Pause between the pieces in which a noisy line hands over a frame; shorter than T1. */
  pieceGapMs: number;
}

export const defaultTimings: SimulatorTimings = {
  byteGapMs: 200,
  ackTimeoutMs: 5_000,
  answerTimeoutMs: 5_000,
  repeatStatusMs: 2_000,
  cutMs: 3_000,
  silenceMs: 20_000,
  slowHostMs: 30_000,
  progressEveryMs: 1_000,
  cardMs: 350,
  pinMs: 300,
  hostMs: 350,
  pieceGapMs: 2,
};

/** What the till registered for with 06 00 (ZVT PA00P015, registration). */
export interface Registration {
  /** Bits: 02 ECR prints payments, 04 ECR prints administration, 08 ECR wants 04 FF, 80 receipts come as 06 D1/06 D3. */
  configurationByte: number;
  /** The till has sent a BMP 06, so the terminal may. Valid until log-off. */
  tlvAllowed: boolean;
  /** Commands of the terminal that tag 26 permits; null when it was not sent. */
  permittedCommands: readonly string[] | null;
  /** The till has named the currency, so the terminal names it too. */
  currencyNamed: boolean;
}

/** After power-up and after log-off (ZVT PA00P015, 06 02: the configuration byte goes back to 86). */
export const unregistered: Registration = {
  configurationByte: 0x86,
  tlvAllowed: false,
  permittedCommands: null,
  currencyNamed: false,
};

export function wantsProgress(registration: Registration): boolean {
  return (registration.configurationByte & 0x08) !== 0;
}

/** Receipts of payments, reversals and repeats go to the till as print data. */
export function sendsPaymentReceipts(registration: Registration): boolean {
  return (registration.configurationByte & 0x82) === 0x82;
}

/** Receipts of end of day and the like go to the till as print data. */
export function sendsAdministrationReceipts(registration: Registration): boolean {
  return (registration.configurationByte & 0x84) === 0x84;
}

/** 06 D3 must be listed in tag 26, else the terminal prints line by line with 06 D1 (ZVT PA00P015, tag 26). */
export function printsBlocks(registration: Registration): boolean {
  return registration.permittedCommands?.includes('06d3') ?? false;
}

/**
 * The code that refuses a payment which the turnover store cannot hold (ZVT PA00P015, 6A: turnover file full), or null:
 * its sum has to fit into the twelve digits in which an end of day tells it.
 */
export function capacityProblem(terminal: Terminal, amountMinor: number): string | null {
  return terminal.memory.totals().totalMinor + amountMinor > maxAmountMinor ? '6a' : null;
}
