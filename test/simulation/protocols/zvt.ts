/** ZVT: it shows its last record, and what is final there the till's acknowledgement has made so. */
import { createZvtProtocol } from '../../../src/bridge/terminals/zvt/index.ts';
import { zvtSettingsSchema } from '../../../src/contract/configuration.ts';
import { silentLog } from '../../../src/log/log.ts';
import { dialectNames, dialects, type Dialect, type DialectName } from '../../../src/simulator/dialects.ts';
import { createZvtSimulator } from '../../../src/simulator/zvt-simulator.ts';
import type { MoneyCommand } from '../evidence.ts';
import { installOnLine } from './line-protocol.ts';
import type { SimulatedProtocol } from './protocol.ts';

const moneyCommands: { readonly [code: string]: MoneyCommand } = {
  '0601': 'sale',
  '0630': 'void',
  '0650': 'batch_close',
};

const refusesFields = ({ refusesContainers, refusesCurrency }: Dialect) =>
  refusesContainers !== null || refusesCurrency;

/** What is not as in the plain dialect. */
function differing(name: DialectName): Partial<Dialect> {
  const plain = new Map<string, unknown>(Object.entries(dialects.strict));
  return Object.fromEntries(
    Object.entries(dialects[name]).filter(([key, value]) => plain.get(key) !== value),
  );
}

/** They differ from the plain one in other things, each in something. */
function goTogether(first: DialectName, second: DialectName): boolean {
  const keys = Object.keys(differing(first));
  const others = Object.keys(differing(second));
  return others.length > 0 && !others.some((key) => keys.includes(key));
}

const dialectOf = (first: string, second: string | null): Dialect => ({
  ...dialects[first as DialectName],
  ...(second === null ? {} : differing(second as DialectName)),
});

export const zvt: SimulatedProtocol = {
  name: 'zvt',
  currency: 'EUR',
  dialectNames,
  serialShare: 0.65,
  goTogether: (first) => dialectNames.filter((second) => goTogether(first as DialectName, second)),
  shows: (first, second) => ({
    ...dialectOf(first, second),
    showsClose: true,
    finalOn: 'acknowledgement',
    refusesFields: refusesFields(dialectOf(first, second)),
    namesOurs: false,
    tellsEachBeforeClose: false,
  }),
  install(parts) {
    const { plan, world, ledgerFile, onCommand } = parts;
    const { framing, receipts } = plan;
    const simulator = createZvtSimulator({
      ledgerFile,
      framing,
      timeScale: plan.pace,
      clock: world,
      log: silentLog,
      currency: 'EUR',
      dialect: dialectOf(plan.dialect, plan.secondDialect),
      onCommand: (ctrl) => onCommand(moneyCommands[ctrl] ?? null),
    });
    return installOnLine(parts, {
      simulator,
      terminal: {
        ...simulator,
        get busy() {
          return simulator.state().busy;
        },
      },
      mayComeTwice: (bytes) => !isAnswer(bytes),
      driver: (clock) =>
        createZvtProtocol({
          framing,
          settings: zvtSettingsSchema.parse({ receipts }),
          currency: 'EUR',
          clock,
          log: silentLog,
        }),
    });
  },
};

/**
 * A single ACK or NAK, or a frame with an answer: nobody could know that it comes a second time, because the frames have
 * no numbers. A command is said twice where its ACK was lost.
 */
function isAnswer(bytes: Uint8Array): boolean {
  return bytes.length < 3 || bytes[2] === 0x80 || bytes[2] === 0x84;
}
