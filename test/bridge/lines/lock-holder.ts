/** `node lock-holder.ts LINE PREFIX FOLDER`: takes the lock, prints how that went, and stays until it is killed. */
import { lockLine } from '../../../src/bridge/lines/line-lock.ts';
import type { LockPlace } from '../../../src/bridge/locks/machine-lock.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const [lineName = '', prefix = '', folder = ''] = process.argv.slice(2);
// A zero cannot stand in an argument.
const place: LockPlace =
  folder === '' ? { kind: 'names', prefix: `\0${prefix}` } : { kind: 'folder', folder };
const options = { place, dataFolder: '/data/of/the/holder', ports: [], clock: createVirtualClock() };
const lock = await lockLine(lineName, options);
console.log(lock.kind);
// Open for as long as its parent holds the other end.
process.stdin.resume();
