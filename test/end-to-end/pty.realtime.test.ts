import { describe } from 'vitest';
import { needs } from '../support/needs.ts';
import { describeWay } from './scenes.ts';

describe.skipIf(!needs('pseudo-terminals'))('a serial line', () => {
  describeWay('pty');
});
