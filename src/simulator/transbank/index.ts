/** The simulated Transbank terminal. */
import type { CreateSimulator } from '../create-simulator.ts';
import { createTransbankSimulator } from './transbank-simulator.ts';

export const createSimulator: CreateSimulator = ({ settings, ledgerFile, clock, log }) =>
  createTransbankSimulator({ ledgerFile, timeScale: settings.pace, clock, log });
