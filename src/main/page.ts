/** `app://tillbridge/`: the built page, and nothing else of the disk. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { pageHeaders } from '../contract/console/index.ts';

const scheme = 'app';
const host = 'tillbridge';
/** The console's first page. */
export const builtPage = new URL(`${scheme}://${host}/`);

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Must be called before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

export function servePage(folder: string): void {
  protocol.handle(scheme, (request) => respond(request, folder));
}

async function respond(request: Request, folder: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405);
  const url = new URL(request.url);
  if (url.host !== host) return refusal(404);
  const file = fileOf(url.pathname, folder);
  const mediaType = file === null ? undefined : mediaTypes[path.extname(file)];
  if (file === null || mediaType === undefined) return refusal(404);
  try {
    const content = await readFile(file);
    const body = request.method === 'HEAD' ? null : new Uint8Array(content);
    return new Response(body, { headers: { ...pageHeaders, 'Content-Type': mediaType } });
  } catch {
    // Not there, or a folder.
    return refusal(404);
  }
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: pageHeaders });
}

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

/** Whether `url` is the console: its scheme and host, not any path that looks like them. */
export function isOwnPage(url: string, page: URL): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === page.protocol && host === page.host && username === '' && password === '';
}
