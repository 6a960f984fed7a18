/**
 * `node try-to-open.ts FOLDER`: opens each entrance with each trap in its way, and prints a line of JSON for each try. In
 * a process of its own, because one that waits for a pipe waits for ever.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { entrances, traps, tryToOpen } from './traps.ts';

const [root = ''] = process.argv.slice(2);
for (const [place, [entrance, { file }]] of Object.entries(entrances).entries()) {
  for (const [kind, [trap, lay]] of Object.entries(traps).entries()) {
    const folder = path.join(root, `${place}-${kind}`);
    mkdirSync(folder, { mode: 0o700 });
    lay(path.join(folder, file), path.join(folder, 'elsewhere'));
    process.stdout.write(
      `${JSON.stringify({ entrance, trap, folder, said: tryToOpen(entrance, folder) })}\n`,
    );
  }
}
