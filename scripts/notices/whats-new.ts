/** The newest part of CHANGELOG.md, as the console shows it. */
import { whatsNewSchema, type WhatsNew } from '../../src/contract/console/index.ts';

/** Nobody reads on, and the page is fetched over bad lines, too. */
const maxSections = 3;

/** The newest sections that say something. Throws when the changelog is not written as its own first lines say. */
export function whatsNew(changelog: string): WhatsNew {
  const [, ...sections] = changelog.replaceAll('\r\n', '\n').split(/^## /m);
  const telling = sections.map(sectionOf).filter(({ groups }) => groups.length > 0);
  return whatsNewSchema.min(1).parse(telling.slice(0, maxSections));
}

function sectionOf(text: string) {
  const [heading = '', ...parts] = text.split(/^### /m);
  const [, name = '', day = null] = /^\[([^\]]+)\](?: - (\S+))?/.exec(heading) ?? [];
  const groups = parts.map(groupOf).filter(({ items }) => items.length > 0);
  return { version: name === 'Unreleased' ? null : name, day, groups };
}

function groupOf(text: string) {
  const [name = '', ...lines] = text.split('\n');
  // A line that is indented goes on with the one before it.
  const [, ...items] = `\n${lines.join('\n')}`.split(/\n- /);
  return { kind: name.trim(), items: items.map(plain) };
}

/** One line; of a link only its words, because they lead to files that are not here. */
function plain(item: string): string {
  return item
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
