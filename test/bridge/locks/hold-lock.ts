/** A process that takes a lock, says how it went, and keeps it until it dies. */
import { acquireExclusiveLock } from '../../../src/bridge/locks/exclusive-lock.ts';

console.log(acquireExclusiveLock(process.argv[2] ?? '').kind);
// Open for as long as its parent holds the other end.
process.stdin.resume();
