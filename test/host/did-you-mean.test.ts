import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/host/settings/did-you-mean.ts';

describe('what was probably meant', () => {
  const candidates = ['port', 'pace', 'zvt.password', 'dataDir'];
  it.each([
    ['prot', 'port'],
    ['PORT', 'port'],
    ['prt', 'port'],
    ['datadir', 'dataDir'],
    ['zvt.pasword', 'zvt.password'],
  ])('by %s is %s', (text, candidate) => expect(didYouMean(text, candidates)).toBe(candidate));
  it.each(['colour', '', 'xyz'])('by %s is nothing', (text) =>
    expect(didYouMean(text, candidates)).toBeNull(),
  );
  it('is nothing where there is nothing to mean', () => expect(didYouMean('port', [])).toBeNull());
});
