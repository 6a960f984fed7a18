/** KPay: asked by requests; final when the terminal has decided, and kept under a number of ours that it never takes twice. */
import { generateKeyPairSync } from 'node:crypto';
import { createHttpLine, openWithBackoff } from '../../../src/bridge/lines/index.ts';
import { createKpayProtocol } from '../../../src/bridge/terminals/kpay/index.ts';
import { overLine } from '../../../src/bridge/terminals/over-line.ts';
import { silentLog } from '../../../src/log/log.ts';
import { kpayDialects } from '../../../src/simulator/kpay/dialects.ts';
import { createKpaySimulator } from '../../../src/simulator/kpay/kpay-simulator.ts';
import type { MoneyCommand } from '../evidence.ts';
import { createRequestCable } from '../request-cable.ts';
import { notPossible, showsNothing, type SimulatedProtocol } from './protocol.ts';

const currency = 'HKD';
const application = { appId: '202600000000001', appSecret: 'test-secret-not-real' };
const place = { host: '192.0.2.1', port: 18_080 };
const moneyCommands = { sale: 'sale', void: 'void', settle: 'batch_close' } as const satisfies Record<
  string,
  MoneyCommand
>;

/** What a sale goes through now and then, whatever its amount. */
const accidentsOfSales = [
  'answer_late',
  'http_500',
  'card_timed_out',
  'paid_after_all',
  'paid_after_close',
  'other_amount',
  'keys_killed',
] as const;

/** Handed out in turn. As short as the bridge takes them, because each request is signed and checked. */
const pairs = Array.from({ length: 3 }, () => generateKeyPairSync('rsa', { modulusLength: 1_024 }));
const keys = pairs.map(({ publicKey, privateKey }) => ({
  appPublicKey: publicKey,
  appPrivateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  platformPublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
}));

export const kpay: SimulatedProtocol = {
  name: 'kpay',
  currency,
  dialectNames: Object.keys(kpayDialects) as [string, ...string[]],
  serialShare: 0,
  shows: () => ({ ...showsNothing, dayHasTotals: false, tellsEachBeforeClose: true }),
  install({ plan, world, random, ledgerFile, onCommand, onPiece, onRepeat, trace }) {
    let signIns = 0;
    const simulator = createKpaySimulator({
      ledgerFile,
      ...application,
      currency,
      timeScale: plan.pace,
      clock: world,
      dialect: kpayDialects[plan.dialect as keyof typeof kpayDialects],
      async newKeys() {
        const pair = keys[signIns % keys.length];
        signIns += 1;
        if (pair === undefined) throw new Error('there are no keys');
        return pair;
      },
      onCommand(call) {
        onCommand(moneyCommands[call]);
        if (call === 'sale' && random.chance(0.06)) simulator.queueScenario(random.pick(accidentsOfSales));
      },
    });
    const cable = createRequestCable({
      world,
      random,
      terminal: {
        get accepting() {
          return simulator.accepting;
        },
        handle: ({ method, uri, headers, body }) =>
          simulator.handle({ method, uri, headers: lowerCased(headers), body: body ?? new Uint8Array() }),
      },
      onPiece,
      onRepeat,
      trace,
    });
    return {
      terminal: {
        ...simulator,
        get busy() {
          return simulator.state().busy;
        },
        get mayStillBePaid() {
          return simulator.state().mayStillBePaid;
        },
        payManually: (amountMinor) => void simulator.payManually(amountMinor),
        refundManually: notPossible,
        reboot: () => simulator.losePower(0),
        close: async () => simulator.close(),
      },
      cable,
      bridgeSide({ user, random: chosen, chance }) {
        const { clock } = user;
        const line = createHttpLine(place);
        const protocol = createKpayProtocol({
          ...application,
          ...place,
          currency,
          transport: cable.transportFor(user),
          clock,
          chance,
          log: silentLog,
        });
        return {
          lineName: line.name,
          ...overLine(protocol, (signal, onFailure) =>
            openWithBackoff(line, { clock, signal, onFailure, random: () => chosen.fraction() }),
          ),
        };
      },
    };
  },
};

/** As a server has them. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
