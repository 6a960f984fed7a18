/** Money of the acquirers that is no batch's, as far as can be told: each can be matched by a person. */
import { CircleHelp, Link2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundMoney, MoneyEntry } from '../../../contract/console/index.ts';
import { useDayText } from '../../components/money-status.tsx';
import { Button } from '../../components/button.tsx';
import { LeftOut } from '../../components/report/report-frame.tsx';
import { ReportTable } from '../../components/report/report-table.tsx';
import { useFormats } from '../../messages/formats.ts';
import { MatchBatches } from './match-batches.tsx';
import { DecidedSince, useBatchNames } from './money-words.tsx';

/** The batches below it are not to be out of sight. */
const shownFirst = 5;

export function Unexplained({ money: { unexplained, unexplainedCount } }: { money: FoundMoney }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const namesOf = useBatchNames();
  const [matching, setMatching] = useState<MoneyEntry | null>(null);
  const [all, setAll] = useState(false);
  if (unexplainedCount === 0) return null;
  const shown = all ? unexplained : unexplained.slice(0, shownFirst);
  const title = t('money.unexplained', { count: unexplainedCount });
  return (
    <section className="card money-unexplained" aria-labelledby="money-unexplained">
      <div>
        <h2 id="money-unexplained" className="status tone-warn">
          <CircleHelp aria-hidden="true" />
          <span>{title}</span>
        </h2>
        <p className="calm">{t('money.unexplainedText', { count: unexplainedCount })}</p>
      </div>
      <ReportTable
        label={title}
        columns={[
          { label: t('money.day') },
          { label: t('money.remark'), prose: true },
          { label: t('report.amount'), figures: true },
          { label: t('money.action') },
        ]}
        rows={shown.map((entry) => ({
          key: entry.id,
          cells: [
            dayText(entry.date),
            <Fragment key="text">
              <EntryText entry={entry} />
              {entry.decidedSince ? (
                <DecidedSince />
              ) : (
                entry.possibleFor.length > 0 && (
                  <span className="money-below">
                    {t('money.perhaps', { batches: namesOf(entry.possibleFor) })}
                  </span>
                )
              )}
            </Fragment>,
            formats.money(entry.amountMinor, entry.currency),
            <Button
              key="match"
              look="quiet"
              icon={<Link2 aria-hidden="true" />}
              aria-description={`${dayText(entry.date)}, ${formats.money(entry.amountMinor, entry.currency)}`}
              onClick={() => setMatching(entry)}
            >
              {t('money.match')}
            </Button>,
          ],
        }))}
      />
      {shown.length < unexplained.length ? (
        <Button onClick={() => setAll(true)}>{t('app.more')}</Button>
      ) : (
        <LeftOut count={unexplainedCount} shown={unexplained.length} />
      )}
      {matching !== null && <MatchBatches entry={matching} onClose={() => setMatching(null)} />}
    </section>
  );
}

/** What the account says of an entry. */
export function EntryText({ entry: { remark, sender } }: { entry: MoneyEntry }) {
  return (
    <>
      {remark === '' ? '–' : remark}
      {sender !== '' && <span className="money-below calm">{sender}</span>}
    </>
  );
}
