/** A bank's statement that somebody hands in is kept where the others are, unless the money could not be looked for with it. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../base/atomic-file.ts';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile } from '../../base/private-files.ts';
import { maxStatementBytes } from '../../contract/console/batch-money.ts';
import { accountNumber } from '../../reconcile/index.ts';
import { moneyFiles, moneyFolder, type MoneyPlace } from '../money-place.ts';
import { readRulesFile, type Kept } from './money-files.ts';
import { statementEntries, statementsFolder } from './statement-entries.ts';

/** `isNew`: no file there was the same. */
interface KeptStatement {
  name: string;
  isNew: boolean;
}

/** The file is on disk when this resolves. Sentences name it as it was `named`. Not to be called before the last call has ended. */
export async function keepStatement(
  place: MoneyPlace,
  named: string,
  content: Uint8Array,
): Promise<Kept<KeptStatement>> {
  const notKept = (why: string): Kept<never> => ({ ok: false, message: `${named} was not kept: ${why}` });
  const rules = readRulesFile(moneyFiles(place).rules);
  if (!rules.ok) return notKept(rules.errors.join(' '));
  if (content.length > maxStatementBytes)
    return { ok: false, message: `${named} is larger than ${maxStatementBytes / 1024 ** 2} MiB.` };
  const { readCamt053 } = await import('../../statements/index.ts');
  const read = readCamt053(named, content);
  if (!read.ok) return read;
  const known = new Set(rules.rules.acquirers.map(({ account }) => accountNumber(account)));
  const accounts = [...new Set(read.statements.map(({ account }) => account))];
  if (!accounts.some((account) => known.has(accountNumber(account))))
    return {
      ok: false,
      message: `${named} belongs to the account ${accounts.join(', ')}. In the rules no acquirer pays to it.`,
    };
  const folder = path.join(moneyFolder(place), statementsFolder);
  try {
    const same = sameIn(folder, content);
    if (same !== null) return { ok: true, value: { name: same, isNew: false } };
    // A bank may have called another one so.
    const added = read.statements.map((statement) => ({ ...statement, file: `${named} (new)` }));
    const together = await statementEntries(folder, [], rules.rules, added);
    if (!together.ok)
      return {
        ok: false,
        message: `${named} was not kept beside the statements in ${folder}: ${together.message}`,
      };
    const name = freeName(folder, named);
    replaceFile(path.join(folder, name), content);
    return { ok: true, value: { name, isNew: true } };
  } catch (error) {
    return notKept(errorText(error));
  }
}

/** The file there with this content, whatever it is called. Throws what the file system throws. */
function sameIn(folder: string, content: Uint8Array): string | null {
  const isSame = (name: string) => {
    const file = path.join(folder, name);
    return (
      path.extname(name).toLowerCase() === '.xml' &&
      statSync(file).size === content.length &&
      readPlainFile(file, { maxBytes: maxStatementBytes, followLinks: true }).equals(content)
    );
  };
  return filesIn(folder).find(isSame) ?? null;
}

/** Its own name, of letters that no file system minds and not too many of them; with a number where another one has that. */
function freeName(folder: string, named: string): string {
  const stem = named
    .normalize('NFC')
    .replace(/\.xml$/i, '')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
  const base = /^-*(.{0,50})/u.exec(stem)?.[1] || 'statement';
  // Neither case nor the way in which letters are put together makes another file of it everywhere.
  const plain = (name: string) => name.normalize('NFC').toLowerCase();
  const there = new Set(filesIn(folder).map(plain));
  for (let count = 1; ; count += 1) {
    const name = `${base}${count === 1 ? '' : `-${count}`}.xml`;
    if (!there.has(plain(name))) return name;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
