/** Locks between processes that die with their holder. */
export { acquireExclusiveLock } from './exclusive-lock.ts';
export { acquireMachineLock, machineLockPlace } from './machine-lock.ts';
export type { LockHolder, LockPlace } from './machine-lock.ts';
