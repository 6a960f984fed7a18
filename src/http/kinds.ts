/** Lines that each of our servers may have to repeat. */
import type { RepeatedKind } from './repeated-lines.ts';

export const notAccepted: RepeatedKind = {
  name: 'connection not accepted',
  level: 'error',
  message: 'A connection could not be accepted',
  many: 'connections could not be accepted',
};

export const gaveWay: RepeatedKind = {
  name: 'connection gave way',
  level: 'warn',
  message: 'There are too many connections; the oldest that ask nothing are closed',
  many: 'connections that asked nothing were closed to make room',
};
