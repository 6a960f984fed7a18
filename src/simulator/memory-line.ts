import { createMemoryLine } from '../bridge/lines/index.ts';
import { LineError, type Line } from '../bridge/lines/line.ts';
import type { ZvtSimulator } from './zvt-simulator.ts';

/**
 * The line to a simulator in the same process (framing `serial`). `name` is the plain name: `simulator` makes
 * `memory:simulator`. `open` rejects while the simulator does not accept a connection.
 */
export function createSimulatorLine(simulator: ZvtSimulator, name = 'simulator'): Line {
  const line = createMemoryLine(name, (far) => simulator.attach(far));
  return {
    name: line.name,
    async open(signal) {
      if (!simulator.accepting) throw new LineError('the simulated terminal cannot be reached');
      return line.open(signal);
    },
  };
}
