/** `TMPDIR=folder node unpack-chromium.ts`: unpacks the packaged Chromium, its font and its libraries into the folder. */
import { createRequire } from 'node:module';
import path from 'node:path';
import chromium, { inflate } from '@sparticuz/chromium';

const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
await chromium.executablePath();
await inflate(path.resolve(path.dirname(entry), '../bin/al2023.tar.br'));
