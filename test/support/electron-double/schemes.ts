/**
 * Custom schemes. Chromium gives none to who drives it from outside, so a page of `app://name/` is shown under an https
 * address that nobody else can have, and its requests are answered by the app's own handler.
 */
type SchemeHandler = (request: Request) => Response | Promise<Response>;

const privileged = new Set<string>();
const handlers = new Map<string, SchemeHandler>();
const suffix = 'electron-double.invalid';

export const protocol = {
  registerSchemesAsPrivileged(schemes: { scheme: string }[]): void {
    for (const { scheme } of schemes) privileged.add(scheme);
  },
  handle(scheme: string, handler: SchemeHandler): void {
    if (handlers.has(scheme)) throw new Error(`The scheme ${scheme} is handled already`);
    handlers.set(scheme, handler);
  },
  unhandle(scheme: string): void {
    handlers.delete(scheme);
  },
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
};

/** `app://tillbridge/x` as Chromium shows it: `https://tillbridge.app.electron-double.invalid/x`. */
export function shownAddress(address: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address);
  const [, scheme = '', host = '', rest = ''] = parts ?? [];
  return privileged.has(scheme) ? `https://${host}.${scheme}.${suffix}${rest === '' ? '/' : rest}` : address;
}

/** The other way round. */
export function ownAddress(shown: string): string {
  const parts = /^https:\/\/([^/]+)\.([a-z0-9+-]+)\.electron-double\.invalid(\/.*)?$/.exec(shown);
  return parts === null ? shown : `${parts[2]}://${parts[1]}${parts[3] ?? '/'}`;
}

/** The app's answer to a request for one of its schemes; null when it is for the network. */
export async function answerOf(
  address: string,
  method: string,
  headers: Record<string, string>,
): Promise<Response | null> {
  const handler = handlers.get(new URL(address).protocol.slice(0, -1));
  return handler === undefined ? null : handler(new Request(address, { method, headers }));
}
