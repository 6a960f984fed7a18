/** A disk that takes a part of what is written: whoever is told that something was kept finds all of it. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

it.skipIf(process.platform === 'win32')(
  'keeps the old settings and all decisions, and says that it did not keep the new',
  () => {
    const program = path.join(import.meta.dirname, 'full-disk-program.ts');
    // One block: 512 or 1,024 bytes, as the shell counts them.
    const limited = [
      '-c',
      'ulimit -f 1 && exec "$@"',
      'sh',
      process.execPath,
      program,
      tempFolder('full-disk'),
    ];
    expect(JSON.parse(execFileSync('sh', limited, { encoding: 'utf8' }))).toEqual({
      replaced: ['done', 'EFBIG'],
      bytes: 3,
      decided: ['done', 'EFBIG'],
      kept: 2,
    });
  },
);
