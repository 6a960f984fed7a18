/** `node scripts/configuration-docs.ts`: writes the table of settings into docs/configuration.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { settings, type Setting } from '../src/contract/configuration.ts';

export const docsFile = path.resolve(import.meta.dirname, '../docs/configuration.md');
const start = '<!-- settings: written by scripts/configuration-docs.ts -->';
const end = '<!-- end of settings -->';

/** The docs with the table of all settings in its place. Throws when the place is not marked. */
export function withSettings(docs: string): string {
  const from = docs.indexOf(start);
  const to = docs.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/configuration.md needs the lines ${start} and ${end}`);
  return `${docs.slice(0, from)}${start}\n\n${table()}\n\n${docs.slice(to)}`;
}

function table(): string {
  const head =
    '| key | flag and variable | what it sets | must be | default |\n| --- | --- | --- | --- | --- |';
  return [head, ...settings.map(row)].join('\n');
}

function row(setting: Setting): string {
  const { key, flag, argument, variable, meaning, mustBe } = setting;
  const cells = [
    `\`${key}\``,
    `\`${flag} ${argument}\`<br>\`${variable}\``,
    meaning,
    mustBe,
    fallbackWords(setting),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function fallbackWords({ key, fallback }: Setting): string {
  if (key === 'dataDir') return 'see above';
  if (key.startsWith('serial.')) return 'as usual for the protocol';
  if (fallback === undefined) return 'none: it must be set';
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return 'none';
  return `\`${JSON.stringify(fallback)}\``;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(docsFile, withSettings(readFileSync(docsFile, 'utf8')));
