/** The file that says how the money of an office's shops comes. */
import path from 'node:path';
import { errorText } from '../base/error-text.ts';
import { readPlainFile } from '../base/private-files.ts';
import { readDepositRules, type DepositRules } from '../office/index.ts';
import type { CliContext } from './cli-context.ts';

/** In the office's data folder; it counts where no other is named. */
const rulesFileName = 'reconcile-rules.json';
const maxRulesBytes = 8 * 1024 * 1024;

/** `named`: the file that somebody has named; undefined looks in `dataDir`, where there need not be one. */
export function readOfficeDepositRules(
  named: string | undefined,
  dataDir: string,
  { currentFolder }: Pick<CliContext, 'currentFolder'>,
): { ok: true; rules: DepositRules | null } | { ok: false; errors: string[] } {
  const file = named === undefined ? path.join(dataDir, rulesFileName) : path.resolve(currentFolder, named);
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxRulesBytes, followLinks: true }).toString('utf8');
  } catch (error) {
    if (named === undefined && error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { ok: true, rules: null };
    return { ok: false, errors: [`${file} cannot be read: ${errorText(error)}`] };
  }
  return readDepositRules(text, file);
}
