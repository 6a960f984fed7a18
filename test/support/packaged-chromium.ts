/**
 * The Chromium of the package `@sparticuz/chromium`: a headless one for Linux (x64) with the libraries that it needs and
 * a font, compressed. It is unpacked once into `node_modules/.cache`, so that `npm ci` removes what is outdated.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache');

/** The package's folder; null where there is none, or where its browser does not run. */
function packageFolder(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    return path.resolve(path.dirname(entry), '..');
  } catch {
    return null;
  }
}

export function hasPackagedChromium(): boolean {
  return packageFolder() !== null;
}

/** Where the browser is, and the environment that it needs to find its libraries and its font. */
export async function unpackChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const source = packageFolder();
  if (source === null) throw new Error('the packages have no Chromium for this system');
  const { version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = path.join(cache, `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  nameFonts(folder);
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
}

/** The folder appears when it is complete, also when several processes want it at once. */
async function unpackInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(path.join(cache, 'unpacking-'));
  // A process of its own: the package unpacks into the folder for temporary files, whatever is there already.
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'unpack-chromium.ts')], {
    env: { ...process.env, TMPDIR: unfinished },
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * The package's own settings name places where its font is not. Ours name a whole path, which is another one once the
 * repository has been moved; without a font the browser dies.
 */
function nameFonts(folder: string): void {
  const fonts = path.join(realpathSync(folder), 'fonts');
  const settings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${path.join(fonts, 'cache')}</cachedir></fontconfig>
`;
  const file = path.join(folder, 'fonts.conf');
  if (existsSync(file) && readFileSync(file, 'utf8') === settings) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, settings);
  renameSync(unfinished, file);
}
