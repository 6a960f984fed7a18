/** What must not be overlooked, on every page. */
import {
  Database,
  Globe,
  Hourglass,
  Scale,
  ServerCrash,
  Settings,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../messages/formats.ts';
import { Button } from '../components/button.tsx';
import { BridgeText } from '../components/bridge-text.tsx';
import { NextTry } from '../components/next-try.tsx';
import { ConnectionMessage, RefusedNote } from '../components/notices.tsx';
import { WhyLink } from '../components/why-link.tsx';
import { WithCommands } from '../components/with-commands.tsx';
import { useAction } from '../store/queries.ts';
import { BannerList } from './banner-list.tsx';
import { OpenItemsDialog } from '../components/decisions/open-items-dialog.tsx';
import { useTerminalTitle } from '../components/terminal-choice/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { useConsoleState, useView } from '../store/console-context.tsx';
import { stateOf } from '../store/chosen-terminal.ts';
import { useTerminalName } from '../store/terminal-context.tsx';
import { goTo, href, useRoute } from '../store/route.ts';
import { UpdateBanner } from './update-banner.tsx';
import { canBeAsked } from '../../notifications/index.ts';

export function Banners() {
  const { t } = useTranslation();
  const { connected, late, shutOut, settings } = useView();
  const { terminal, bridge, journal, fault } = useConsoleState();
  const isDown = fault?.runsSince === null;
  return (
    <BannerList>
      {terminal?.simulated === true && <p className="banner banner-simulator">{t('banner.simulator')}</p>}
      {!connected && (
        <p className="banner banner-bad" role="alert">
          <Unplug aria-hidden="true" />
          <span>
            <ConnectionMessage shutOut={shutOut} /> <WhyLink />
          </span>
        </p>
      )}
      {isDown && <FaultBanner />}
      {bridge.kind === 'failed' && (
        <p className="banner banner-bad">
          <ServerCrash aria-hidden="true" />
          <span>
            {/* Without the time of the next try: each new one would be an alert of its own. */}
            <span role="alert">
              <strong>{t('bridge.failed')}.</strong> <BridgeText text={bridge.text} />{' '}
              {t('bridge.failedNext')}
            </span>
            <NextTry at={bridge.nextTryAt} /> <a href={href('settings')}>{t('pages.settings')}</a> <WhyLink />
          </span>
        </p>
      )}
      {!journal.writable && bridge.kind === 'running' && (
        <p className="banner banner-bad" role="alert">
          <Database aria-hidden="true" />
          <span>
            {t(journal.damaged ? 'banner.damaged' : 'banner.journal', { text: journal.text })} <WhyLink />
          </span>
        </p>
      )}
      <InDoubtBanner />
      <DiscrepancyBanner />
      <OpenItemsByAddress />
      <OtherTerminalBanners />
      <ElsewhereBanners />
      {late && (
        <p className="banner banner-calm" role="status">
          <Hourglass aria-hidden="true" />
          <span>{t('banner.late')}</span>
        </p>
      )}
      {settings !== null && settings.warnings.length > 0 && (
        <p className="banner banner-calm" role="status">
          <Settings aria-hidden="true" />
          <span>
            {t('banner.settings')} <span lang="en">{settings.warnings.join(' ')}</span>{' '}
            <a href={href('settings')}>{t('pages.settings')}</a> <WhyLink />
          </span>
        </p>
      )}
      <OriginBanner />
      {!isDown && <FaultBanner />}
      <UpdateBanner />
    </BannerList>
  );
}

/** A notification leads to what is open: `#/till?open=items`. */
function OpenItemsByAddress() {
  const { page, query } = useRoute();
  if (query.get('open') !== 'items') return null;
  return <OpenItemsDialog onClose={() => goTo(page)} />;
}

/** Of several terminals: those that take no payments now. What the header says of the one that is shown is not said again. */
function OtherTerminalBanners() {
  const titleOf = useTerminalTitle();
  const shown = useTerminalName();
  const { otherTerminals, terminal: mainState, journal: mainJournal } = useConsoleState();
  if (otherTerminals === undefined || mainState === null) return null;
  // The main one's journal has a banner of its own.
  const journal = { ...mainJournal, writable: true };
  const main = { name: mainTerminal, terminal: mainState, journal, retired: false };
  const away = [main, ...otherTerminals].filter(
    ({ name, terminal: { connection }, journal: { writable }, retired }) =>
      !writable || (!retired && name !== shown && (connection === 'lost' || connection === 'attention')),
  );
  return away.map(({ name, terminal, journal }) => (
    <p key={name} className={`banner ${journal.writable ? 'banner-warn' : 'banner-bad'}`} role="alert">
      {journal.writable ? <Unplug aria-hidden="true" /> : <Database aria-hidden="true" />}
      <span>
        <strong>{titleOf(name)}:</strong>{' '}
        <BridgeText text={journal.writable ? terminal.text : journal.text} />
      </span>
    </p>
  ));
}

/** While the simulator runs: what waits on the real terminal, whose journal is another one. */
function ElsewhereBanners() {
  const { t } = useTranslation();
  const { doubtsElsewhere, discrepanciesElsewhere, unreadableElsewhere = [] } = useConsoleState();
  const settings = (
    <>
      {' '}
      <a href={href('settings')}>{t('pages.settings')}</a>
    </>
  );
  return (
    <>
      {unreadableElsewhere.map((folder) => (
        <WarningBanner key={folder} icon={<Database aria-hidden="true" />}>
          <WithCommands text={t('banner.unreadableElsewhere', { folder })} />
        </WarningBanner>
      ))}
      {doubtsElsewhere > 0 && (
        <WarningBanner icon={<TriangleAlert aria-hidden="true" />}>
          {t('banner.inDoubtElsewhere', { count: doubtsElsewhere })}
          {settings}
        </WarningBanner>
      )}
      {discrepanciesElsewhere > 0 && (
        <WarningBanner icon={<Scale aria-hidden="true" />}>
          {t('banner.discrepancyElsewhere', { count: discrepanciesElsewhere })}
          {settings}
        </WarningBanner>
      )}
    </>
  );
}

function WarningBanner({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="banner banner-warn" role="alert">
      {icon}
      <span>
        {children} <WhyLink />
      </span>
    </p>
  );
}

function InDoubtBanner() {
  const { t } = useTranslation();
  const state = useConsoleState();
  const { doubts } = state;
  // Stays while its dialog is open, also when all is decided meanwhile: the dialog says so.
  const [resolving, setResolving] = useState(false);
  const first = doubts.find((inDoubt) => inDoubt.needsDecision) ?? doubts[0];
  const { terminal } = stateOf(state, first?.onTerminal ?? mainTerminal);
  const isOfOne = doubts.every(({ onTerminal }) => onTerminal === first?.onTerminal);
  const title = useTerminalTitle()(first?.onTerminal);
  return (
    <>
      {first !== undefined && (
        <div className="banner banner-warn" role="alert">
          <TriangleAlert aria-hidden="true" />
          <span>
            {isOfOne && title !== null && `${title}: `}
            <strong>{t('banner.inDoubt', { count: doubts.length })}</strong>{' '}
            {t(
              first.needsDecision
                ? 'banner.inDoubtDecision'
                : canBeAsked(terminal)
                  ? 'banner.inDoubtRecovering'
                  : 'banner.inDoubtDisconnected',
            )}{' '}
            <WhyLink />
          </span>
          <Button look="primary" onClick={() => setResolving(true)}>
            {t('banner.resolve')}
          </Button>
        </div>
      )}
      {resolving && <OpenItemsDialog onClose={() => setResolving(false)} />}
    </>
  );
}

function DiscrepancyBanner() {
  const { t } = useTranslation();
  const { discrepancyCount, salesHeld, otherTerminals = [] } = useConsoleState();
  const isHeld = salesHeld || otherTerminals.some((other) => other.salesHeld);
  // Stays while its dialog is open, also when all are acknowledged meanwhile.
  const [looking, setLooking] = useState(false);
  return (
    <>
      {discrepancyCount > 0 && (
        <div className="banner banner-warn" role="alert" data-banner="discrepancies">
          <Scale aria-hidden="true" />
          <span>
            <strong>{t('banner.discrepancy', { count: discrepancyCount })}</strong>{' '}
            {t(isHeld ? 'banner.discrepancyHolds' : 'banner.discrepancyDecision')} <WhyLink />
          </span>
          <Button look="primary" onClick={() => setLooking(true)}>
            {t('discrepancy.look')}
          </Button>
        </div>
      )}
      {looking && <OpenItemsDialog onClose={() => setLooking(false)} />}
    </>
  );
}

/** Part of the desktop app has ended by itself: what, when, and since when it runs again. */
function FaultBanner() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { fault } = useConsoleState();
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (fault === undefined || fault.at === dismissed) return null;
  const { part, at, runsSince } = fault;
  const runs = runsSince !== null;
  return (
    <div className={`banner ${runs ? 'banner-calm' : 'banner-bad'}`} role={runs ? 'status' : 'alert'}>
      <ServerCrash aria-hidden="true" />
      <span>
        <strong>{t(`banner.fault.${part}`, { at: formats.time(at) })}</strong>{' '}
        {runs ? t('banner.fault.runsSince', { at: formats.time(runsSince) }) : t('banner.fault.restarting')}
      </span>
      {runs && (
        <Button look="quiet" onClick={() => setDismissed(at)}>
          {t('banner.dismiss')}
        </Button>
      )}
    </div>
  );
}

function OriginBanner() {
  const { t } = useTranslation();
  const { blockedOrigins } = useConsoleState();
  const allow = useAction('allowOrigin');
  const [dismissed, setDismissed] = useState<string[]>([]);
  const shown = blockedOrigins.find(({ origin, at }) => !dismissed.includes(`${origin} ${at}`));
  if (shown === undefined) return null;
  const { origin, at } = shown;
  return (
    <div className="banner banner-calm" role="status">
      <Globe aria-hidden="true" />
      <span>
        {t('banner.origin', { origin })} <WhyLink />
      </span>
      <Button busy={allow.busy} onClick={() => void allow.run({ origin })}>
        {t('banner.allow')}
      </Button>
      <Button look="quiet" onClick={() => setDismissed([...dismissed, `${origin} ${at}`])}>
        {t('banner.dismiss')}
      </Button>
      <RefusedNote refusal={allow.refusal} />
    </div>
  );
}
