/** Entries of accounts from the files that a bank gives. They are only read. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile } from '../../base/private-files.ts';
import { maxStatementBytes } from '../../contract/console/batch-money.ts';
import type { Rules } from '../../reconcile/index.ts';
import type { EntriesOfAccounts, Statement } from '../../statements/index.ts';

/** In the data folder, beside the journal whose batches are paid. */
export const statementsFolder = 'statements';

const maxFiles = 10_000;

/** Of `own`, a folder that need not be there, and of `named`: files and folders. And of `more`, which are read already. */
export async function statementEntries(
  own: string,
  named: readonly string[],
  rules: Rules,
  more: readonly Statement[] = [],
): Promise<EntriesOfAccounts> {
  const found = filesOf(own, named);
  if (!found.ok) return found;
  const { files, notes } = found;
  const count = files.length + new Set(more.map(({ file }) => file)).size;
  if (count > maxFiles)
    return {
      ok: false,
      message: `There are ${count} statements, and at most ${maxFiles} can be read. Move the oldest ones out of the folder.`,
    };
  if (files.length === 0 && more.length === 0)
    return { ok: true, entries: [], known: [], accounts: [], notes };
  // Only here: most shops have none, and what reads XML takes its time to load.
  const { entriesOfAccounts, readCamt053 } = await import('../../statements/index.ts');
  const statements = [...more];
  for (const file of files) {
    let content: Buffer;
    try {
      content = readPlainFile(file, { maxBytes: maxStatementBytes, followLinks: true });
    } catch (error) {
      return { ok: false, message: `The statement ${file} cannot be read: ${errorText(error)}` };
    }
    const read = readCamt053(path.basename(file), content);
    if (!read.ok) return read;
    statements.push(...read.statements);
    await setImmediate();
  }
  const read = entriesOfAccounts(statements, rules);
  return read.ok ? { ...read, notes: [...notes, ...read.notes] } : read;
}

/** Files that are named are read whatever they are called; of folders those that end with `.xml`. */
function filesOf(
  own: string,
  named: readonly string[],
): { ok: true; files: string[]; notes: string[] } | { ok: false; message: string } {
  const files: string[] = [];
  const notes: string[] = [];
  for (const place of [own, ...named]) {
    let names: string[];
    try {
      const found = statSync(place, { throwIfNoEntry: place !== own });
      if (found === undefined) continue;
      if (!found.isDirectory()) {
        files.push(place);
        continue;
      }
      names = readdirSync(place).filter((name) => !name.startsWith('.'));
    } catch (error) {
      return { ok: false, message: `The statement ${place} cannot be read: ${errorText(error)}` };
    }
    const [fitting, others] = [names.filter((name) => isXml(name)), names.filter((name) => !isXml(name))];
    files.push(...fitting.toSorted().map((name) => path.join(place, name)));
    if (others.length > 0)
      notes.push(`${place}: only files .xml are read, not ${others.toSorted().join(', ')}.`);
  }
  return { ok: true, files, notes };
}

function isXml(name: string): boolean {
  return path.extname(name).toLowerCase() === '.xml';
}
