/** ECR-EDC: final when the host has approved. A terminal of `kbtg` can be asked for a payment, one of `generic` cannot. */
import { createEcrEdcProtocol } from '../../../src/bridge/terminals/ecr-edc/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { ecrEdcDialectNames, ecrEdcDialects } from '../../../src/simulator/ecr-edc/dialects.ts';
import { createEcrEdcSimulator } from '../../../src/simulator/ecr-edc/ecr-edc-simulator.ts';
import type { MoneyCommand } from '../evidence.ts';
import { installOnLine, isWholeAnswer } from './line-protocol.ts';
import { notPossible, showsNothing, type SimulatedProtocol } from './protocol.ts';

const currency = 'THB';
const profiles = ['kbtg', 'generic'] as const;
const [first = '', ...others] = profiles.flatMap((profile) =>
  ecrEdcDialectNames.map((dialect) => `${profile} ${dialect}`),
);

/** 26 and 71: by invoice number, both. */
const moneyCommands: { readonly [code: string]: MoneyCommand } = {
  20: 'sale',
  26: 'void',
  71: 'void',
  50: 'batch_close',
};

export const ecrEdc: SimulatedProtocol = {
  name: 'ecr-edc',
  currency,
  dialectNames: [first, ...others],
  serialShare: 0.7,
  shows: (name) => ({ ...showsNothing, dayHasTotals: variantOf(name).dialect.tellsTotals }),
  install(parts) {
    const { plan, world, ledgerFile, onCommand } = parts;
    const { profile, dialect } = variantOf(plan.dialect);
    const simulator = createEcrEdcSimulator({
      ledgerFile,
      timeScale: plan.pace,
      clock: world,
      log: silentLog,
      profile,
      currency,
      dialect,
      onCommand: (txCode) => onCommand(moneyCommands[txCode] ?? null),
    });
    return installOnLine(parts, {
      simulator,
      terminal: {
        ...simulator,
        get busy() {
          return simulator.state().busy;
        },
        refundManually: notPossible,
        reboot: () => simulator.losePower(0),
      },
      mayComeTwice: isWholeAnswer,
      driver: (clock) => createEcrEdcProtocol({ profile, currency, clock, log: silentLog }),
    });
  },
};

/** From `kbtg two-hosts`, a profile and a dialect. */
function variantOf(name: string) {
  const [profile = '', dialect = ''] = name.split(' ');
  return { profile, dialect: ecrEdcDialects[dialect as keyof typeof ecrEdcDialects] };
}
