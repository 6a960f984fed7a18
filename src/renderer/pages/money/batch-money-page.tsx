/** One batch: what should come in and what did, the evidence, what was ruled out and why, and what people have decided. */
import { ArrowLeft, FileText, Gavel, Link2, Link2Off } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  MoneyDecision,
  MoneyEntry,
  MoneyOfBatch,
  MoneyPartOfBatch,
} from '../../../contract/console/index.ts';
import { MoneyStatus, useDayText } from '../../components/money-status.tsx';
import { Button } from '../../components/button.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { ReportTable } from '../../components/report/report-table.tsx';
import { OnTerminal } from '../../components/terminal-choice/index.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { schemeName } from '../../messages/scheme-name.ts';
import { useMethod } from '../../store/queries.ts';
import { href } from '../../store/route.ts';
import { LookNow } from './look-now.tsx';
import { MatchEntries, type Wish } from './match-entries.tsx';
import { refetchMoney } from './refetch.ts';
import { daysBetween, feeOf } from './money-words.tsx';
import { EntryText } from './unexplained.tsx';
import '../../components/decisions/decisions.css';

export function BatchMoneyPage({ batchId }: { batchId: string }) {
  const { t } = useTranslation();
  const { data, refusal, retry } = useMethod('moneyOfBatch', { batchId }, refetchMoney);
  const shown = data?.batch.id === batchId ? data : null;
  return (
    <div className="money">
      <nav aria-label={t('report.way')}>
        <a className="button button-quiet page-back" href={href('money')}>
          <ArrowLeft aria-hidden="true" />
          <span>{t('pages.money')}</span>
        </a>
      </nav>
      {shown === null ? (
        refusal === null ? (
          <Empty title={t('app.loading')} />
        ) : (
          <Refused refusal={refusal} retry={retry} />
        )
      ) : (
        <Shown money={shown} />
      )}
    </div>
  );
}

function Shown({ money }: { money: MoneyOfBatch }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [wish, setWish] = useState<Wish | null>(null);
  const { at, batch, parts, decisions } = money;
  return (
    <>
      <header className="page-head">
        <div>
          <h1>
            {batch.number === null ? t('batches.noNumber') : t('batches.number', { number: batch.number })}
          </h1>
          <p className="calm">
            {t('money.closedAt')} <Time at={batch.closedAt} show="dateTime" /> ·{' '}
            {formats.money(batch.totalMinor, batch.currency)}
            {batch.count !== null && ` · ${t('batches.payments', { count: batch.count })}`}
          </p>
          <OnTerminal name={batch.terminal} />
        </div>
        <a className="button button-plain" href={href('batches', batch.id, undefined, 'report')}>
          <FileText aria-hidden="true" />
          <span>{t('money.batchReport')}</span>
        </a>
      </header>
      {parts.map((part) => (
        <Part key={part.acquirer ?? ''} part={part} money={money} onWish={setWish} />
      ))}
      {decisions.length > 0 && (
        <section className="card money-part" aria-labelledby="money-decisions">
          <h2 id="money-decisions">{t('money.decisions')}</h2>
          {decisions.map((decision, index) => (
            // Two may have been made at the same moment.
            <Decision
              key={index}
              decision={decision}
              money={money}
              isNew={Date.parse(decision.at) > Date.parse(at)}
            />
          ))}
        </section>
      )}
      <div className="money-as-of">
        <p className="calm">
          {t('money.asOf')} <Time at={at} show="dateTime" />
        </p>
        <LookNow />
      </div>
      {wish !== null && <MatchEntries wish={wish} money={money} onClose={() => setWish(null)} />}
    </>
  );
}

