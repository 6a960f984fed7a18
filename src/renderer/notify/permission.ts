/** Whether this browser may notify its user: off until the user asks for it, kept by this browser alone. */
import { useSyncExternalStore } from 'react';
import { triedNotificationSchema, type TriedNotification } from '../../contract/console/index.ts';

/** `denied`: the browser has been told not to, and only its own settings change that. */
export type Permission = 'unsupported' | 'off' | 'denied' | 'on';

const storageKey = 'tillbridge.notifications';
const listeners = new Set<() => void>();

function permission(): Permission {
  if (!('Notification' in window) || !window.isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && localStorage.getItem(storageKey) === 'on' ? 'on' : 'off';
}

function changed(): void {
  for (const listener of listeners) listener();
}

/** To be called while a person clicks: the browser asks them. */
export async function turnOn(): Promise<void> {
  if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(storageKey, 'on');
  changed();
}

export function turnOff(): void {
  localStorage.removeItem(storageKey);
  changed();
}

export function usePermission(): Permission {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    // Turned on or off in another window of this browser.
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  }, permission);
}

/** Shows one, of the browser's own. */
export function tryHere(title: string, text: string): Promise<TriedNotification> {
  const notification = new Notification(title, { body: text });
  return new Promise((resolve) => {
    notification.addEventListener('show', () => resolve('shown'));
    notification.addEventListener('error', () => resolve('refused'));
  });
}

/** Shows one, of the desktop app's. */
export async function tryInApp(): Promise<TriedNotification> {
  const tried = triedNotificationSchema.safeParse(
    await window.tillbridge?.tryNotification().catch(() => null),
  );
  return tried.data ?? 'refused';
}
