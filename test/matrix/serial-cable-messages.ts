/** What is said between a test and the process that holds its serial ports. */
import { join } from 'node:path';
import type { Fate } from './pieces.ts';

export type CableRequest = { kind: 'arm'; nth: number; fate: Fate } | { kind: 'pull' } | { kind: 'put' };
export type CableMessage = { kind: 'done'; id: number } | { kind: 'begun' | 'struck' };

/** Of the bridge and of the simulator. */
export function serialPaths(folder: string): [bridge: string, simulator: string] {
  return [join(folder, 'bridge-port'), join(folder, 'simulator-port')];
}
