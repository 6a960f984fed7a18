/**
 * Asks the office. The browser shows the session's cookie by itself, and to the office alone; no script can read it.
 * What comes is of the office's own version, so it has the types of the contract.
 */
import { linkMark } from '../../contract/console/index.ts';
import type { OfficeRefusal } from '../../contract/office.ts';
import type { PageRefusal } from '../../contract/office-page.ts';

export type RefusalCode = OfficeRefusal['error'] | PageRefusal['error'] | 'not_connected';

export class RefusedError extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws `RefusedError`. */
export async function askOffice<T>(path: string, body?: unknown): Promise<T> {
  let response: Response;
  let answer: unknown;
  try {
    const sent =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    response = await fetch(`office/v1${path}`, sent);
    answer = await response.json();
  } catch (error) {
    throw new RefusedError('not_connected', String(error));
  }
  if (response.ok) return answer as T;
  const { error, message } = answer as Partial<PageRefusal>;
  throw new RefusedError(error ?? 'unavailable', message ?? '');
}

/** Takes the link out of the address, so that it does not stay there. To be called before anything else reads that. */
export function takeLink(): string | null {
  const { hash, pathname } = window.location;
  if (!hash.startsWith(linkMark)) return null;
  window.history.replaceState(null, '', pathname);
  return hash.slice(linkMark.length);
}
