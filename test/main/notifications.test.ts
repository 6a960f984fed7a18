/** What the app tells beside what needs a person: by the same switch. */
import { beforeEach, expect, test, vi } from 'vitest';
import { translatorFor } from '../../src/locales/index.ts';
import { silentLog } from '../../src/log/log.ts';

const shown: { title: string; click: () => void }[] = [];
vi.mock('electron', () => ({
  Notification: class {
    static isSupported = () => true;
    private readonly title: string;
    private click = () => {};
    constructor({ title }: { title: string }) {
      this.title = title;
    }
    on(event: string, listener: () => void) {
      if (event === 'click') this.click = listener;
    }
    show() {
      shown.push({ title: this.title, click: () => this.click() });
    }
    close() {}
  },
}));
const { createNotifications } = await import('../../src/main/notifications.ts');

beforeEach(() => void shown.splice(0));

function notifications() {
  const asked: string[] = [];
  const window = { on() {}, isVisible: () => false, isMinimized: () => false, isFocused: () => false };
  const mainWindow = {
    window: window as never,
    show: () => void asked.push('show'),
    showPlace: (place: string) => void asked.push(place),
  };
  return { asked, ...createNotifications({ mainWindow, t: () => translatorFor('en'), log: silentLog }) };
}

test('a new version is told while notifications are on, and a click shows the window', () => {
  const { tell, asked } = notifications();
  tell('Tillbridge 0.2.0 is ready', 'Install it when it suits you.');
  shown[0]?.click();
  expect([shown.map(({ title }) => title), asked]).toEqual([['Tillbridge 0.2.0 is ready'], ['show']]);
});

test('switched off, nothing is told until they are on again', () => {
  const { tell, turn } = notifications();
  turn(false);
  tell('one', '');
  turn(true);
  tell('two', '');
  expect(shown.map(({ title }) => title)).toEqual(['two']);
});
