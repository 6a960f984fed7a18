/** What electron-builder takes for Electron's distribution on Linux: its files' names, and the fuses that it sets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Marks the place of the fuses in the executable; see `@electron/fuses`. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Version 1, ten fuses, each of them off. */
const fuses = Buffer.concat([Buffer.from([1, 10]), Buffer.from('0'.repeat(10))]);

/** Makes `folder`, and gives it back. */
export function makeStandIn(folder: string, electronVersion: string): string {
  mkdirSync(folder, { recursive: true });
  const words =
    '#!/bin/sh\necho "This package was made without the runtime of Electron and cannot run." >&2\nexit 1\n';
  const executable = Buffer.concat([Buffer.from(`${words}# ${sentinel}`), fuses, Buffer.from('\n')]);
  writeFileSync(path.join(folder, 'electron'), executable, { mode: 0o755 });
  writeFileSync(path.join(folder, 'version'), electronVersion);
  for (const licence of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(path.join(folder, licence), '');
  return folder;
}
