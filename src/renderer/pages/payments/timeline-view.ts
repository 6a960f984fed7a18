/** How the timeline is shown: as a story, or as what was on the wire. In the address, so that a link opens the same. */
import { useEffect, useState } from 'react';
import { useRoute } from '../../store/route.ts';

export type TimelineView = 'story' | 'wire';

const parameter = 'view';

/** Kept while the window is open, because one looks at several payments. */
let kept: TimelineView = 'story';

export function useTimelineView(): [TimelineView, (view: TimelineView) => void] {
  const { id, query } = useRoute();
  /** Chosen here; the address follows a moment later. */
  const [chosen, setChosen] = useState<TimelineView | null>(null);
  const named = query.get(parameter) === 'wire' ? 'wire' : null;
  const view = chosen ?? named ?? kept;
  useEffect(() => {
    kept = view;
    // Another payment of the list: its address says how it is shown as well.
    if ((named ?? 'story') !== view) writeAddress(view);
  }, [view, named, id]);
  // Whoever goes Back, or opens a link, gets what that address says.
  useEffect(() => setChosen(null), [named, id]);
  return [view, setChosen];
}

/** In place of the address that is shown: Back leads to the page before, not to the other view. */
function writeAddress(view: TimelineView) {
  const [path = '', search = ''] = window.location.hash.split('?');
  const query = new URLSearchParams(search);
  if (view === 'story') query.delete(parameter);
  else query.set(parameter, view);
  const text = query.toString();
  window.location.replace(text === '' ? path : `${path}?${text}`);
}
