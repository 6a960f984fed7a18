/** What a person is notified of, wherever the notification is shown: by the desktop app, or by a browser. */
export { createNotifier, type Notice, type Notifier } from './notifier.ts';
export { noticeText } from './notice-text.ts';
export { canBeAsked, personNeeds, terminalsOf } from './person-needs.ts';