function Part({
  part,
  money,
  onWish,
}: {
  part: MoneyPartOfBatch;
  money: MoneyOfBatch;
  onWish: (wish: Wish) => void;
}) {
  const { t } = useTranslation();
  const { acquirer, schemes, match, possible, ruledOut } = part;
  const { entries } = money;
  const find = (ids: readonly string[]) =>
    ids.flatMap((id): MoneyEntry[] => entries.filter((entry) => entry.id === id));
  const name = acquirer ?? t('money.noAcquirer');
  const schemeNames = schemes?.map((scheme) => schemeName(scheme, t)).join(', ');
  return (
    <section className="card money-part" aria-label={name} data-part={part.state}>
      <header className="page-head">
        <h2>
          {schemeNames === undefined ? name : t('money.schemesOf', { acquirer: name, schemes: schemeNames })}
        </h2>
        <MoneyStatus state={part.state} />
      </header>
      <Meaning part={part} currency={money.batch.currency} />
      <Figures part={part} money={money} />
      {match !== null && <EntryTable title={t('money.itsMoney')} entries={find(match.entryIds)} />}
      {match !== null && match.batchIds.length > 1 && <Companions money={money} ids={match.batchIds} />}
      {possible.length > 0 && (
        <EntryTable
          title={t('money.possible')}
          entries={find(possible)}
          action={
            acquirer === null
              ? undefined
              : (entry, label) => (
                  <Button
                    look="quiet"
                    icon={<Link2 aria-hidden="true" />}
                    aria-description={label}
                    onClick={() => onWish({ kind: 'match', part, entryId: entry.id })}
                  >
                    {t('money.match')}
                  </Button>
                )
          }
        />
      )}
      {ruledOut.length > 0 && (
        <details>
          <summary>{t('money.ruledOutTitle', { count: ruledOut.length })}</summary>
          <EntryTable
            title={t('money.ruledOutTitle', { count: ruledOut.length })}
            hidden
            entries={find(ruledOut.map(({ entryId }) => entryId))}
            why={(entry) =>
              ruledOut
                .filter(({ entryId }) => entryId === entry.id)
                .map((one) => t(`money.ruledOut.${one.why}`))
                .join(', ')
            }
          />
        </details>
      )}
      {acquirer !== null && (
        <div className="resolve-actions">
          {match !== null && match.entryIds.length > 0 && (
            <Button
              icon={<Link2Off aria-hidden="true" />}
              onClick={() => onWish({ kind: 'unmatch', part, entryId: null })}
            >
              {t('money.unmatch')}
            </Button>
          )}
          <Button
            look={part.needsPerson ? 'primary' : 'plain'}
            icon={<Link2 aria-hidden="true" />}
            onClick={() => onWish({ kind: 'match', part, entryId: null })}
          >
            {t('money.matchEntries')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** What the state says, and what it rests on. */
function Meaning({ part, currency }: { part: MoneyPartOfBatch; currency: MoneyEntry['currency'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const { state, match, reason, dueBy, needsPerson } = part;
  // Of all that came together: whose share is missing, nobody can tell.
  const difference =
    match === null ? '' : formats.money(Math.abs(match.arrivedMinor - match.expectedMinor), currency);
  const day = dueBy === null ? '–' : dayText(dueBy);
  return (
    <div className={`note ${needsPerson ? 'note-warn' : ''}`} data-needs-person={needsPerson}>
      <p>
        <strong>
          {reason !== null
            ? t(`money.reason.${reason}`)
            : t(`money.meaning.${state}`, { day, amount: difference })}
        </strong>
      </p>
      {match !== null && match.decision === null && <p>{t(`money.evidence.${match.evidence}`)}</p>}
      {match?.decision != null && (
        <p>
          {t('money.decidedBy', { name: match.decision.by })}{' '}
          {t('decision.reason', { reason: match.decision.reason })}
        </p>
      )}
      {needsPerson && <p>{t(`money.next.${state === 'unclear' ? 'unclear' : 'wrong'}`)}</p>}
    </div>
  );
}

function Figures({ part, money: { batch } }: { part: MoneyPartOfBatch; money: MoneyOfBatch }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const { grossMinor, feeMinor, expectedMinor, arrivedMinor, match, closedOn, expectedOn, dueBy } = part;
  const money = (minor: number | null) => (minor === null ? '–' : formats.money(minor, batch.currency));
  const { agreed, taken, apart } = feeOf(part, arrivedMinor);
  const days = match?.arrivedOn == null || closedOn === null ? null : daysBetween(closedOn, match.arrivedOn);
  const figures: [label: string, value: ReactNode, more?: string | null][] = [
    [t('money.gross'), money(grossMinor)],
    [t('money.agreedFee'), money(feeMinor), agreed === null ? null : formats.rate(agreed)],
    [
      t('money.expected'),
      money(expectedMinor),
      expectedOn === null ? null : t('money.usually', { day: dayText(expectedOn) }),
    ],
    [
      t('money.arrived'),
      money(arrivedMinor),
      match?.arrivedOn == null
        ? dueBy === null
          ? null
          : t('money.dueBy', { day: dayText(dueBy) })
        : dayText(match.arrivedOn),
    ],
    [t('money.takenFee'), apart ? t('money.apart') : taken === null ? '–' : formats.rate(taken)],
    [
      t('money.days'),
      days === null ? '–' : formats.number(days),
      match !== null && match.bankingDaysLate > 0
        ? t('money.daysLate', { count: match.bankingDaysLate })
        : null,
    ],
    [t('money.certainty.title'), match === null ? '–' : t(`money.certainty.${match.certainty}`)],
  ];
  return (
    <dl className="decision-fields">
      {figures.map(([label, value, more = null]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {more !== null && <span className="money-below calm">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function EntryTable({
  title,
  hidden = false,
  entries,
  why,
  action,
}: {
  title: string;
  /** Something above it says the title already. */
  hidden?: boolean;
  entries: readonly MoneyEntry[];
  why?: (entry: MoneyEntry) => string;
  action?: ((entry: MoneyEntry, label: string) => ReactNode) | undefined;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  if (entries.length === 0) return null;
  return (
    <div className="money-entries">
      {!hidden && <h3>{title}</h3>}
      <ReportTable
        label={title}
        columns={[
          { label: t('money.day') },
          { label: t('money.remark'), prose: true },
          ...(why === undefined ? [] : [{ label: t('report.why') }]),
          { label: t('report.amount'), figures: true as const },
          ...(action === undefined ? [] : [{ label: t('money.action') }]),
        ]}
        rows={entries.map((entry) => {
          const day = dayText(entry.date);
          const amount = formats.money(entry.amountMinor, entry.currency);
          return {
            key: entry.id,
            cells: [
              day,
              <EntryText key="text" entry={entry} />,
              ...(why === undefined ? [] : [why(entry)]),
              amount,
              ...(action === undefined ? [] : [action(entry, `${day}, ${amount}`)]),
            ],
          };
        })}
      />
    </div>
  );
}

/** The batches that came in together with it. */
function Companions({ money: { batch, companions }, ids }: { money: MoneyOfBatch; ids: readonly string[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const others = companions.filter(({ id }) => id !== batch.id && ids.includes(id));
  return (
    <p>
      {t('money.togetherWith')}{' '}
      {others.map(({ id, number, closedAt }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={href('money', id)}>
            {number === null ? formats.shortDay(new Date(closedAt)) : t('batches.number', { number })}
          </a>
        </span>
      ))}
    </p>
  );
}

function Decision({
  decision: { kind, by, at, reason, entryIds, acquirer },
  money: { entries },
  isNew,
}: {
  decision: MoneyDecision;
  money: MoneyOfBatch;
  /** The money was not looked for since. */
  isNew: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const named = entryIds.map((id) => {
    const entry = entries.find((one) => one.id === id);
    return entry === undefined
      ? id
      : `${dayText(entry.date)}, ${formats.money(entry.amountMinor, entry.currency)}`;
  });
  return (
    <div className="note manual-decision" data-decision={kind}>
      <Gavel aria-hidden="true" />
      <div>
        <p>
          <strong>{t(`money.said.${kind}`, { name: by, acquirer })}</strong>{' '}
          <span className="calm">
            <Time at={at} show="dateTime" />
          </span>
        </p>
        <p>{named.join('; ')}</p>
        <p>{t('decision.reason', { reason })}</p>
        {isNew && <p className="tone-warn">{t('money.countsLater')}</p>}
      </div>
    </div>
  );
}
