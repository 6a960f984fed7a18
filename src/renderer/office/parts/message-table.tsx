/** Messages to receivers: to whom, when, what they tell of, and what was answered. */
import { useTranslation } from 'react-i18next';
import type { AlarmMessageView } from '../../../contract/office-alarms.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Time } from '../../components/time.tsx';
import { DataTable } from './data-table.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

export function MessageTable({ label, messages }: { label: string; messages: AlarmMessageView[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={label}
      rows={messages}
      keyOf={({ message_id }) => message_id}
      columns={[
        {
          name: 'time',
          label: t('office.alarms.column.time'),
          width: '11.5rem',
          cell: ({ made_at, ended_at }) => <Time at={ended_at ?? made_at} show="dateTime" />,
        },
        {
          name: 'receiver',
          label: t('office.alarms.column.receiver'),
          width: 'minmax(7rem, 13rem)',
          cell: ({ receiver, state }) => <DeliveryStatus state={state} name={receiver} />,
        },
        {
          name: 'about',
          label: t('office.alarms.column.about'),
          width: 'minmax(7rem, 1fr)',
          cell: (message) => <About message={message} />,
        },
        {
          name: 'answer',
          label: t('office.alarms.column.answer'),
          width: 'minmax(7rem, 1fr)',
          cell: ({ answer, attempts }) => (
            <>
              {answer !== null && (
                <p className="calm">
                  <BridgeText text={answer} />
                </p>
              )}
              {attempts > 1 && <p className="calm">{t('office.alarms.attempts', { count: attempts })}</p>}
            </>
          ),
        },
      ]}
    />
  );
}

const kinds = ['raised', 'raised_again', 'cleared'] as const;
/** The names of more are no help. */
const maxNamed = 3;

function About({ message: { counts, shops } }: { message: AlarmMessageView }) {
  const { t } = useTranslation();
  const parts = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`office.alarms.news.${kind}`, { count: counts[kind] }));
  return (
    <>
      <p>{parts.join(', ')}</p>
      <p className="calm">
        {shops.slice(0, maxNamed).join(' · ')}
        {shops.length > maxNamed && ' · …'}
      </p>
    </>
  );
}
