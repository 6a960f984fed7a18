/** The simulated ECR-EDC terminal. */
import { currencyExponent } from '../../contract/money.ts';
import type { CreateSimulator } from '../create-simulator.ts';
import { createEcrEdcSimulator } from './ecr-edc-simulator.ts';

export const createSimulator: CreateSimulator = ({ settings, ledgerFile, clock, log }) =>
  createEcrEdcSimulator({
    ledgerFile,
    timeScale: settings.pace,
    profile: settings['ecr-edc'].profile,
    // The driver refuses any other before it asks.
    currency: currencyExponent(settings.currency) === 2 ? settings.currency : undefined,
    clock,
    log,
  });
