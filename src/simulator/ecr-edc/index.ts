/** The simulated ECR-EDC terminal. */
import { currencyExponent, type Currency } from '../../contract/money.ts';
import { namedDialect, type CreateSimulator, type SimulatorModule } from '../create-simulator.ts';
import { ecrEdcDialects } from './dialects.ts';
import { createEcrEdcSimulator } from './ecr-edc-simulator.ts';

export { ecrEdcDialectNames as dialectNames } from './dialects.ts';

export const terminalIds: SimulatorModule['terminalIds'] = {
  pattern: /^\d{8}$/,
  form: 'eight digits, such as "70000001"',
};
export const usualCurrency = 'THB';

export function refuseCurrency(currency: Currency): string | null {
  return currencyExponent(currency) === 2
    ? null
    : ' has no two decimals; an ECR-EDC terminal takes hundredths, such as of THB.';
}

export const createSimulator: CreateSimulator = ({ settings, dialect, ...parts }) =>
  createEcrEdcSimulator({
    timeScale: settings.pace,
    profile: settings['ecr-edc'].profile,
    // The driver refuses any other before it asks.
    currency: refuseCurrency(settings.currency) === null ? settings.currency : undefined,
    dialect: namedDialect(ecrEdcDialects, dialect),
    ...parts,
  });
