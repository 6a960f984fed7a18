/** The simulated KPay terminal. */
import { namedDialect, type CreateSimulator, type SimulatorModule } from '../create-simulator.ts';
import { kpayDialects } from './dialects.ts';
import { createKpaySimulator } from './kpay-simulator.ts';
import { serveKpaySimulator } from './serve.ts';

export { kpayDialectNames as dialectNames } from './dialects.ts';

export const terminalIds: SimulatorModule['terminalIds'] = {
  pattern: /^[A-Za-z0-9]{8}$/,
  form: 'eight letters or digits, such as "KP000001"',
};
export const usualCurrency = 'HKD';

export const createSimulator: CreateSimulator = ({ settings, dialect, ...parts }) => {
  const simulator = createKpaySimulator({
    timeScale: settings.pace,
    currency: settings.currency,
    // The application is the one that the settings name, be it none.
    ...settings.kpay,
    dialect: namedDialect(kpayDialects, dialect),
    ...parts,
  });
  return { serve: (place) => serveKpaySimulator(simulator, place) };
};
