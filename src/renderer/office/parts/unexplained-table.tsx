/** Entries of accounts that are nobody's money, as far as can be told, or by a person's word. */
import { useTranslation } from 'react-i18next';
import type { DepositEntryView } from '../../../contract/office-deposits.ts';
import { Button } from '../../components/button.tsx';
import { useDayText } from '../../components/money-status.tsx';
import { useFormats } from '../../messages/formats.ts';
import { DataTable } from './data-table.tsx';
import { moneyText } from './money-text.ts';
import { useNow } from './use-now.ts';

export function UnexplainedTable({
  entries,
  onSettle,
}: {
  entries: DepositEntryView[];
  /** Null: this role may not. */
  onSettle: ((entry: DepositEntryView) => void) | null;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  return (
    <DataTable
      label={t('office.deposits.unexplained')}
      rows={entries}
      keyOf={({ merchant, entry_id }) => merchant + entry_id}
      columns={[
        {
          name: 'stands',
          label: t('office.open.column.stands'),
          width: '8.5rem',
          cell: ({ since }) => (
            <time dateTime={since} title={formats.fullTime(since)}>
              {formats.span(Math.max(0, now - Date.parse(since)))}
            </time>
          ),
        },
        {
          name: 'account',
          label: t('office.deposits.column.account'),
          width: 'minmax(7rem, 14rem)',
          cell: ({ account, merchant }) => (
            <>
              {account}
              <p className="calm">{merchant}</p>
            </>
          ),
        },
        {
          name: 'what',
          label: t('office.deposits.column.what'),
          width: 'minmax(0, 1fr)',
          cell: (entry) => (
            <div className="open-finding">
              <EntryText entry={entry} />
              {onSettle !== null && (
                <Button onClick={() => onSettle(entry)}>
                  {t(entry.settled_by === null ? 'office.deposits.settle' : 'office.deposits.unsettle')}
                </Button>
              )}
            </div>
          ),
        },
      ]}
    />
  );
}

export function EntryText({ entry }: { entry: DepositEntryView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const { amount_minor, currency, booked_on, remark, sender } = entry;
  return (
    <div>
      <p data-figures>
        <strong>{moneyText(formats, amount_minor, currency)}</strong> · {dayText(booked_on)}
      </p>
      <p className="calm">{[remark, sender].filter((text) => text !== '').join(' · ')}</p>
      {entry.settled_by !== null && (
        <p className="calm">
          {t('money.decidedBy', { name: entry.settled_by })} {entry.settled_reason}
        </p>
      )}
    </div>
  );
}
