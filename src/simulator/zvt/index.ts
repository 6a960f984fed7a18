/** The simulated ZVT terminal in the bridge's process; its parts are in the folder above. */
import type { CreateSimulator } from '../create-simulator.ts';
import { createZvtSimulator } from '../zvt-simulator.ts';

export const createSimulator: CreateSimulator = ({ settings, ledgerFile, clock, log }) =>
  createZvtSimulator({
    ledgerFile,
    framing: 'serial',
    timeScale: settings.pace,
    currency: settings.currency,
    password: settings.zvt.password,
    clock,
    log,
  });
