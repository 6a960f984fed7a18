/** The few words that the app itself says, outside of the window; the window has its own. */
import type { ConsoleState } from '../contract/console/index.ts';
import type { TrayState } from './tray-state.ts';

type OperationKind = NonNullable<ConsoleState['currentOperation']>['kind'];

export interface Words {
  tray: Record<TrayState, string>;
  simulator: string;
  open: string;
  startListener: string;
  stopListener: string;
  quit: string;
  stillRunningTitle: string;
  stillRunningText: string;
  currentOperation: Record<OperationKind, string>;
  /** `what`: amount and reference, or empty. */
  quitDetail(what: string): string;
  waitThenQuit: string;
  quitNow: string;
  cancel: string;
  cannotRun: string;
  saveTitle: string;
  alreadySaving: string;
  cannotSave(reason: string): string;
}

const english: Words = {
  tray: {
    starting: 'Starting',
    ready: 'Ready for payments',
    working: 'The terminal is working',
    attention: 'Somebody is needed: open Tillbridge',
    connecting: 'The terminal is not connected',
    listener_off: 'The listener is off',
    stopped: 'Stopped',
  },
  simulator: 'SIMULATOR – no real payments',
  open: 'Open Tillbridge',
  startListener: 'Start listener',
  stopListener: 'Stop listener',
  quit: 'Quit',
  stillRunningTitle: 'Tillbridge is still running',
  stillRunningText: 'Payments go on. Open or quit it with its icon beside the clock.',
  currentOperation: {
    sale: 'A payment is on the terminal.',
    void: 'A void is on the terminal.',
    batch_close: 'The terminal is closing the batch.',
  },
  quitDetail: (what) =>
    `${what}If Tillbridge quits now, nobody knows how it ended until Tillbridge runs again and has asked the terminal.`,
  waitThenQuit: 'Wait for it, then quit',
  quitNow: 'Quit anyway',
  cancel: 'Cancel',
  cannotRun: 'Tillbridge cannot run',
  saveTitle: 'Save',
  alreadySaving: 'Another file is being saved.',
  cannotSave: (reason) => `The file cannot be saved: ${reason}`,
};

const german: Words = {
  tray: {
    starting: 'Startet',
    ready: 'Bereit für Zahlungen',
    working: 'Das Terminal arbeitet',
    attention: 'Jemand wird gebraucht: Tillbridge öffnen',
    connecting: 'Das Terminal ist nicht verbunden',
    listener_off: 'Die Annahme ist aus',
    stopped: 'Angehalten',
  },
  simulator: 'SIMULATOR – keine echten Zahlungen',
  open: 'Tillbridge öffnen',
  startListener: 'Annahme starten',
  stopListener: 'Annahme anhalten',
  quit: 'Beenden',
  stillRunningTitle: 'Tillbridge läuft weiter',
  stillRunningText: 'Zahlungen gehen weiter. Öffnen oder beenden über das Symbol neben der Uhr.',
  currentOperation: {
    sale: 'Eine Zahlung ist am Terminal.',
    void: 'Ein Storno ist am Terminal.',
    batch_close: 'Das Terminal macht den Kassenschnitt.',
  },
  quitDetail: (what) =>
    `${what}Wird Tillbridge jetzt beendet, weiß niemand, wie es ausging, bis Tillbridge wieder läuft und das Terminal gefragt hat.`,
  waitThenQuit: 'Abwarten, dann beenden',
  quitNow: 'Trotzdem beenden',
  cancel: 'Abbrechen',
  cannotRun: 'Tillbridge kann nicht laufen',
  saveTitle: 'Speichern',
  alreadySaving: 'Es wird gerade eine andere Datei gespeichert.',
  cannotSave: (reason) => `Die Datei kann nicht gespeichert werden: ${reason}`,
};

const languages: Record<string, Words> = { en: english, de: german };

/** `language` as in the settings; `system` is what the computer has. A language without words here is English. */
export function wordsFor(language: string, systemLocale: string): Words {
  return languages[languageOf(language, systemLocale)] ?? english;
}

/** `de` of `de-AT`. */
export function languageOf(language: string, systemLocale: string): string {
  const locale = language === 'system' ? systemLocale : language;
  return locale.toLowerCase().split(/[-_]/)[0] ?? 'en';
}
