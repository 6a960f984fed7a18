/** What no page of this app can do, whatever it loads: go elsewhere, open windows, ask for permissions, hold frames. */
import { app, session, type Session, type WebContents } from 'electron';
import { isOwnPage } from './page.ts';

/** Copying text out of the console is the one thing that the page does with the computer. */
const allowedPermission = 'clipboard-sanitized-write';

/** Guards every page from its first moment. Called once, before the app is ready. `page`: the console's address. */
export function guardPages(page: URL): void {
  app.on('web-contents-created', (_event, contents) => {
    guard(contents, page);
  });
}

function guard(contents: WebContents, page: URL): void {
  const stay = (event: { url: string; preventDefault(): void }) => {
    if (!isOwnPage(event.url, page)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Permissions are asked of the session. Called when the app is ready. */
export function guardSession(page: URL): void {
  const { defaultSession } = session;
  // Some requests come without an address, or with one that is none: those are denied like all others. A handler that
  // throws would leave its request open for ever.
  const isAllowed = (permission: string, url: unknown) =>
    permission === allowedPermission && typeof url === 'string' && isOwnPage(url, page);
  defaultSession.setPermissionRequestHandler((_contents, permission, callback, details) =>
    callback(isAllowed(permission, details.requestingUrl)),
  );
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  defaultSession.setDevicePermissionHandler(() => false);
  // `null` is how Electron is told "no"; an object without streams makes it throw.
  defaultSession.setDisplayMediaRequestHandler((_request, callback) => callback(null));
  denyDownloads(defaultSession);
}

/** Files are saved through a method of the console, never by the page itself. */
function denyDownloads(session: Session): void {
  session.on('will-download', (event) => event.preventDefault());
}
