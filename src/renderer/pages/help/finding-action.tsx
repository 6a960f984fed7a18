/** What can be done about a finding right here: one thing. */
import { CreditCard, ScrollText, Settings } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiagnosisFinding, DiagnosisFindingName } from '../../../contract/console/index.ts';
import { Button, CopyButton } from '../../components/button.tsx';
import { OpenItemsDialog } from '../../components/decisions/open-items-dialog.tsx';
import { ListenerSwitch } from '../../components/listener.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { useAction } from '../../store/queries.ts';
import { href, type PageName } from '../../store/route.ts';

type Kind = 'settings' | 'choose' | 'log' | 'open_items' | 'listener' | 'allow' | 'address' | 'command';

/** Without one, the sentence says what to do, and "Check again" stands above. */
const actions: Partial<Record<DiagnosisFindingName, Kind>> = {
  bridge_first_start: 'choose',
  bridge_failed: 'settings',
  settings_left_out: 'settings',
  money_in_doubt: 'open_items',
  money_held: 'open_items',
  money_held_elsewhere: 'open_items',
  money_discrepancy: 'open_items',
  address_none: 'settings',
  cable_swapped: 'settings',
  cable_elsewhere: 'settings',
  host_silent: 'settings',
  host_name_unknown: 'settings',
  permission_group: 'command',
  registration_refused: 'settings',
  listener_off: 'listener',
  listener_port_held: 'settings',
  listener_port_taken: 'settings',
  listener_port_tillbridge: 'settings',
  listener_port_user: 'settings',
  listener_failed: 'settings',
  pos_refused: 'log',
  pos_no_http: 'log',
  pos_never: 'address',
  origin_refused: 'allow',
  token_refused: 'settings',
  token_damaged: 'settings',
  journal_not_written: 'log',
  journal_damaged: 'log',
};

export function FindingAction({ finding }: { finding: DiagnosisFinding }) {
  const { t } = useTranslation();
  const { values, command } = finding;
  switch (actions[finding.finding]) {
    case undefined:
      return null;
    case 'settings':
      return (
        <PageLink page="settings" icon={<Settings aria-hidden="true" />}>
          {t('diagnosis.action.settings')}
        </PageLink>
      );
    case 'choose':
      return (
        <PageLink page="till" icon={<CreditCard aria-hidden="true" />}>
          {t('diagnosis.action.choose')}
        </PageLink>
      );
    case 'log':
      return (
        <PageLink page="log" icon={<ScrollText aria-hidden="true" />}>
          {t('diagnosis.action.log')}
        </PageLink>
      );
    case 'open_items':
      return <OpenItems />;
    case 'listener':
      return (
        <div className="diagnosis-action">
          <ListenerSwitch />
        </div>
      );
    case 'allow':
      return <Allow origin={String(values['origin'] ?? '')} />;
    case 'address':
      return <Copied text={String(values['address'] ?? '')} label={t('diagnosis.action.copyAddress')} />;
    case 'command':
      return command === null ? null : <Copied text={command} label={t('diagnosis.action.copyCommand')} />;
  }
}

function PageLink({ page, icon, children }: { page: PageName; icon: ReactNode; children: ReactNode }) {
  return (
    <div className="diagnosis-action">
      <a className="button button-plain" href={href(page)}>
        {icon}
        <span>{children}</span>
      </a>
    </div>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <div className="diagnosis-action diagnosis-copied">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

function OpenItems() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <div className="diagnosis-action">
      <Button look="primary" onClick={() => setOpen(true)}>
        {t('diagnosis.action.resolve')}
      </Button>
      {open && <OpenItemsDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

function Allow({ origin }: { origin: string }) {
  const { t } = useTranslation();
  const allow = useAction('allowOrigin');
  return (
    <div className="diagnosis-action">
      <Button busy={allow.busy} onClick={() => void allow.run({ origin })}>
        {t('diagnosis.action.allow', { origin })}
      </Button>
      <RefusedNote refusal={allow.refusal} />
    </div>
  );
}
