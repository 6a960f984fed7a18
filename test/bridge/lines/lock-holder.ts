/** `node lock-holder.ts LINE FOLDER`: takes the lock, prints how that went, and stays until it is killed. */
import { lockLine } from '../../../src/bridge/lines/line-lock.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const [lineName = '', folder = ''] = process.argv.slice(2);
const lock = await lockLine(lineName, { folders: [folder], ports: [], clock: createVirtualClock() });
console.log(lock.kind);
// Open for as long as its parent holds the other end.
process.stdin.resume();
