/** A bank's statement that somebody hands in is kept where the others are, unless the money could not be looked for with it. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../base/atomic-file.ts';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile } from '../../base/private-files.ts';
import { maxStatementBytes } from '../../contract/console/index.ts';
import { moneyFiles, moneyFolder, readRulesFile, type Kept, type MoneyPlace } from './money-files.ts';
import { accountNumber, statementEntries, statementsFolder } from './statement-entries.ts';

/** `isNew`: no file there was the same. */
interface KeptStatement {
  name: string;
  isNew: boolean;
}

/** The file is on disk when this resolves. Sentences name it as it was `named`. */
export async function keepStatement(
  place: MoneyPlace,
  named: string,
  content: Uint8Array,
): Promise<Kept<KeptStatement>> {
  const rules = readRulesFile(moneyFiles(place).rules);
  if (!rules.ok) return { ok: false, message: rules.errors.join(' ') };
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
  const together = await statementEntries(folder, [], rules.rules, read.statements);
  if (!together.ok) return together;
  try {
    return { ok: true, value: keepIn(folder, named, content) };
  } catch (error) {
    return { ok: false, message: `${named} was not kept: ${errorText(error)}` };
  }
}

/** Under its own name, with a number where another one has that. Throws what the file system throws. */
function keepIn(folder: string, named: string, content: Uint8Array): KeptStatement {
  const stem = named.replace(/\.xml$/i, '').replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
  const base = stem.slice(0, maxNameLength).replace(/^-+/, '') || 'statement';
  // Case makes no other file of it everywhere.
  const there = new Map(filesIn(folder).map((name) => [name.toLowerCase(), name]));
  for (let count = 1; ; count += 1) {
    const name = `${base}${count === 1 ? '' : `-${count}`}.xml`;
    const other = there.get(name.toLowerCase());
    if (other === undefined) {
      replaceFile(path.join(folder, name), content);
      return { name, isNew: true };
    }
    const file = path.join(folder, other);
    if (readPlainFile(file, { maxBytes: maxStatementBytes, followLinks: true }).equals(content))
      return { name: other, isNew: false };
  }
}

const maxNameLength = 80;

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
