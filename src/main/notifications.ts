/** Notifications of the system: they tell of what needs a person while the window is hidden or behind others. */
import { Notification } from 'electron';
import { systemClock } from '../base/clock.ts';
import type { TriedNotification } from '../contract/console/index.ts';
import type { Translate } from '../locales/index.ts';
import type { Log } from '../log/index.ts';
import { createNotifier, noticeText, type Notice, type Notifier } from '../notifications/index.ts';
import type { MainWindow } from './main-window.ts';

interface Notifications extends Notifier {
  /** Tells once what needs nobody, unless notifications are off. A click shows the window. */
  tell(title: string, text: string): void;
  /** Shows one, to see whether the system does. */
  tryOne(): Promise<TriedNotification>;
}

const tryLimitMs = 5_000;

/** They are on until the settings say otherwise. */
export function createNotifications(parts: {
  mainWindow: Pick<MainWindow, 'window' | 'show' | 'showPlace'>;
  t: () => Translate;
  log: Log;
}): Notifications {
  const { mainWindow, t, log } = parts;
  const { window } = mainWindow;
  /** Without a reference, a notification would be forgotten with its click. */
  const shown = new Set<Notification>();
  let on = true;

  function show(notice: Notice): () => void {
    if (!Notification.isSupported()) return () => {};
    const { title, text } = noticeText(notice, t());
    const notification = new Notification({
      title,
      body: text,
      silent: notice.quiet,
      // What is about money stays until somebody has seen it.
      timeoutType: notice.quiet ? 'default' : 'never',
    });
    shown.add(notification);
    notification.on('click', () => mainWindow.showPlace(notice.place));
    notification.on('failed', (_event, reason) => {
      log.warn('a notification was refused by the system', { reason });
      shown.delete(notification);
    });
    notification.show();
    return () => {
      shown.delete(notification);
      notification.close();
    };
  }

  const notifier = createNotifier({
    clock: systemClock,
    on,
    isInFront: () => window.isVisible() && !window.isMinimized() && window.isFocused(),
    show,
  });
  window.on('focus', notifier.seen);
  return {
    ...notifier,
    turn(wanted) {
      on = wanted;
      notifier.turn(wanted);
    },
    tell(title, text) {
      if (!on || !Notification.isSupported()) return;
      const notification = new Notification({ title, body: text });
      shown.add(notification);
      notification.on('click', mainWindow.show);
      notification.on('close', () => shown.delete(notification));
      notification.on('failed', () => shown.delete(notification));
      notification.show();
    },
    async tryOne() {
      if (!Notification.isSupported()) return 'refused';
      const notification = new Notification({ title: t()('notice.try'), body: t()('notice.tryText') });
      const { promise, resolve } = Promise.withResolvers<TriedNotification>();
      shown.add(notification);
      notification.once('show', () => resolve('shown'));
      notification.once('failed', () => resolve('refused'));
      // A system that says neither has shown none.
      const cancel = systemClock.after(tryLimitMs, () => resolve('refused'));
      notification.show();
      const tried = await promise;
      cancel();
      shown.delete(notification);
      return tried;
    },
  };
}
