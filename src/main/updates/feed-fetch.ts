/** How the app asks its feed: as Chromium does, by the proxy and the certificates of the system. */
import { session } from 'electron';
import type { FeedFetch } from '../../updates/index.ts';

/** What Electron's network says of a redirect that is not followed, where the standard would give a response. */
const cancelledRedirect = 'Redirect was cancelled';

/** Without cookies or a cache, and apart from the window's session, which may ask nothing outside. */
export const feedFetch: FeedFetch = async (url, init) => {
  const apart = session.fromPartition('update-feed', { cache: false });
  try {
    return await apart.fetch(url.href, { ...init, credentials: 'omit' });
  } catch (error) {
    if (error instanceof Error && error.message === cancelledRedirect)
      return new Response(null, { status: 302 });
    throw error;
  }
};
