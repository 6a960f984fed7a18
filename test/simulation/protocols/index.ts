/** The protocols that shops are played with: a row for each. */
import { ecr17 } from './ecr17.ts';
import { ecrEdc } from './ecr-edc.ts';
import { kpay } from './kpay.ts';
import type { SimulatedProtocol } from './protocol.ts';
import { transbank } from './transbank.ts';
import { zvt } from './zvt.ts';

export type { Installation, SimulatedProtocol, SimulatedTerminal } from './protocol.ts';

const protocols: readonly [SimulatedProtocol, ...SimulatedProtocol[]] = [zvt, transbank, ecrEdc, ecr17, kpay];

export const protocolNames = protocols.map(({ name }) => name);

/** Throws where there is none of this name: a mistake of the caller. */
export function protocolOf(name: string): SimulatedProtocol {
  const found = protocols.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no shop is played with ${name}`);
  return found;
}
