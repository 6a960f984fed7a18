/** Transbank POS Integrado: final when the host has approved, shown to whoever asks for a ticket, and no last record. */
import { createTransbankProtocol } from '../../../src/bridge/terminals/transbank/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { transbankDialectNames, transbankDialects } from '../../../src/simulator/transbank/dialects.ts';
import { createTransbankSimulator } from '../../../src/simulator/transbank/transbank-simulator.ts';
import type { MoneyCommand } from '../evidence.ts';
import { installOnLine, isWholeAnswer } from './line-protocol.ts';
import { notPossible, showsNothing, type SimulatedProtocol } from './protocol.ts';

const moneyCommands: { readonly [code: string]: MoneyCommand } = {
  '0200': 'sale',
  1200: 'void',
  '0500': 'batch_close',
};

export const transbank: SimulatedProtocol = {
  name: 'transbank',
  currency: 'CLP',
  dialectNames: transbankDialectNames,
  serialShare: 1,
  shows: () => ({ ...showsNothing, dayHasTotals: true }),
  install(parts) {
    const { plan, world, ledgerFile, onCommand } = parts;
    const simulator = createTransbankSimulator({
      ledgerFile,
      timeScale: plan.pace,
      clock: world,
      log: silentLog,
      dialect: transbankDialects[plan.dialect as keyof typeof transbankDialects],
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
      driver: (clock) => createTransbankProtocol({ clock, log: silentLog }),
    });
  },
};
