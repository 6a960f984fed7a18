/** The simulated ZVT terminal; its parts are in the folder above. */
import { namedDialect, type CreateSimulator, type SimulatorModule } from '../create-simulator.ts';
import { dialects } from '../dialects.ts';
import { createZvtSimulator } from '../zvt-simulator.ts';

export { dialectNames } from '../dialects.ts';

export const terminalIds: SimulatorModule['terminalIds'] = {
  pattern: /^\d{8}$/,
  form: 'eight digits, such as "68000001"',
};
export const usualCurrency = 'EUR';

export const createSimulator: CreateSimulator = ({ settings, line = 'serial', dialect, ...parts }) =>
  createZvtSimulator({
    framing: line,
    timeScale: settings.pace,
    currency: settings.currency,
    password: settings.zvt.password,
    dialect: namedDialect(dialects, dialect),
    ...parts,
  });
