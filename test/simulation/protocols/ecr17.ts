/** ECR17: final when the host has approved; it tells its last result, and nothing but its place ties that to ours. */
import { createEcr17Protocol } from '../../../src/bridge/terminals/ecr17/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { ecr17Dialects } from '../../../src/simulator/ecr17/dialects.ts';
import { createEcr17Simulator } from '../../../src/simulator/ecr17/ecr17-simulator.ts';
import type { MoneyCommand } from '../evidence.ts';
import { installOnLine, isWholeAnswer } from './line-protocol.ts';
import { notPossible, type SimulatedProtocol } from './protocol.ts';

const moneyCommands: { readonly [code: string]: MoneyCommand } = {
  P: 'sale',
  X: 'sale',
  S: 'void',
  C: 'batch_close',
};

const refusals = { numbered: 'stored', unnumbered: 'stored_without_number', not_kept: 'numbered' } as const;

export const ecr17: SimulatedProtocol = {
  name: 'ecr17',
  currency: 'EUR',
  dialectNames: Object.keys(ecr17Dialects) as [string, ...string[]],
  serialShare: 0.3,
  shows(name) {
    const dialect = dialectOf(name);
    return {
      shownRecord: dialect.ownOperations === 'not_kept' ? 'nothing' : 'status',
      firstRecord: dialect.hasFirstResult ? 'closed_day' : 'nothing',
      refusals: refusals[dialect.refusals],
      numberedVoids: 'answer_and_record',
      dayHasTotals: true,
      afterPowerLoss: dialect.forgetsLast ? 'record_before' : 'last_record',
      showsClose: false,
      finalOn: 'decision',
      refusesFields: false,
      namesOurs: false,
      tellsEachBeforeClose: false,
    };
  },
  install(parts) {
    const { plan, world, ledgerFile, onCommand } = parts;
    const { framing } = plan;
    const simulator = createEcr17Simulator({
      ledgerFile,
      timeScale: plan.pace,
      clock: world,
      log: silentLog,
      dialect: dialectOf(plan.dialect),
      onCommand: (code) => onCommand(moneyCommands[code] ?? null),
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
      driver: (clock) =>
        createEcr17Protocol({ terminalId: simulator.state().terminalId, framing, clock, log: silentLog }),
    });
  },
};

function dialectOf(name: string) {
  return ecr17Dialects[name as keyof typeof ecr17Dialects];
}
