/**
 * What the simulation knows of a protocol, as data: its terminal, how that is reached, what people can do at it, and what
 * it shows of what happened. Everything else (tills, accidents, people, disk, checker) is the same for all of them.
 */
import type { Chance } from '../../../src/base/chance.ts';
import type { Currency } from '../../../src/contract/money.ts';
import type { ConnectTerminal, TerminalProtocol } from '../../../src/bridge/terminals/terminal-driver.ts';
import type { Random } from '../../support/random.ts';
import type { Cable, CableUser, Direction } from '../cable.ts';
import type { MoneyCommand, TerminalShows } from '../evidence.ts';
import type { Plan, PlannedProtocol } from '../plan.ts';
import type { WorldClock } from '../world-clock.ts';

export interface SimulatedProtocol extends PlannedProtocol {
  readonly currency: Currency;
  /** What a terminal of this dialect shows, for rules that depend on it. */
  shows(dialect: string, second: string | null): TerminalShows;
  /** Puts a terminal and its cable into a shop. */
  install(parts: InstallParts): Installation;
}

export interface InstallParts {
  plan: Plan;
  world: WorldClock;
  /** For what happens to bytes on the cable. */
  random: Random;
  ledgerFile: string;
  /** The terminal has a command whole, and begins with it; null: one that moves no money. */
  onCommand(command: MoneyCommand | null): void;
  /** Something goes into the cable, either way. */
  onPiece(direction: Direction): void;
  /** A piece goes through twice, so that an answer comes twice, too. */
  onRepeat(): void;
  trace(text: () => string): void;
}

export interface Installation {
  terminal: SimulatedTerminal;
  cable: Cable;
  /** The bridge's side of it, for one process. */
  bridgeSide(parts: BridgeSideParts): BridgeSide;
}

interface BridgeSideParts {
  user: CableUser;
  random: Random;
  chance: Chance;
}

interface BridgeSide {
  lineName: string;
  protocol: TerminalProtocol;
  connect: ConnectTerminal;
}

/** What happens at a terminal without the till. Each throws where this terminal cannot do it, or not now. */
export interface SimulatedTerminal {
  readonly busy: boolean;
  /** It is at rest, and a customer is about to pay all the same; absent where that cannot be. */
  readonly mayStillBePaid?: boolean;
  payManually(amountMinor: number): void;
  reverseManually(receiptNumber: string): void;
  refundManually(amountMinor: number): void;
  closeDayManually(): void;
  /** Puts another device in its place. */
  replaceTerminal(terminalId: string): void;
  /** What is not final is undone, and nobody can connect for so long. */
  losePower(durationMs: number): void;
  /** A restart so short that nobody notices it but by what the terminal has forgotten. */
  reboot(): void;
  close(): Promise<void>;
}

/** A terminal that shows no last record, keeps ours under a number of ours, and whose word is final as soon as it is said. */
export const showsNothing = {
  shownRecord: 'nothing',
  firstRecord: 'nothing',
  refusals: 'forgotten',
  numberedVoids: 'neither',
  afterPowerLoss: 'last_record',
  showsClose: false,
  finalOn: 'decision',
  refusesFields: false,
  namesOurs: true,
  tellsEachBeforeClose: false,
} as const satisfies Partial<TerminalShows>;

export function notPossible(): never {
  throw new Error('this terminal has no such function');
}
