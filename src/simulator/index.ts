/**
 * Terminals for tests, demonstrations and development, and the ways to reach them: ZVT, KPay (`kpay/`), Transbank
 * (`transbank/`), ECR-EDC (`ecr-edc/`) and ECR17 (`ecr17/`).
 */
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
export { loadSimulator, simulatedProtocols } from './create-simulator.ts';
export type { SimulatorModule } from './create-simulator.ts';
export { LedgerError } from './ledger-file.ts';
export type { SimulatorTimings } from './simulated-terminal.ts';
export { createKpaySimulator } from './kpay/kpay-simulator.ts';
export type { KpaySimulator } from './kpay/kpay-simulator.ts';
export { kpayDialects } from './kpay/dialects.ts';
export { serveKpaySimulator } from './kpay/serve.ts';
export { createTransbankSimulator } from './transbank/transbank-simulator.ts';
export { transbankDialectNames, transbankDialects } from './transbank/dialects.ts';
export type { ReachableSimulator, RequestSimulator } from './reachable-simulator.ts';
export { createEcrEdcSimulator } from './ecr-edc/ecr-edc-simulator.ts';
export type { EcrEdcSimulatorOptions } from './ecr-edc/ecr-edc-simulator.ts';
export { ecrEdcDialectNames, ecrEdcDialects } from './ecr-edc/dialects.ts';
export { createEcr17Simulator } from './ecr17/ecr17-simulator.ts';
export type { Ecr17Simulator, Ecr17SimulatorOptions } from './ecr17/ecr17-simulator.ts';
export { ecr17Dialects } from './ecr17/dialects.ts';
