/** The whole way with a simulated terminal of any protocol, at the end of a cable that can be pulled at any moment. */
import { hex, NAK } from '../../src/bridge/terminals/framing/index.ts';
import type { LineProtocol } from '../../src/bridge/terminals/terminal-driver.ts';
import type { Currency } from '../../src/contract/money.ts';
import type { OperationKind } from '../../src/contract/operation.ts';
import type { Log } from '../../src/log/log.ts';
import { createSimulatorLine, type ReachableSimulator } from '../../src/simulator/index.ts';
import type { Scenario } from '../../src/simulator/scenarios.ts';
import {
  connectionOver,
  createCoreRig,
  type CoreRig,
  type CoreRigOptions,
  type RigTerminal,
  type TerminalParts,
} from './core-rig.ts';
import { pluggable, type PluggableLine } from './pluggable-line.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What a person can do at any simulated terminal, and what can happen to it. */
export interface TerminalSide {
  payManually(amountMinor: number): unknown;
  closeDayManually(): void;
  losePower(durationMs: number): void;
  /** Another terminal stands in its place from now on. */
  replaceTerminal(terminalId: string): void;
  queueScenario(scenario: Scenario): void;
  state(): { busy: boolean };
}

/** What every terminal on a cable has, whatever it is that goes over it. */
interface OnCable {
  cable: Pick<PluggableLine, 'onPiece' | 'pull' | 'put'>;
  /** Copies of the command that the bridge has sent, without those that the terminal refused to read. */
  sent(kind: OperationKind): number;
  /** How many of them the terminal has carried out. */
  carriedOut(kind: OperationKind): number;
}

export interface TerminalOnCable<Simulator extends TerminalSide = TerminalSide> extends RigTerminal, OnCable {
  simulator: Simulator;
}
export interface TerminalRig<Simulator extends TerminalSide = TerminalSide> extends CoreRig, OnCable {
  simulator: Simulator;
}

export function createTerminalRig<Simulator extends TerminalSide>(
  plugIn: (parts: TerminalParts) => TerminalOnCable<Simulator>,
  options: CoreRigOptions = {},
): TerminalRig<Simulator> {
  const { rig, terminal } = createCoreRig(options, plugIn);
  const { simulator, cable, sent, carriedOut } = terminal;
  return Object.assign(rig, { simulator, cable, sent, carriedOut });
}

interface MoneyCommand {
  /** What the simulator calls it. */
  name: string;
  /** How its frame begins, in hex. */
  frame: RegExp;
}

interface LineSimulator extends TerminalSide, ReachableSimulator {
  state(): { busy: boolean; commands: Readonly<Record<string, number>> };
}

/** A protocol of bytes: a simulator of it and its driver, on a line in memory. */
export function onLine<Simulator extends LineSimulator>(protocol: {
  currency: Currency;
  commands: Record<OperationKind, MoneyCommand>;
  createSimulator(parts: { ledgerFile: string; clock: VirtualClock }): Simulator;
  createDriver(parts: { clock: VirtualClock; log: Log }): LineProtocol;
}) {
  const { currency, commands } = protocol;
  return (parts: TerminalParts): TerminalOnCable<Simulator> => {
    const { ledgerFile, clock } = parts;
    const simulator = protocol.createSimulator({ ledgerFile, clock });
    const cable = pluggable(createSimulatorLine(simulator));
    return {
      currency,
      lineName: cable.line.name,
      connection: (log) => connectionOver(cable.line, protocol.createDriver({ clock, log }), parts),
      pull: cable.pull,
      put: cable.put,
      close: () => simulator.close(),
      simulator,
      cable,
      sent: (kind) => cable.pieces.filter((_, at) => isTaken(cable.pieces.slice(at), commands[kind])).length,
      carriedOut: (kind) => simulator.state().commands[commands[kind].name] ?? 0,
    };
  };
}

/** The first of these pieces is this command, and it is not answered with a NAK: only after that another copy may follow. */
function isTaken(pieces: PluggableLine['pieces'], { frame }: MoneyCommand): boolean {
  const [first] = pieces;
  if (first?.towards !== 'terminal' || !frame.test(hex(first.bytes))) return false;
  const answer = pieces.find(({ towards }) => towards === 'bridge');
  return answer?.bytes[0] !== NAK;
}
