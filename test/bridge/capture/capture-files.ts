/** Captures as files, which go with the test file that wrote them. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { replayCapture } from '../../../src/bridge/capture/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export function captureFiles() {
  const folder = tempFolder('captures');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;

  function fileOf(capture: string): string {
    files += 1;
    const file = join(folder, `${files}.jsonl`);
    writeFileSync(file, capture);
    return file;
  }

  return { folder, fileOf, differencesIn: (capture: string) => replayCapture(fileOf(capture)) };
}
