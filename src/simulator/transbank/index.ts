/** The simulated Transbank terminal. */
import { currencyExponent, type Currency } from '../../contract/money.ts';
import { namedDialect, type CreateSimulator, type SimulatorModule } from '../create-simulator.ts';
import { transbankDialects } from './dialects.ts';
import { createTransbankSimulator } from './transbank-simulator.ts';

export { transbankDialectNames as dialectNames } from './dialects.ts';

export const terminalIds: SimulatorModule['terminalIds'] = {
  pattern: /^[A-Za-z0-9]{8}$/,
  form: 'eight letters or digits, such as "TB000001"',
};
export const usualCurrency = 'CLP';

export function refuseCurrency(currency: Currency): string | null {
  return currencyExponent(currency) === 0
    ? null
    : ' has a minor unit; a Transbank terminal takes whole amounts, such as CLP.';
}

export const createSimulator: CreateSimulator = ({ settings, dialect, ...parts }) =>
  createTransbankSimulator({
    timeScale: settings.pace,
    // The driver refuses any other before it asks.
    currency: refuseCurrency(settings.currency) === null ? settings.currency : undefined,
    dialect: namedDialect(transbankDialects, dialect),
    ...parts,
  });
