/** A ZVT terminal for tests, demonstrations and development, and the ways to reach it. */
export { createZvtSimulator } from './zvt-simulator.ts';
export type { ZvtSimulator, ZvtSimulatorOptions } from './zvt-simulator.ts';
export {
  createSimulatorLine,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
} from './endpoints.ts';
export { openPseudoTerminal } from './pseudo-terminal.ts';
export { dialectNames, dialects, dialectSchema } from './dialects.ts';
export type { Dialect, DialectName } from './dialects.ts';
export { LedgerError } from './ledger.ts';
export type { SimulatorTimings } from './simulated-terminal.ts';
