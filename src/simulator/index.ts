/** A ZVT terminal for tests, demonstrations and development, and the ways to reach it. */
export { createZvtSimulator } from './zvt-simulator.ts';
export type { AttachOptions, SimulatorState, ZvtSimulator, ZvtSimulatorOptions } from './zvt-simulator.ts';
export { createSimulatorLine } from './memory-line.ts';
export { serveSimulatorOnTcp } from './tcp-server.ts';
export type { ServedSimulator } from './tcp-server.ts';
export { serveSimulatorOnPseudoTerminal, serveSimulatorOnSerial } from './serial-port.ts';
export { openPseudoTerminal } from './pseudo-terminal.ts';
export type { PseudoTerminal } from './pseudo-terminal.ts';
export { dialectNames, dialectNameSchema, dialects, dialectSchema } from './dialects.ts';
export type { Dialect, DialectName } from './dialects.ts';
export { LedgerError } from './ledger.ts';
export { sceneOf } from './scenes.ts';
export type { Scene } from './scenes.ts';
export type { SimulatorTimings } from './timings.ts';
export type { Fact } from './facts.ts';
