/**
 * Notifications of the browser, for a page of the headless bridge. Of several windows of one browser one tells: the first.
 * The desktop app has its own, which need no window.
 */
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { createNotifier, noticeText, type Notice } from '../../notifications/index.ts';
import { systemClock } from '../../base/clock.ts';
import { useClient } from '../store/console-context.tsx';
import { usePermission } from './permission.ts';

/** Held by the window that tells. */
const lockName = 'tillbridge.notifications';
/** What this tab has been told: outlives a reload, and ends with the tab. */
const storageKey = 'tillbridge.told';
const maxTold = 100;
const toldSchema = z.array(z.string().max(100)).max(maxTold);

/** Once in a window. */
export function useNotifications(): void {
  const client = useClient();
  const { t } = useTranslation();
  const isOn = usePermission() === 'on';
  const words = useEffectEvent((notice: Notice) => noticeText(notice, t));

  useEffect(() => {
    if (!isOn) return undefined;
    let isOurTurn = false;
    const end = new AbortController();
    const begin = () => {
      isOurTurn = true;
      return new Promise<void>((resolve) => end.signal.addEventListener('abort', () => resolve()));
    };
    navigator.locks.request(lockName, { signal: end.signal }, begin).catch(() => {});

    const notifier = createNotifier({
      clock: systemClock,
      on: true,
      isInFront: () => document.visibilityState === 'visible' && document.hasFocus(),
      show: (notice) => (isOurTurn ? show(notice, words(notice)) : () => {}),
      told: readTold(),
      onTold: (keys) => sessionStorage.setItem(storageKey, JSON.stringify(keys.slice(-maxTold))),
    });
    const look = () => {
      const { state, connected } = client.view();
      if (connected && state?.host === 'headless') notifier.look(state);
    };
    const stop = client.subscribe(look);
    window.addEventListener('focus', notifier.seen);
    look();
    return () => {
      stop();
      window.removeEventListener('focus', notifier.seen);
      notifier.turn(false);
      end.abort();
    };
  }, [client, isOn]);
}

function show(notice: Notice, { title, text }: ReturnType<typeof noticeText>): () => void {
  const notification = new Notification(title, {
    body: text,
    // The same is replaced, not shown beside itself.
    tag: notice.needs.map(({ key }) => key).join(),
    silent: notice.quiet,
    requireInteraction: !notice.quiet,
  });
  notification.addEventListener('click', () => {
    window.focus();
    window.location.hash = notice.place;
    notification.close();
  });
  return () => notification.close();
}

function readTold(): string[] {
  try {
    return toldSchema.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}
