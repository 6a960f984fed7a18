/** A simulated terminal of each protocol, as `createTerminalRig` takes it. */
import { createEcrEdcProtocol } from '../../src/bridge/terminals/ecr-edc/index.ts';
import { createEcr17Protocol, type Ecr17Options } from '../../src/bridge/terminals/ecr17/index.ts';
import { createTransbankProtocol } from '../../src/bridge/terminals/transbank/index.ts';
import { createZvtProtocol } from '../../src/bridge/terminals/zvt/index.ts';
import { zvtSettingsSchema } from '../../src/contract/configuration.ts';
import { silentLog } from '../../src/log/log.ts';
import {
  createEcrEdcSimulator,
  type EcrEdcSimulatorOptions,
} from '../../src/simulator/ecr-edc/ecr-edc-simulator.ts';
import {
  createEcr17Simulator,
  type Ecr17SimulatorOptions,
} from '../../src/simulator/ecr17/ecr17-simulator.ts';
import { createTransbankSimulator } from '../../src/simulator/transbank/transbank-simulator.ts';
import { createZvtSimulator, type ZvtSimulatorOptions } from '../../src/simulator/zvt-simulator.ts';
import { onLine } from './terminal-rig.ts';

const always = { timeScale: 1, log: silentLog };

export function zvtTerminal(options: Partial<ZvtSimulatorOptions> = {}) {
  return onLine({
    currency: 'EUR',
    commands: {
      sale: { name: '0601', frame: /^10020601/ },
      void: { name: '0630', frame: /^10020630/ },
      batch_close: { name: '0650', frame: /^10020650/ },
    },
    createSimulator: (parts) =>
      createZvtSimulator({ ...always, ...parts, framing: 'serial', currency: 'EUR', ...options }),
    createDriver(parts) {
      const settings = zvtSettingsSchema.parse({});
      return createZvtProtocol({ ...parts, framing: 'serial', settings, currency: 'EUR' });
    },
  });
}

export function transbankTerminal(options: Partial<Parameters<typeof createTransbankSimulator>[0]> = {}) {
  return onLine({
    currency: 'CLP',
    commands: {
      sale: { name: '0200', frame: /^02303230307c/ },
      void: { name: '1200', frame: /^02313230307c/ },
      batch_close: { name: '0500', frame: /^02303530307c/ },
    },
    createSimulator: (parts) => createTransbankSimulator({ ...always, ...parts, ...options }),
    createDriver: createTransbankProtocol,
  });
}

export function ecrEdcTerminal(profile: 'generic' | 'kbtg', options: Partial<EcrEdcSimulatorOptions> = {}) {
  return onLine({
    currency: 'THB',
    commands: {
      sale: { name: '20', frame: /^02.{4}36(?:30){9}31303230/ },
      void: { name: '26', frame: /^02.{4}36(?:30){9}31303236/ },
      batch_close: { name: '50', frame: /^02.{4}36(?:30){9}31303530/ },
    },
    createSimulator: (parts) => createEcrEdcSimulator({ ...always, ...parts, profile, ...options }),
    createDriver: (parts) => createEcrEdcProtocol({ ...parts, profile, currency: 'THB' }),
  });
}

export function ecr17Terminal(
  options: Partial<Ecr17SimulatorOptions> = {},
  settings: Partial<Ecr17Options> = {},
) {
  return onLine({
    currency: 'EUR',
    commands: {
      sale: { name: 'X', frame: /^02(?:3.){8}3058/ },
      void: { name: 'S', frame: /^02(?:3.){8}3053/ },
      batch_close: { name: 'C', frame: /^02(?:3.){8}3043/ },
    },
    createSimulator: (parts) => createEcr17Simulator({ ...always, ...parts, ...options }),
    createDriver: (parts) => createEcr17Protocol({ ...parts, ...settings }),
  });
}
