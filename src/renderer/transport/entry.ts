/** How the page gets into the bridge's port: a link, once, for a secret that stays with the tab. */
import {
  enterResponseSchema,
  linkMark,
  consoleRefusalSchema,
  shutOutMessage,
  type ConsoleRefusal,
} from '../../contract/console/index.ts';

type Pass = { ok: true; secret: string } | { ok: false; refusal: ConsoleRefusal };

export interface Entry {
  /** The secret to show with each request, or why there is none. Rejects while the bridge does not answer. */
  pass(): Promise<Pass>;
}

/** Of this tab: it outlives a reload, and ends with the tab. */
const storageKey = 'tillbridge.console';

/** Takes the link out of the address, so that it does not stay there. To be called before anything else reads that. */
export function createEntry(): Entry {
  let link = takeLink();
  let refusal: ConsoleRefusal = { code: 'no_session', message: shutOutMessage.no_session };
  let entering: Promise<void> | null = null;

  // A link that is opened where the page is already shown changes only what is behind "#".
  window.addEventListener('hashchange', (event) => {
    if (!new URL(event.newURL).hash.startsWith(linkMark)) return;
    event.stopImmediatePropagation();
    window.location.reload();
  });

  async function enter(token: string) {
    const response = await fetch('/api/enter', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ link: token }),
    });
    const body = (await response.json()) as { ok?: unknown; value?: unknown; refusal?: unknown };
    link = null;
    if (body.ok === true) sessionStorage.setItem(storageKey, enterResponseSchema.parse(body.value).secret);
    else refusal = consoleRefusalSchema.parse(body.refusal);
  }

  return {
    async pass() {
      if (link !== null) await (entering ??= enter(link).finally(() => (entering = null)));
      // Also after a link that was refused: the same one, opened again in the tab that it has let in, does no harm.
      const secret = sessionStorage.getItem(storageKey);
      return secret === null ? { ok: false, refusal } : { ok: true, secret };
    },
  };
}

function takeLink(): string | null {
  const { hash, pathname } = window.location;
  if (!hash.startsWith(linkMark)) return null;
  window.history.replaceState(null, '', pathname);
  return hash.slice(linkMark.length);
}
