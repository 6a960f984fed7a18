/** The alarms that stand, the oldest first: since when, where, what it is, and who was told of it. */
import { useTranslation } from 'react-i18next';
import type { AlarmView, ToldView } from '../../../contract/office-alarms.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { DataTable } from './data-table.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { ShopLink } from './shop-link.tsx';
import { useNow } from './use-now.ts';

export function AlarmTable({ alarms }: { alarms: AlarmView[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('office.alarms.standing')}
      rows={alarms}
      keyOf={({ alarm_id }) => alarm_id}
      columns={[
        {
          name: 'stands',
          label: t('office.alarms.column.stands'),
          width: '6rem',
          cell: (alarm) => <Stands alarm={alarm} />,
        },
        {
          name: 'shop',
          label: t('office.alarms.column.shop'),
          width: 'minmax(7rem, 12rem)',
          cell: (alarm) => <ShopLink place={alarm} />,
        },
        {
          name: 'what',
          label: t('office.alarms.column.what'),
          width: 'minmax(0, 1fr)',
          cell: (alarm) => <What alarm={alarm} />,
        },
        {
          name: 'told',
          label: t('office.alarms.column.told'),
          width: 'minmax(9rem, 15rem)',
          cell: ({ told }) =>
            told.length === 0 ? (
              <span className="calm">{t('office.alarms.nobodyTold')}</span>
            ) : (
              <ul className="alarm-told">
                {told.map((one) => (
                  <li key={one.receiver}>
                    <Told told={one} />
                  </li>
                ))}
              </ul>
            ),
        },
      ]}
    />
  );
}

function Stands({ alarm: { since, times } }: { alarm: AlarmView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  return (
    <>
      <time dateTime={since} title={formats.fullTime(since)}>
        {formats.span(Math.max(0, now - Date.parse(since)))}
      </time>
      {times > 1 && <p className="calm">{t('office.alarms.times', { count: times })}</p>}
    </>
  );
}

/** Those that have words of their own. */
const watched = ['doubt', 'silent', 'discrepancy', 'journal', 'journal_lag', 'deposit'] as const;

function What({ alarm: { rule, watch, message, simulated } }: { alarm: AlarmView }) {
  const { t } = useTranslation();
  const known = watched.find((each) => each === watch);
  return (
    <>
      <p>
        <strong>{known === undefined ? rule : t(`office.alarms.watch.${known}`)}</strong>{' '}
        {simulated && <span className="calm">· {t('terminal.simulator')}</span>}
      </p>
      <p>
        <BridgeText text={message} />
      </p>
      {known !== undefined && <p className="calm">{t('office.alarms.rule', { name: rule })}</p>}
    </>
  );
}

function Told({ told: { receiver, told_at, delivery } }: { told: ToldView }) {
  return (
    <>
      <DeliveryStatus state={delivery} name={receiver} />
      <p className="calm">
        <Time at={told_at} show="dateTime" />
      </p>
    </>
  );
}
