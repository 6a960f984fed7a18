/** What the build takes from the changelog for the console. */
import { describe, expect, it } from 'vitest';
import { whatsNew } from '../../scripts/notices/whats-new.ts';

const section = (heading: string, ...lines: string[]) => `## ${heading}\n\n${lines.join('\n')}\n`;
const ofVersion = (version: string) => section(`[${version}] - 2026-03-01`, '### Added', '', `- ${version}`);

describe('what is new', () => {
  it('has each entry as one plain line, below its kind and version', () => {
    const changelog = [
      '# Changelog\r\n\r\nAll notable changes.\r\n\r\n',
      section(
        '[Unreleased]',
        '### Added',
        '',
        '- One `thing`',
        '  in [two](docs/two.md) lines.',
        '- Another.',
      ),
      section('[0.2.0] - 2026-03-01', '### Fixed', '', '- <b>A</b> fault.'),
    ].join('');
    expect(whatsNew(changelog)).toEqual([
      {
        version: null,
        day: null,
        groups: [{ kind: 'Added', items: ['One `thing` in two lines.', 'Another.'] }],
      },
      { version: '0.2.0', day: '2026-03-01', groups: [{ kind: 'Fixed', items: ['<b>A</b> fault.'] }] },
    ]);
  });

  it('is the newest three sections that say something', () => {
    const changelog = section('[Unreleased]') + ['4', '3', '2', '1'].map(ofVersion).join('');
    expect(whatsNew(changelog).map(({ version }) => version)).toEqual(['4', '3', '2']);
  });

  it.each(['', section('[Unreleased]'), section('[1] - 2026-03-01', '### Better', '', '- x')])(
    'stops the build: nothing, or a kind that nobody knows',
    (changelog) => expect(() => whatsNew(changelog)).toThrow(/too_small|invalid_value/),
  );
});
