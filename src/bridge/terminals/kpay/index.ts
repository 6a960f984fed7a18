/** KPay: terminals in Hong Kong, Singapore and Australia that are asked by HTTP on the local network. */
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import { openWithBackoff } from '../../../base/open-with-backoff.ts';
import type { Currency } from '../../../contract/money.ts';
import type { Log } from '../../../log/index.ts';
import { reconcileOwnRecord } from '../own-record.ts';
import type { CreateProtocol } from '../create-protocol.ts';
import type { RequestProtocol } from '../terminal-driver.ts';
import { openConversation } from './conversation.ts';
import { voidedElsewhere } from './transactions.ts';
import { createHttpTransport, type KpayTransport } from './transport.ts';
import { answerCode, maxAmountMinor, octopusMethod, payMethodGroup, requestForm } from './wire/index.ts';

export interface KpayOptions {
  /** As KPay gave them to the merchant. */
  appId: string;
  appSecret: string;
  /** Where the terminal listens. */
  host: string;
  port: number;
  /** Of amounts in the log whose message names none. */
  currency: Currency;
  clock: Clock;
  chance: Chance;
  log: Log;
  /** Called with each answer, whatever it says. */
  onHeard?: () => void;
  /** Requests go this way, and not to host and port. */
  transport?: KpayTransport;
}

/** Of ours, A–Z and 0–9; the terminal takes up to 32 and none twice. */
const numberLength = 20;

/** Where the terminals are: Hong Kong, Singapore, Australia. */
const currencies: readonly Currency[] = ['HKD', 'SGD', 'AUD'];

export const createProtocol: CreateProtocol = ({ connection, settings, ...parts }) => {
  if (connection.kind !== 'http') throw new Error('a KPay terminal is reached by HTTP');
  const { host, port } = connection;
  return createKpayProtocol({ ...settings.kpay, currency: settings.currency, host, port, ...parts });
};

/** A conversation that ends is begun anew by whoever connects; the keys of the one before are gone. */
export function createKpayProtocol(options: KpayOptions): RequestProtocol {
  const { host, port, clock, chance, transport = createHttpTransport({ host, port, clock }) } = options;
  return {
    name: 'kpay',
    terminalReferenceLength: numberLength,
    hasNoLastRecord: true,
    refuseSale({ amountMinor, currency }) {
      if (!currencies.includes(currency))
        return `a KPay terminal takes ${currencies.join(', ')} only; set the currency of the bridge to it`;
      return amountMinor > maxAmountMinor ? 'has more digits than this terminal takes' : null;
    },
    refuseVoid: ({ schemeGroup }) =>
      schemeGroup === payMethodGroup(octopusMethod)
        ? 'the terminal does not void what was paid by Octopus. Give the money back by hand, and note it.'
        : null,
    // It shows no last record.
    continuity: () => 'unknown',
    reconcile(inDoubt, terminal, shown) {
      const found = reconcileOwnRecord(inDoubt, terminal, shown);
      // Somebody else gave the money back: that our void is not there does not make the payment stand.
      const isBack =
        inDoubt.operation.kind === 'void' &&
        inDoubt.result?.resultCode === String(answerCode.alreadyRefunded);
      return isBack && found.kind === 'not_done'
        ? { kind: 'needs_decision', explanation: voidedElsewhere }
        : found;
    },
    recordable: {
      form: requestForm,
      through: (change) => createKpayProtocol({ ...options, transport: change(transport) }),
    },
    connect: (watch, signal, onFailure) =>
      openWithBackoff(
        { open: (attempt) => openConversation({ ...options, transport }, watch, attempt) },
        { clock, signal, onFailure, random: chance.fraction },
      ),
  };
}
