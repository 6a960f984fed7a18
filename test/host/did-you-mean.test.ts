import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/host/settings/did-you-mean.ts';

describe('the nearest word', () => {
  const words = ['port', 'pace', 'zvt.password', 'dataDir'];
  it.each([
    ['prot', 'port'],
    ['PORT', 'port'],
    ['prt', 'port'],
    ['datadir', 'dataDir'],
    ['zvt.pasword', 'zvt.password'],
  ])('to %s is %s', (text, word) => expect(didYouMean(text, words)).toBe(word));
  it.each(['colour', '', 'xyz'])('to %s is none', (text) => expect(didYouMean(text, words)).toBeNull());
  it('is none of none', () => expect(didYouMean('port', [])).toBeNull());
});
