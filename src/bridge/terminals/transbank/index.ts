/** Transbank POS Integrado: card terminals in Chile, on serial lines. */
import type { CreateProtocol } from '../create-protocol.ts';
import type { LineProtocol } from '../terminal-driver.ts';
import { reconcileOwnRecord } from '../own-record.ts';
import { attachDriver, type TransbankOptions } from './driver.ts';
import { ticketLength } from './ticket.ts';
import { captureForm, maxAmount } from './wire/index.ts';

export type { TransbankOptions } from './driver.ts';

export const createProtocol: CreateProtocol = ({ clock, log }) => createTransbankProtocol({ clock, log });

export function createTransbankProtocol(options: TransbankOptions): LineProtocol {
  return {
    name: 'transbank',
    captureForm,
    terminalReferenceLength: ticketLength,
    hasNoLastRecord: true,
    cannotCancel: 'this terminal cannot be stopped from here. The customer presses its red key.',
    refuseSale({ amountMinor, currency }) {
      if (currency !== 'CLP')
        return 'a Transbank terminal takes Chilean pesos only; set the currency of the bridge to CLP';
      return amountMinor > maxAmount ? `must be at most ${maxAmount} for this terminal` : null;
    },
    attach: (connection, watch) => attachDriver(connection, watch, options),
    // It shows no last record of its own.
    continuity: () => 'unknown',
    reconcile: reconcileOwnRecord,
  };
}
