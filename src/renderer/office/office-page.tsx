/** The frame of the head office's page: who is signed in and the way to each view, or the way in. */
import {
  BellRing,
  ClipboardCheck,
  GitCommitHorizontal,
  Landmark,
  KeyRound,
  LayoutGrid,
  LogOut,
  Search,
  ShieldCheck,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { mayActAs, type Role } from '../../contract/office-page.ts';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/notices.tsx';
import { WithCommands } from '../components/with-commands.tsx';
import { useKeptFocus, useSearchKey } from '../shell/window-behaviour.ts';
import { OfficeProvider, useOffice, useSignIn, type SignInState } from './session.tsx';
import { officeHref, useOfficeRoute, viewNames, type ViewName } from './route.ts';
import { AlarmsView } from './views/alarms-view.tsx';
import { AuditView } from './views/audit-view.tsx';
import { DecisionsView } from './views/decisions-view.tsx';
import { DepositsView } from './views/deposits-view.tsx';
import { OpenView } from './views/open-view.tsx';
import { OverviewView } from './views/overview-view.tsx';
import { PaymentView } from './views/payment-view.tsx';
import { SearchView } from './views/search-view.tsx';
import { ShopView } from './views/shop-view.tsx';
import { VersionsView } from './views/versions-view.tsx';

const views: Record<ViewName, () => React.JSX.Element> = {
  overview: OverviewView,
  search: SearchView,
  open: OpenView,
  alarms: AlarmsView,
  deposits: DepositsView,
  decisions: DecisionsView,
  versions: VersionsView,
  audit: AuditView,
};

const icons: Record<ViewName, LucideIcon> = {
  overview: LayoutGrid,
  search: Search,
  open: TriangleAlert,
  alarms: BellRing,
  deposits: Landmark,
  decisions: ClipboardCheck,
  versions: GitCommitHorizontal,
  audit: ShieldCheck,
};

const neededRole: Partial<Record<ViewName, Role>> = { audit: 'manager' };

export function OfficePage({ link }: { link: string | null }) {
  const { t } = useTranslation();
  const [state, onOut] = useSignIn(link);
  if (state.kind === 'asking') return <Empty title={t('app.loading')} />;
  if (state.kind === 'unreachable') return <Empty title={t('office.refusal.not_connected')} />;
  if (state.kind === 'out') return <SignIn state={state} />;
  return (
    <OfficeProvider session={state.session} onOut={onOut}>
      <SignedInPage />
    </OfficeProvider>
  );
}

function SignIn({ state: { why, ways } }: { state: Extract<SignInState, { kind: 'out' }> }) {
  const { t } = useTranslation();
  const title = `${t('office.signIn.title')} – ${t('office.title')}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className="shut-out">
      <Empty
        icon={<KeyRound className="mark mark-large" aria-hidden="true" />}
        title={t(`office.signIn.${why}`)}
        action={
          ways.provider && (
            <a className="button button-primary" href="sign-in">
              {t('office.signIn.provider')}
            </a>
          )
        }
      >
        <WithCommands text={t('office.signIn.next')} />
      </Empty>
    </main>
  );
}

function SignedInPage() {
  const { t } = useTranslation();
  const { view, id } = useOfficeRoute();
  const { session, live } = useOffice();
  useSearchKey();
  useKeptFocus();
  const title = `${t(`office.page.${view}`)} – ${t('office.title')} – ${t('app.name')}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const View = views[view];
  return (
    <div className="frame">
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // The address behind `#` is the view's; this link only moves the focus.
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        {t('app.skip')}
      </a>
      <OfficeHeader />
      <div className="banners" aria-live="polite">
        {!live && (
          <div className="banner banner-warn">
            <TriangleAlert aria-hidden="true" />
            <span>
              <strong>{t('office.connection.lost')}.</strong> {t('office.connection.lostMore')}
            </span>
          </div>
        )}
      </div>
      <nav className="navigation" aria-label={t('app.navigation')}>
        {viewNames
          .filter((name) => mayActAs(session.role, neededRole[name] ?? 'support'))
          .map((name) => {
            const Icon = icons[name];
            return (
              <a key={name} href={officeHref(name)} aria-current={name === view ? 'page' : undefined}>
                <Icon aria-hidden="true" />
                <span>{t(`office.page.${name}`)}</span>
              </a>
            );
          })}
      </nav>
      <main className="content" id="content" tabIndex={-1}>
        {view === 'overview' && id !== null ? (
          <ShopView key={id} shopId={id} />
        ) : view === 'search' && id !== null ? (
          <PaymentView key={id} paymentId={id} />
        ) : (
          <View />
        )}
      </main>
    </div>
  );
}

function OfficeHeader() {
  const { t } = useTranslation();
  const { session, signOut } = useOffice();
  return (
    <header className="header office-header">
      <strong>
        {t('app.name')} · {t('office.title')}
      </strong>
      <span className="calm office-person">
        {t('office.signedInAs', { name: session.name, role: t(`office.role.${session.role}`) })}
      </span>
      <Button look="quiet" icon={<LogOut aria-hidden="true" />} onClick={() => void signOut()}>
        {t('office.signOut')}
      </Button>
    </header>
  );
}
