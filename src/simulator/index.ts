/** A ZVT terminal for tests, demonstrations and development, and the ways to reach it. */
export { createZvtSimulator } from './zvt-simulator.ts';
export type { AttachOptions, SimulatorState, ZvtSimulator, ZvtSimulatorOptions } from './zvt-simulator.ts';
export {
  createSimulatorLine,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
} from './endpoints.ts';
export type { ServedSimulator } from './endpoints.ts';
export { openPseudoTerminal } from './pseudo-terminal.ts';
export type { PseudoTerminal } from './pseudo-terminal.ts';
export { dialectNames, dialectNameSchema, dialects, dialectSchema } from './dialects.ts';
export type { Dialect, DialectName } from './dialects.ts';
export { LedgerError } from './ledger.ts';
export { scenarioOf, type Scenario } from './scenarios.ts';
export type { SimulatorTimings } from './terminal.ts';
export type { LedgerEntry } from './ledger.ts';
