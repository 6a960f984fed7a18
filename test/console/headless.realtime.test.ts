import { needs } from '../support/needs.ts';
import { describe } from 'vitest';
import { consoleSpecs } from './specs.ts';
import { headlessWay } from './way.ts';

describe.skipIf(!needs('chromium'))('through HTTP', () => {
  consoleSpecs(headlessWay);
});
