/**
 * Tests that need a program which `npm ci` cannot bring are skipped without it, loudly, and fail where `CI` is set:
 *
 *     describe.skipIf(!needs('socat'))('…')
 */
import { findChromium, findProgram } from './find-program.ts';

const programs = {
  socat: {
    find: () => findProgram(['socat']),
    get: 'apt-get install socat (Debian, Ubuntu) or brew install socat (macOS)',
  },
  chromium: {
    find: findChromium,
    get: 'apt-get install chromium (Debian), or any Chromium or Chrome that TILLBRIDGE_CHROMIUM names',
  },
  curl: { find: () => findProgram(['curl']), get: 'apt-get install curl' },
  jq: { find: () => findProgram(['jq']), get: 'apt-get install jq' },
  python3: { find: () => findProgram(['python3']), get: 'apt-get install python3' },
  /** With the compiler `mcs` and the libraries that the C# example uses. */
  mono: {
    find: () => (findProgram(['mono']) === null ? null : findProgram(['mcs'])),
    get: 'apt-get install mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil',
  },
} as const;

/** Whether `program` is there. If not: says once how to get it, or throws where `CI` is set. */
export function needs(program: keyof typeof programs): boolean {
  const { find, get } = programs[program];
  if (find() !== null) return true;
  const words = `tests here need ${program}, which is not installed. Get it with: ${get}`;
  const ci = process.env['CI'];
  if (ci !== undefined && ci !== '' && ci !== 'false') throw new Error(words);
  console.warn(`SKIPPED: ${words}`);
  return false;
}
