/** ECR17 ("Protocollo 17"): card terminals in Italy, over TCP and serial lines. */
import type { CreateProtocol } from '../create-protocol.ts';
import type { LineProtocol } from '../terminal-driver.ts';
import { attachDriver, type Ecr17Options } from './driver.ts';
import { continuity, reconcile } from './evidence.ts';
import { isSameResult } from './record.ts';
import type { RangeMemory } from './range-finder.ts';
import { createRedialledLine } from './redialled-line.ts';
import { captureForm, maxAmountMinor } from './wire/index.ts';

export type { Ecr17Options } from './driver.ts';

export const createProtocol: CreateProtocol = ({ connection, settings, clock, log }) =>
  createEcr17Protocol({
    ...settings.ecr17,
    framing: connection.kind === 'tcp' ? 'tcp' : 'serial',
    clock,
    log,
  });

export function createEcr17Protocol(options: Ecr17Options): LineProtocol {
  const rangeMemory: RangeMemory = { sending: null };
  return {
    name: 'ecr17',
    captureForm,
    cannotCancel: 'this terminal cannot be stopped from here. The customer presses its red key.',
    refuseSale({ amountMinor, currency }) {
      if (currency !== 'EUR')
        return 'an ECR17 terminal takes euros only; set the currency of the bridge to EUR';
      return amountMinor > maxAmountMinor ? `must be at most ${maxAmountMinor} for this terminal` : null;
    },
    refuseVoid: (original, lastRecord) =>
      lastRecord.kind === 'record' && isSameResult(original, lastRecord.record)
        ? null
        : 'this terminal reverses only what it did last. Refund the payment at the terminal by hand, and note it.',
    // A cable has nobody at its other end who hangs up.
    ...(options.framing === 'tcp'
      ? { redialled: (first, openLine) => createRedialledLine(first, openLine, options.clock) }
      : {}),
    attach: (connection, watch) => attachDriver(connection, watch, options, rangeMemory),
    continuity,
    reconcile,
  };
}
