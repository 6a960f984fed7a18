/** Always there: can POS software reach us, can the terminal take a card, and the way to each page. */
import { useTranslation } from 'react-i18next';
import type { TerminalConnection } from '../../contract/terminal.ts';
import { connectionShape, listenerShape, Mark } from '../components/status-mark.tsx';
import { Time } from '../components/time.tsx';
import { useTerminalTitle } from '../components/terminal-choice/index.ts';
import { useConsoleState, useView } from '../store/console-context.tsx';
import { useTerminalName, useTerminalState } from '../store/terminal-context.tsx';
import { ListenerSwitch, useListenerMessage } from '../components/listener.tsx';
import { WhyLink } from '../components/why-link.tsx';
import {
  Archive,
  CircleHelp,
  CreditCard,
  Landmark,
  Receipt,
  ScrollText,
  Settings,
  type LucideIcon,
} from 'lucide-react';
import { href, pageNames, useRoute, type PageName } from '../store/route.ts';
import { useFormats } from '../messages/formats.ts';
import { terminalWord } from '../situation/terminal-words.ts';

export function Header() {
  return (
    <header className="header">
      <TerminalState />
      <ListenerStatus />
    </header>
  );
}

function TerminalState() {
  const { t } = useTranslation();
  const { sentence } = useFormats();
  const { terminal, bridge } = useTerminalState();
  const title = useTerminalTitle()(useTerminalName()) ?? t('terminal.title');
  const { connected } = useView();
  // The page Till says the same in more words, and that the connection is lost a banner says.
  const live = useRoute().page === 'till' || !connected ? 'off' : 'polite';
  if (terminal === null) {
    return (
      <section className="header-part" aria-label={t('terminal.title')}>
        <Mark shape={connectionShape(null)} />
        <div>
          <strong>{t('terminal.none')}</strong> {bridge.kind !== 'starting' && <WhyLink short />}
          <p>{bridge.kind === 'starting' ? t('bridge.starting') : t('bridge.stopped')}</p>
        </div>
      </section>
    );
  }
  const { connection, line, simulated, lastHeardAt } = terminal;
  const id = terminal.terminal?.terminalId ?? null;
  const what = simulated ? t('terminal.simulator') : id === null ? line : t('terminal.id', { id });
  const where = simulated || id === null ? null : line;
  return (
    <section
      className="header-part"
      aria-label={t('terminal.title')}
      data-connection={connected ? connection : 'unknown'}
    >
      <Mark shape={connectionShape(connected ? connection : null)} />
      <div>
        <strong aria-live={live}>
          {title}: {connected ? t(`terminal.connection.${terminalWord(terminal)}`) : t('app.unknown')}
        </strong>{' '}
        {(!connected || needsSomebody(connection)) && <WhyLink short />}
        <p className="header-facts" title={connected ? sentence(terminal.text) : undefined}>
          <span>{what}</span>{' '}
          {where !== null && (
            <>
              <span>· {where}</span>{' '}
            </>
          )}
          <span>
            · <LastHeard at={lastHeardAt} />
          </span>
        </p>
      </div>
    </section>
  );
}

function needsSomebody(connection: TerminalConnection): boolean {
  return ['lost', 'attention', 'recovering', 'stopped'].includes(connection);
}

function LastHeard({ at }: { at: string | null }) {
  const { t } = useTranslation();
  if (at === null) return t('terminal.neverHeard');
  // The text around the time is the language's own; only the time itself is an element.
  const [before = '', after = ''] = t('terminal.lastHeard', { time: '\u0000' }).split('\u0000');
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  );
}

function ListenerStatus() {
  const { t } = useTranslation();
  const { listener, bridge } = useConsoleState();
  const { connected } = useView();
  const { text } = useListenerMessage(listener);
  // What was true when the connection was lost may be wrong by now.
  if (!connected) {
    return (
      <section className="header-part" aria-label={t('listener.title')} data-listener="unknown">
        <Mark shape={connectionShape(null)} />
        <div>
          <strong aria-live="off">
            {t('listener.title')}: {t('app.unknown')}
          </strong>{' '}
          <WhyLink short />
          <p>{t('refusals.not_connected')}</p>
        </div>
      </section>
    );
  }
  // Start would be refused: first the bridge must run.
  const noBridge = listener.kind === 'off' && (bridge.kind === 'failed' || bridge.kind === 'stopped');
  const explanation = noBridge ? t('bridge.stopped') : text;
  return (
    <section className="header-part" aria-label={t('listener.title')} data-listener={listener.kind}>
      <Mark shape={listenerShape(listener.kind)} />
      <div>
        <strong aria-live="polite">
          {listener.kind === 'on'
            ? t('listener.on')
            : `${t('listener.title')}: ${t(`listener.${listener.kind}`)}`}
        </strong>{' '}
        {(noBridge || listener.kind === 'failed' || listener.kind === 'off') && <WhyLink short />}
        <p title={explanation}>{explanation}</p>
      </div>
      {!noBridge && <ListenerSwitch />}
    </section>
  );
}

const icons: Record<PageName, LucideIcon> = {
  till: CreditCard,
  payments: Receipt,
  batches: Archive,
  money: Landmark,
  log: ScrollText,
  settings: Settings,
  help: CircleHelp,
};

export function Navigation() {
  const { t } = useTranslation();
  const { page } = useRoute();
  return (
    <nav className="navigation" aria-label={t('app.navigation')}>
      {pageNames.map((name) => {
        const Icon = icons[name];
        return (
          <a key={name} href={href(name)} aria-current={name === page ? 'page' : undefined}>
            <Icon aria-hidden="true" />
            <span>{t(`pages.${name}`)}</span>
          </a>
        );
      })}
    </nav>
  );
}
