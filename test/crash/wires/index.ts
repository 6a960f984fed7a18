/** The wire of each protocol, by name. */
import type { Row } from '../../support/protocol-rows.ts';
import { ecr17, ecrEdc, transbank } from './acked.ts';
import { kpay } from './kpay.ts';
import type { Wire } from './wire.ts';
import { zvt } from './zvt.ts';

export type { Heard, Moments, MoneyCommand, Said, Towards, Wire } from './wire.ts';

const wires: Readonly<Record<string, Wire>> = { zvt, transbank, ecr17, 'ecr-edc': ecrEdc, kpay };

/** Throws for a protocol whose wire nobody has written: the crash test would see nothing of it. */
export function wireOf({ protocol }: Row): Wire {
  // The profile stands behind the name.
  const wire = wires[protocol.name.split(' ')[0] ?? ''];
  if (wire === undefined) throw new Error(`the crash test does not know the wire of ${protocol.name}`);
  return wire;
}
