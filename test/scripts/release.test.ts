/** What `npm run release` makes of the repository's texts, and what it refuses. */
import { describe, expect, it } from 'vitest';
import { releasedChangelog, setVersion, versionProblem } from '../../scripts/release/texts.ts';

describe('the version of a release', () => {
  it.each([
    ['something that is no version', '0.1.0', 'next', 'next is no version'],
    ['an older version', '0.1.0', '0.0.9', 'does not come after 0.1.0'],
    ['the same version', '0.1.0', '0.1.0', 'does not come after 0.1.0'],
    ['a pre-release of the same version', '0.1.0', '0.1.0-beta.1', 'does not come after 0.1.0'],
  ])('is not %s', (_, current, next, said) => {
    expect(versionProblem(current, next)).toContain(said);
  });

  it.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '0.10.0'],
    ['0.1.0', '0.2.0-beta.1'],
    ['0.2.0-beta.1', '0.2.0'],
  ])('after %s may be %s', (current, next) => {
    expect(versionProblem(current, next)).toBeNull();
  });
});

describe('the texts of a release', () => {
  it('need something to tell', () => {
    const nothing = '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n';
    expect(() => releasedChangelog(nothing, '0.2.0', '2026-02-01')).toThrow('nothing unreleased');
    expect(() => releasedChangelog('# Changelog\n', '0.2.0', '2026-02-01')).toThrow('no heading');
  });

  it('need files that agree on the version', () => {
    expect(() => setVersion('{ "version": "0.1.1" }', '0.1.0', '0.2.0', 1)).toThrow('do not agree on 0.1.0');
  });
});
