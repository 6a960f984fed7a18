/** A process that holds two joined pseudo-terminals, which it pulls and puts back as it is told: `node serial-cable.ts FOLDER`. */
import { rmSync, symlinkSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { openPseudoTerminal } from '../../src/simulator/index.ts';
import { carry, createPieceCounter } from './pieces.ts';
import { serialPaths, type CableMessage, type CableRequest } from './serial-cable-messages.ts';

const paths = serialPaths(process.argv[2] ?? '');
const send = (message: CableMessage) => process.send?.(message);
const pieces = createPieceCounter((kind) => send({ kind }));
let unplug = () => {};

async function put(): Promise<void> {
  const ends = [await openPseudoTerminal(systemClock), await openPseudoTerminal(systemClock)] as const;
  const [bridge, simulator] = ends;
  unplug = () => {
    unplug = () => {};
    for (const path of paths) rmSync(path, { force: true });
    for (const end of ends) end.close();
  };
  pieces.disarm();
  carry(bridge.stream, simulator.stream, pieces);
  carry(simulator.stream, bridge.stream, pieces);
  for (const [index, end] of ends.entries()) {
    end.stream.resume();
    symlinkSync(end.path, paths[index] ?? '');
  }
}

async function carryOut(request: CableRequest): Promise<void> {
  switch (request.kind) {
    case 'arm':
      return pieces.arm(request.nth, request.fate);
    case 'pull':
      return unplug();
    case 'put':
      return put();
  }
}

process.on('message', (request: CableRequest & { id: number }) => {
  void carryOut(request).then(() => send({ kind: 'done', id: request.id }));
});
// It ends with the test.
process.on('disconnect', () => process.exit());
