/** Which file of the built page an address means. */
import path from 'node:path';

/** The file below `folder` that a path means, or null when it means something else, however it is written. */
export function fileOf(pathname: string, folder: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const [nothing, ...names] = (decoded === '/' ? '/index.html' : decoded).split('/');
  if (nothing !== '' || names.length === 0) return null;
  return names.every(isPlainName) ? path.join(folder, ...names) : null;
}

/** No way up, no drive, no stream of NTFS, no hidden file, no second kind of slash. */
function isPlainName(name: string): boolean {
  return /^[\w-][\w.-]*$/.test(name);
}
