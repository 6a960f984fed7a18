/**
 * The ways out. A user is asked while an operation is on the terminal; the system is not asked, it ends in time.
 *
 *     running ──quit, no operation─────────────────────────────► stopping ──► ended
 *        │ quit: confirm ─────────"quit anyway"────────────────────▲
 *        │              └──"wait"──► waiting ──operation has ended──┤
 *        └──signal, session end, shutdown──────────────────────────┘
 */
import type { ConsoleState } from '../contract/console/index.ts';
import type { AppBridge } from './app-bridge.ts';
import { dialog, type BrowserWindow } from 'electron';
import { currencyExponent, type Currency } from '../contract/money.ts';
import type { Translate } from '../locales/index.ts';

export type QuitChoice = 'wait' | 'now' | 'cancel';

export interface QuitFlow {
  /** The user wants to quit: by menu, tray or key. */
  invoke(): void;
  /** The system wants it, and there is at most so much time; null: what the settings give the operation on the terminal. */
  end(limitMs: number | null): void;
  /** The app itself wants it: as soon as nothing is on the terminal. `before` is called right before it stops. */
  whenIdle(before: () => void): void;
}

export interface QuitFlowOptions {
  bridge: Pick<AppBridge, 'onTerminal' | 'stop' | 'console' | 'log'>;
  /** Asks the user what is to become of the operation on the terminal. */
  choose(currentOperation: NonNullable<ConsoleState['currentOperation']>): Promise<QuitChoice>;
  /** The process has nothing more to do. */
  exit(): void;
}

/** "Quit anyway" gives the terminal no time, only the files: the operation on the terminal is in doubt and is recovered. */
const quitNowLimitMs = 2_000;

export function createQuitFlow({ bridge, choose, exit }: QuitFlowOptions): QuitFlow {
  const log = bridge.log.with({ source: 'app' });
  let phase: 'running' | 'asking' | 'waiting' | 'stopping' = 'running';
  let exited = false;

  function exitOnce(): void {
    if (exited) return;
    exited = true;
    exit();
  }

  /** A second call only makes the time shorter. */
  function stop(limitMs: number | null): void {
    if (limitMs !== null) setTimeout(exitOnce, limitMs);
    if (phase === 'stopping') return;
    phase = 'stopping';
    log.info('the app quits', { limit_ms: limitMs });
    bridge.stop().then(exitOnce, (error: unknown) => {
      log.error('the bridge did not stop as it should', { err: error });
      exitOnce();
    });
  }

  async function confirm(currentOperation: NonNullable<ConsoleState['currentOperation']>): Promise<void> {
    phase = 'asking';
    const choice = await choose(currentOperation).catch((error: unknown): QuitChoice => {
      log.error('the question before quitting cannot be asked', { err: error });
      return 'wait';
    });
    // Meanwhile the system may have ended it all.
    if (phase !== 'asking') return;
    if (choice === 'cancel') phase = 'running';
    else if (choice === 'now') stop(quitNowLimitMs);
    else waitForEnd();
  }

  function waitForEnd(before = () => {}): void {
    phase = 'waiting';
    const unsubscribe = bridge.console.subscribe((change) => {
      if (change.kind === 'state' && bridge.onTerminal() === null) done();
    });
    function done() {
      unsubscribe();
      if (phase !== 'waiting') return;
      before();
      stop(null);
    }
    // It may have ended while the dialog was open.
    if (bridge.onTerminal() === null) done();
  }

  return {
    invoke() {
      if (phase === 'asking' || phase === 'stopping') return;
      const currentOperation = bridge.onTerminal();
      if (currentOperation === null) stop(null);
      else void confirm(currentOperation);
    },
    end: stop,
    whenIdle(before) {
      if (phase === 'running') waitForEnd(before);
    },
  };
}

const choices: QuitChoice[] = ['wait', 'now', 'cancel'];

export async function confirmQuit(
  currentOperation: NonNullable<ConsoleState['currentOperation']>,
  context: { window: BrowserWindow; t: Translate; locale: string },
): Promise<QuitChoice> {
  const { window, t, locale } = context;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: t(`quit.operation.${currentOperation.kind}`),
    detail: describe(currentOperation, locale) + t('quit.outcomeUnknown'),
    buttons: [t('quit.wait'), t('quit.now'), t('app.cancel')],
    defaultId: choices.indexOf('wait'),
    cancelId: choices.indexOf('cancel'),
    noLink: true,
  });
  return choices[response] ?? 'cancel';
}

/** `12.00 EUR, TABLE-7. `, or nothing where there is no amount. */
function describe(currentOperation: NonNullable<ConsoleState['currentOperation']>, locale: string): string {
  const { amountMinor, currency, reference } = currentOperation;
  const amount = amountMinor === null ? [] : [money(amountMinor, currency, locale)];
  const parts = [...amount, ...(reference === null ? [] : [reference])];
  return parts.length === 0 ? '' : `${parts.join(', ')}. `;
}

function money(amountMinor: number, currency: Currency, locale: string): string {
  const digits = currencyExponent(currency);
  const format = new Intl.NumberFormat(usableLocale(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amountMinor / 10 ** digits);
}

/** Undefined, the runtime's own, for what is no locale: the setting is free text, and a system may name none. */
function usableLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
