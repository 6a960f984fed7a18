/** Runs the app whose folder is named on the command line, as Electron's executable does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { app } from './app.ts';
import { startChromium } from './chromium.ts';

const entrySchema = z.object({ name: z.string(), version: z.string(), main: z.string() });

/** Longer than this and the entry file waits for something that comes only after it: real Electron would hang. */
const entryLimitMs = 10_000;

const folder = path.resolve(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '.');
const entry = entrySchema.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
app.describe(folder, entry.name, entry.version);
// What the app reads as its command line: the executable first, then all that followed it.
process.argv.splice(1, 1);

const chromium = startChromium();
const slow = setTimeout(() => {
  process.stderr.write('electron double: the entry file still loads; does it await app.whenReady()?\n');
  process.exit(1);
}, entryLimitMs);
await import(pathToFileURL(path.join(folder, entry.main)).href);
clearTimeout(slow);
// Electron says "ready" only after the entry file has run to its end.
app.becomeReady(await chromium);
