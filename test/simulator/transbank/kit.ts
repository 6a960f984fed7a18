/** What the tests beside this file ask a Transbank simulator. */
import { createTransbankSimulator } from '../../../src/simulator/transbank/transbank-simulator.ts';
import { setUpOnLine, type LineKit } from '../line-kit.ts';
import { createTill, type Till } from './till.ts';

type Simulator = ReturnType<typeof createTransbankSimulator>;
type Options = Partial<Parameters<typeof createTransbankSimulator>[0]>;
type Kit = LineKit<Simulator, Till, Options>;

export function setUp(options: Options = {}): Kit {
  return setUpOnLine('transbank', createTransbankSimulator, createTill, options);
}

/** A field of an answer by its place; 0 is the command. */
export function part(answer: string | undefined, place: number): string | undefined {
  return answer?.split('|')[place];
}

/** A sale as the C and Node.js SDKs ask for it. */
export function sale(amount: number, ticket = 'ABC123', status: 0 | 1 = 0): string {
  return `0200|${String(amount).padStart(9, '0')}|${ticket}|||${status}`;
}
