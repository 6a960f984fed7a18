import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/host/configuration/nearest.ts';

describe('the nearest word', () => {
  const words = ['port', 'pace', 'zvt.password', 'dataDir'];
  it.each([
    ['prot', 'port'],
    ['PORT', 'port'],
    ['prt', 'port'],
    ['datadir', 'dataDir'],
    ['zvt.pasword', 'zvt.password'],
  ])('to %s is %s', (text, word) => expect(nearest(text, words)).toBe(word));
  it.each(['colour', '', 'xyz'])('to %s is none', (text) => expect(nearest(text, words)).toBeNull());
  it('is none of none', () => expect(nearest('port', [])).toBeNull());
});
