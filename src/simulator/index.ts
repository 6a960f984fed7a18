/**
 * Terminals for tests, demonstrations and development, and the ways to reach them. `loadSimulator` has those of a protocol:
 * ZVT, KPay (`kpay/`), Transbank (`transbank/`), ECR-EDC (`ecr-edc/`) and ECR17 (`ecr17/`). Nothing of a protocol is here,
 * because whoever starts one terminal would load them all.
 */
export {
  createSimulatorLine,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
} from './endpoints.ts';
export { openPseudoTerminal } from './pseudo-terminal.ts';
export { loadSimulator, simulatedProtocols } from './create-simulator.ts';
export type { SimulatorModule } from './create-simulator.ts';
export { LedgerError } from './ledger-file.ts';
export type { ReachableSimulator, RequestSimulator } from './reachable-simulator.ts';
