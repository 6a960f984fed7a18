/** The frame of the window: header and banners always, the pages below, or the first start instead of them. */
import { KeyRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectionMessage, Empty } from './components/notices.tsx';
import { BatchesPage } from './pages/batches/batches-page.tsx';
import { FirstStartPage } from './pages/first-start/first-start-page.tsx';
import { HelpPage } from './pages/help/help-page.tsx';
import { LogPage } from './pages/log/log-page.tsx';
import { MoneyPage } from './pages/money/money-page.tsx';
import { PaymentsPage } from './pages/payments/payments-page.tsx';
import { ReceiptPage } from './pages/receipt/receipt-page.tsx';
import { BatchReportPage } from './pages/batches/batch-report-page.tsx';
import { DayReportPage } from './pages/day-report/day-report-page.tsx';
import { SettingsPage } from './pages/settings/settings-page.tsx';
import { TillPage } from './pages/till/till-page.tsx';
import { Banners } from './shell/banners.tsx';
import { Header, Navigation } from './shell/header.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { useAppearance, useKeptFocus, useSearchKey } from './shell/window-behaviour.ts';
import { BrowserMini } from './mini/browser-window.tsx';
import { useNotifications } from './notify/use-notifications.ts';
import { useSounds } from './sound/use-sounds.ts';
import { useView } from './store/console-context.tsx';
import { useTerminalOfAddress } from './store/terminal-context.tsx';
import { useRoute, type PageName, type RoutePart } from './store/route.ts';

const pages: Record<PageName, () => React.JSX.Element> = {
  till: TillPage,
  payments: PaymentsPage,
  batches: BatchesPage,
  money: MoneyPage,
  log: LogPage,
  settings: SettingsPage,
  help: HelpPage,
};

/** What is made to be printed, of one thing of a page. */
const paperPages: Partial<Record<PageName, Partial<Record<RoutePart, () => React.JSX.Element>>>> = {
  till: { report: DayReportPage },
  payments: { receipt: ReceiptPage },
  batches: { report: BatchReportPage },
};

export function App() {
  const { t } = useTranslation();
  const { state, connected, shutOut } = useView();
  const { page, id, part } = useRoute();
  useAppearance();
  useSearchKey();
  useKeptFocus();
  useSounds();
  useNotifications();
  useTerminalOfAddress();

  const title = `${t(`pages.${page}`)} – ${t('app.name')}`;
  useEffect(() => {
    document.title = title;
  }, [title]);

  const isFirstStart = state?.bridge.kind === 'first_start';
  const wasFirstStart = useRef(isFirstStart);
  useEffect(() => {
    // What had the focus is gone with the first start's page.
    if (wasFirstStart.current && !isFirstStart) document.getElementById('content')?.focus();
    wasFirstStart.current = isFirstStart;
  }, [isFirstStart]);

  if (state === null) {
    if (connected) return <Empty title={t('app.loading')} />;
    if (shutOut === null) return <Empty title={t('connection.lost')} />;
    return (
      <main className="shut-out">
        <Empty icon={<KeyRound aria-hidden="true" />} title={t('shutOut.title')}>
          <ConnectionMessage shutOut={shutOut} />
        </Empty>
      </main>
    );
  }
  if (isFirstStart) {
    return (
      <main className="content content-alone" id="content" tabIndex={-1}>
        {page === 'help' ? <HelpPage /> : <FirstStartPage />}
      </main>
    );
  }
  const Page = (id !== null && part !== null ? paperPages[page]?.[part] : undefined) ?? pages[page];
  return (
    <div className="frame">
      <a className="skip" href="#content" onClick={focusContent}>
        {t('app.skip')}
      </a>
      <Header />
      <Banners />
      <Navigation />
      <main className="content" id="content" tabIndex={-1}>
        <Page />
      </main>
      <Shortcuts />
      <BrowserMini />
    </div>
  );
}

/** The address behind `#` is the page's; this link only moves the focus. */
function focusContent(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
