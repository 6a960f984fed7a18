/** ZVT (PA00P015, PA00P016): card terminals in Germany, Austria and Switzerland, on serial lines and over TCP. */
import type { CreateProtocol } from '../create-protocol.ts';
import type { LineProtocol } from '../terminal-driver.ts';
import { attachDriver, type ZvtOptions } from './driver.ts';
import { reconcile, continuity } from './evidence.ts';
import { captureFormOf } from './wire/index.ts';

export type { ZvtOptions } from './driver.ts';

export const createProtocol: CreateProtocol = ({ connection, settings, clock, log }) =>
  createZvtProtocol({
    framing: connection.kind === 'serial' ? 'serial' : 'tcp',
    settings: settings.zvt,
    currency: settings.currency,
    clock,
    log,
  });

/** The protocol for one terminal; the framing goes with the kind of its line. */
export function createZvtProtocol(options: ZvtOptions): LineProtocol {
  return {
    name: 'zvt',
    undoesUnacknowledged: true,
    captureForm: captureFormOf({
      framing: options.framing,
      byteGapMs: options.settings.timers.byteGapMs,
      encoding: options.settings.textEncoding,
    }),
    attach: (connection, watch) => attachDriver(connection, watch, options),
    continuity,
    reconcile,
  };
}
