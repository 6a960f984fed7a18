/** The simulated ECR17 terminal. */
import type { Currency } from '../../contract/money.ts';
import { namedDialect, type CreateSimulator, type SimulatorModule } from '../create-simulator.ts';
import { ecr17Dialects } from './dialects.ts';
import { createEcr17Simulator } from './ecr17-simulator.ts';

export { ecr17DialectNames as dialectNames } from './dialects.ts';

export const terminalIds: SimulatorModule['terminalIds'] = {
  pattern: /^(?!0{8})\d{8}$/,
  form: 'eight digits, such as "17000001", and not only zeros',
};
export const usualCurrency = 'EUR';

export function refuseCurrency(currency: Currency): string | null {
  return currency === 'EUR' ? null : ': an ECR17 terminal takes euros only.';
}

export const createSimulator: CreateSimulator = ({ settings, dialect, terminalId, ...parts }) => {
  const { terminalId: set } = settings.ecr17;
  return createEcr17Simulator({
    timeScale: settings.pace,
    // It is the terminal that the settings call by its id.
    terminalId: terminalId ?? (/^0+$/.test(set) ? undefined : set),
    dialect: namedDialect(ecr17Dialects, dialect),
    ...parts,
  });
};
