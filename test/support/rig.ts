/** The whole way on a ZVT terminal, with a tap on its line that counts and loses frames: `core-rig.ts` says the rest. */
import { createZvtProtocol } from '../../src/bridge/terminals/zvt/index.ts';
import { zvtSettingsSchema } from '../../src/contract/configuration.ts';
import { parseAmount } from '../../src/contract/money.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { silentLog } from '../../src/log/log.ts';
import { createSimulatorLine } from '../../src/simulator/index.ts';
import { createZvtSimulator, type ZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { connectionOver, createCoreRig, type CoreRig, type CoreRigOptions } from './core-rig.ts';
import { tapLine, type WireTap } from './wire-tap.ts';

export interface RigOptions extends CoreRigOptions {
  receipts?: 'terminal' | 'pos';
  simulator?: Partial<Parameters<typeof createZvtSimulator>[0]>;
}

export interface Rig extends CoreRig {
  simulator: ZvtSimulator;
  tap: WireTap;
  /** As `sell`, in euros: "12.00". */
  sale(amount: string, reference: string): Promise<TransactionStatus>;
}

export function createRig(options: RigOptions = {}): Rig {
  const { rig, terminal } = createCoreRig(options, (parts) => {
    const { ledgerFile, clock } = parts;
    const simulator = createZvtSimulator({
      ledgerFile,
      framing: 'serial',
      timeScale: 1,
      clock,
      log: silentLog,
      currency: 'EUR',
      ...options.simulator,
    });
    const tap = tapLine(createSimulatorLine(simulator));
    return {
      simulator,
      tap,
      currency: 'EUR' as const,
      lineName: tap.line.name,
      connection: (log) => {
        const settings = zvtSettingsSchema.parse({ receipts: options.receipts ?? 'terminal' });
        const protocol = createZvtProtocol({ framing: 'serial', settings, currency: 'EUR', clock, log });
        return connectionOver(tap.line, protocol, parts);
      },
      pull() {
        tap.plugged = false;
        tap.cut();
      },
      put() {
        tap.plugged = true;
      },
      close: () => simulator.close(),
    };
  });
  const { simulator, tap } = terminal;
  return Object.assign(rig, {
    simulator,
    tap,
    sale: (amount: string, reference: string) => rig.sell(minorUnits(amount), reference),
  });
}

/** "12.00" in cents. */
export function minorUnits(amount: string): number {
  const parsed = parseAmount(amount, 'EUR');
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.amountMinor;
}
