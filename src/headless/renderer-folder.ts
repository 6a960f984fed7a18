/** Where the console's page is that `npm run build` makes. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Null when it has not been built. Run from the bundle `dist/tillbridge.js`, the page is beside it. */
export function rendererFolder(): string | null {
  const fromSource = import.meta.filename.endsWith('.ts');
  // As in vite.config.ts: tests build into a folder of their own.
  const built = path.resolve(import.meta.dirname, '../..', process.env['TILLBRIDGE_DIST'] ?? 'dist');
  const folder = path.join(fromSource ? built : import.meta.dirname, 'renderer');
  return existsSync(path.join(folder, 'index.html')) ? folder : null;
}
