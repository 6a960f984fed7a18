/** Lists of what the contract can say, where its schemas have them in pieces. */
import { connectionTestSchema } from '../../src/contract/console/index.ts';

/** Everything that can come of a connection test, in alphabetical order. */
export const connectionTestKinds: readonly string[] = connectionTestSchema.options
  .flatMap(({ shape: { kind } }): string[] => ('options' in kind ? kind.options : [...kind.values]))
  .toSorted();
