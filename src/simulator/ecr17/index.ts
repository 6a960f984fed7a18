/** The simulated ECR17 terminal. */
import type { CreateSimulator } from '../create-simulator.ts';
import { createEcr17Simulator } from './ecr17-simulator.ts';

export const createSimulator: CreateSimulator = ({ settings, ledgerFile, clock, log }) => {
  const { terminalId } = settings.ecr17;
  return createEcr17Simulator({
    ledgerFile,
    timeScale: settings.pace,
    // It is the terminal that the settings call by its id.
    terminalId: /^0+$/.test(terminalId) ? undefined : terminalId,
    clock,
    log,
  });
};
