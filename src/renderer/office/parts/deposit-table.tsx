/** Closed batches and where their money is, the worst first. */
import { useTranslation } from 'react-i18next';
import type { DepositView } from '../../../contract/office-deposits.ts';
import { Button } from '../../components/button.tsx';
import { MoneyStatus, useDayText } from '../../components/money-status.tsx';
import { useFormats } from '../../messages/formats.ts';
import { DataTable } from './data-table.tsx';
import { moneyText } from './money-text.ts';
import { ShopLink } from './shop-link.tsx';
import { useNow } from './use-now.ts';

export function DepositTable({
  deposits,
  onSettle,
}: {
  deposits: DepositView[];
  /** Null: this role may not. */
  onSettle: ((deposit: DepositView) => void) | null;
}) {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (
    <DataTable
      label={t('office.deposits.batches')}
      rows={deposits}
      keyOf={({ batch_id, acquirer }) => batch_id + acquirer}
      columns={[
        {
          name: 'state',
          label: t('office.deposits.column.state'),
          width: '8.5rem',
          cell: (deposit) => (
            <>
              <MoneyStatus state={deposit.state} />
              <Age deposit={deposit} />
            </>
          ),
        },
        {
          name: 'batch',
          label: t('office.deposits.column.batch'),
          width: 'minmax(7rem, 11rem)',
          cell: (deposit) => (
            <>
              <ShopLink place={deposit} />
              <p className="calm">
                {[deposit.batch_number, dayText(deposit.closed_on)]
                  .filter((text) => text !== null)
                  .join(' · ')}
              </p>
            </>
          ),
        },
        {
          name: 'account',
          label: t('office.deposits.column.account'),
          width: 'minmax(7rem, 14rem)',
          cell: ({ acquirer, account }) => (
            <>
              {acquirer === '' ? t('money.noAcquirer') : acquirer}
              <p className="calm">{account}</p>
            </>
          ),
        },
        {
          name: 'what',
          label: t('office.deposits.column.what'),
          width: 'minmax(0, 1fr)',
          cell: (deposit) => (
            <div className="open-finding">
              <What deposit={deposit} />
              {onSettle !== null &&
                deposit.acquirer !== '' &&
                (deposit.needs_person || deposit.decided_by !== null) && (
                  <Button onClick={() => onSettle(deposit)}>
                    {t(deposit.decided_by === null ? 'office.deposits.settle' : 'office.deposits.unsettle')}
                  </Button>
                )}
            </div>
          ),
        },
      ]}
    />
  );
}

function Age({ deposit: { needs_person, since } }: { deposit: DepositView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  if (!needs_person) return null;
  return (
    <p className="calm">
      <time dateTime={since} title={formats.fullTime(since)}>
        {t('office.deposits.since', { span: formats.span(Math.max(0, now - Date.parse(since))) })}
      </time>
    </p>
  );
}

/** Those that have words of their own. */
const reasons = [
  'several-readings',
  'remark-contradicts',
  'taken-back',
  'unexplained-entries',
  'account-not-known',
  'no-acquirer',
  'no-totals',
  'fee-unknown',
  'decision-unusable',
  'clock-wrong',
] as const;

/** What should come, what came, and what a person has said of it. */
export function What({ deposit }: { deposit: DepositView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const { currency, expected_minor, arrived_minor, arrived_on, fee_minor, due_by, reason, ...rest } = deposit;
  const amount = (minor: number) => moneyText(formats, minor, currency);
  const known = reasons.find((each) => each === reason);
  return (
    <div>
      {expected_minor !== null && (
        <p data-figures>
          {t('money.expected')}: {amount(expected_minor)}
          {due_by !== null && rest.state !== 'arrived' && `, ${t('money.dueBy', { day: dayText(due_by) })}`}
        </p>
      )}
      {arrived_on !== null && arrived_minor !== null && (
        <p data-figures>
          {t('money.arrived')}: {amount(arrived_minor)} · {dayText(arrived_on)}
          {rest.banking_days_late > 0 && ` · ${t('money.daysLate', { count: rest.banking_days_late })}`}
        </p>
      )}
      {fee_minor !== null && fee_minor !== 0 && (
        <p className="calm" data-figures>
          {t('money.agreedFee')}: {amount(fee_minor)}
        </p>
      )}
      {known !== undefined && <p className="calm">{t(`money.reason.${known}`)}</p>}
      {rest.decided_by !== null && (
        <p className="calm">
          {t('money.decidedBy', { name: rest.decided_by })} {rest.decided_reason}
        </p>
      )}
    </div>
  );
}
