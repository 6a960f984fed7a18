/** The messages of each language as they stand in its file, key by key. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const localesFolder = path.resolve(import.meta.dirname, '../../src/locales');

export interface MessageTree {
  [key: string]: string | MessageTree;
}

/** The codes of the languages that have a file. */
export const languageFiles: readonly string[] = readdirSync(localesFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));

export function messageTree(language: string): MessageTree {
  return JSON.parse(readFileSync(path.join(localesFolder, `${language}.json`), 'utf8')) as MessageTree;
}

/** Every message by its whole key: "terminal.connection.ready". */
export function flatMessages(tree: MessageTree, before = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[before + key, value]] : [...flatMessages(value, `${before}${key}.`)],
    ),
  );
}
