/**
 * The ways out. A user is asked while an operation is on the terminal; the system is not asked, it ends in time.
 *
 *     running ──quit──► looking ──no operation─────────────────► stopping ──► ended
 *        │                 └► asking ──"quit anyway"───────────────▲
 *        │                       └──"wait"──► waiting ──it ended───┤
 *        └──signal, session end, shutdown──────────────────────────┘
 */
import type { OperationOnTerminal } from '../contract/console/index.ts';
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
  bridge: Pick<AppBridge, 'onTerminals' | 'lookAtTerminals' | 'stop' | 'console' | 'log'>;
  /** Asks the user what is to become of these operations, of which there is one at least. */
  choose(operations: OperationOnTerminal[]): Promise<QuitChoice>;
  /** The process has nothing more to do. */
  exit(): void;
}

/** "Quit anyway" gives the terminal no time, only the files: the operation on the terminal is in doubt and is recovered. */
const quitNowLimitMs = 2_000;

export function createQuitFlow({ bridge, choose, exit }: QuitFlowOptions): QuitFlow {
  const log = bridge.log.with({ source: 'app' });
  let phase: 'running' | 'looking' | 'asking' | 'waiting' | 'stopping' = 'running';
  let exited = false;

  const isIdle = () => bridge.onTerminals().length === 0;

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

  async function confirm(): Promise<void> {
    phase = 'looking';
    const operations = await bridge.lookAtTerminals();
    // Meanwhile the system may have ended it all.
    if (phase !== 'looking') return;
    if (operations.length === 0) return stop(null);
    phase = 'asking';
    const choice = await choose(operations).catch((error: unknown): QuitChoice => {
      log.error('the question before quitting cannot be asked', { err: error });
      return 'wait';
    });
    if (phase !== 'asking') return;
    if (choice === 'cancel') phase = 'running';
    else if (choice === 'now') stop(quitNowLimitMs);
    else waitForEnd();
  }

  function waitForEnd(before = () => {}): void {
    phase = 'waiting';
    const unsubscribe = bridge.console.subscribe((change) => {
      if (change.kind === 'state' && isIdle()) done();
    });
    function done() {
      unsubscribe();
      if (phase !== 'waiting') return;
      before();
      stop(null);
    }
    // It may have ended while the dialog was open.
    if (isIdle()) done();
  }

  return {
    invoke() {
      if (phase === 'running' || phase === 'waiting') void confirm();
    },
    end: stop,
    whenIdle(before) {
      if (phase === 'running') waitForEnd(before);
    },
  };
}

const choices: QuitChoice[] = ['wait', 'now', 'cancel'];

export async function confirmQuit(
  operations: OperationOnTerminal[],
  context: { window: BrowserWindow; t: Translate; locale: string },
): Promise<QuitChoice> {
  const { window, t, locale } = context;
  const [first, ...more] = operations;
  const isOnly = more.length === 0;
  const lines = operations.map((operation) => describe(operation, { t, locale, isOnly }));
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: first !== undefined && isOnly ? t(`quit.operation.${first.kind}`) : t('quit.several'),
    detail: [...lines.filter((line) => line !== ''), t('quit.outcomeUnknown')].join('\n'),
    buttons: [t('quit.wait'), t('quit.now'), t('app.cancel')],
    defaultId: choices.indexOf('wait'),
    cancelId: choices.indexOf('cancel'),
    noLink: true,
  });
  return choices[response] ?? 'cancel';
}

/** "Terminal “bar”: Payment, €12.00, TABLE-7"; without what is not known, and without what the message says already. */
function describe(
  { kind, amountMinor, currency, reference, onTerminal }: OperationOnTerminal,
  { t, locale, isOnly }: { t: Translate; locale: string; isOnly: boolean },
): string {
  const terminal =
    onTerminal === undefined ? t('terminals.main') : t('terminals.named', { name: onTerminal });
  const what = [
    ...(isOnly ? [] : [t(`operation.${kind}`)]),
    ...(amountMinor === null ? [] : [money(amountMinor, currency, locale)]),
    ...(reference === null ? [] : [reference]),
  ].join(', ');
  if (isOnly && onTerminal === undefined) return what;
  return what === '' ? terminal : `${terminal}: ${what}`;
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
