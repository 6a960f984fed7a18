/** Every entrance that is fuzzed. */
import type { FuzzTarget } from '../target.ts';
import { amounts } from './amounts.ts';

export const targets: readonly FuzzTarget[] = [amounts];
