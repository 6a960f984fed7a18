import { describe } from 'vitest';
import { needs } from '../support/needs.ts';
import { overPseudoTerminals } from './real-lines.ts';
import { describeWay } from './scenes.ts';

describe.skipIf(!needs('pseudo-terminals'))('a serial line', () => {
  describeWay(overPseudoTerminals);
});
