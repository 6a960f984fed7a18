/** Did the money of the closed batches arrive? What was found last, batch by batch, and what nothing explains. */
import { FileSpreadsheet, Landmark, OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundMoney, MoneyRequest, ResponseOf } from '../../../contract/console/index.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button, CopyButton } from '../../components/button.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { SavedNote, useSave } from '../../components/saved-note.tsx';
import { Time } from '../../components/time.tsx';
import { WithCommands } from '../../components/with-commands.tsx';
import { useMethod } from '../../store/queries.ts';
import { useRoute } from '../../store/route.ts';
import { ArrivalCharts } from './arrival-chart.tsx';
import { BatchMoneyPage } from './batch-money-page.tsx';
import { LookNow } from './look-now.tsx';
import { MoneyFilters, requestIn } from './money-filters.tsx';
import { MoneySums } from './money-sums.tsx';
import { MoneyTable } from './money-table.tsx';
import { refetchMoney } from './refetch.ts';
import { sampleRules } from './sample-rules.ts';
import { Unexplained } from './unexplained.tsx';
import './money.css';

export function MoneyPage() {
  const { id } = useRoute();
  return id === null ? <MoneyList /> : <BatchMoneyPage key={id} batchId={id} />;
}

function MoneyList() {
  const { t } = useTranslation();
  const request = requestIn(useRoute().query);
  const { data, refusal, retry } = useMethod('money', request, refetchMoney);
  return (
    <div className="money">
      <div className="page-head">
        <h1>{t('pages.money')}</h1>
        {data?.kind === 'found' && <SaveTable />}
      </div>
      {refusal !== null && <Refused refusal={refusal} retry={retry} />}
      {data !== null && (
        <div className="money-as-of">
          {data.kind === 'found' && (
            <p className="calm">
              {t('money.asOf')} <Time at={data.at} show="dateTime" />
            </p>
          )}
          {/* In one place, so that what it has said stays when there is something to show for the first time. */}
          {canLook(data) && <LookNow />}
        </div>
      )}
      {data === null ? (
        refusal === null && <Empty title={t('app.loading')} />
      ) : data.kind === 'found' ? (
        <Found money={data} request={request} />
      ) : (
        <NothingFound money={data} />
      )}
    </div>
  );
}

/** Whether there are rules to look by. */
function canLook(money: ResponseOf<'money'>): boolean {
  return money.kind === 'found'
    ? money.rules === 'same' || money.rules === 'changed'
    : money.kind === 'not_looked' || money.kind === 'unreadable';
}

function SaveTable() {
  const { t } = useTranslation();
  const file = useSave();
  return (
    <div className="report-actions">
      <Button
        icon={<FileSpreadsheet aria-hidden="true" />}
        busy={file.busy}
        onClick={() => void file.save({ kind: 'money' })}
      >
        {t('report.saveTable')}
      </Button>
      <SavedNote saved={file.saved} />
    </div>
  );
}

function Found({ money, request }: { money: FoundMoney; request: MoneyRequest }) {
  const { t } = useTranslation();
  const { rows, rowCount, days } = money;
  return (
    <>
      <RulesNote money={money} />
      <section className="card money-overview" aria-label={t('money.overview')}>
        <MoneySums money={money} />
        {days.length > 0 && <ArrivalCharts days={days} />}
      </section>
      <Unexplained money={money} />
      <section className="card money-batches" aria-labelledby="money-batches">
        <div className="page-head">
          <h2 id="money-batches">{t('money.batches')}</h2>
          <MoneyFilters money={money} request={request} />
        </div>
        <p role="status" className="calm">
          {rowCount === 0 && t(`money.nothing.${request.only}`)}
        </p>
        {rowCount > 0 && (
          <MoneyTable
            rows={rows}
            rowCount={rowCount}
            withTerminal={money.terminals.length > 1}
            withAcquirer={money.acquirers.length > 1}
          />
        )}
      </section>
    </>
  );
}

/** What was found by other rules than those that are there now may be something else by now. */
function RulesNote({ money: { rules, ruleErrors } }: { money: FoundMoney }) {
  const { t } = useTranslation();
  if (rules === 'same') return null;
  return (
    <div className={`note ${rules === 'missing' ? '' : 'note-warn'}`} role="status" data-rules={rules}>
      <p>
        <WithCommands text={t(`money.rules.${rules}`)} />
      </p>
      <RuleErrors errors={ruleErrors} />
    </div>
  );
}

function RuleErrors({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <ul className="money-errors">
      {errors.map((error) => (
        <li key={error}>
          <BridgeText text={error} />
        </li>
      ))}
    </ul>
  );
}

/** What to do first. */
function NothingFound({ money }: { money: Exclude<ResponseOf<'money'>, FoundMoney> }) {
  const { t } = useTranslation();
  const icon = <Landmark className="mark mark-large tone-calm" aria-hidden="true" />;
  const bad = <OctagonAlert className="mark mark-large tone-bad" aria-hidden="true" />;
  switch (money.kind) {
    case 'no_rules':
      return (
        <Empty icon={icon} title={t('money.noRules')}>
          <Steps texts={[t('money.noRulesText')]} />
          <p className="money-file">
            <code>{money.file}</code> <CopyButton text={money.file} what={money.file} />
          </p>
          <details className="money-sample">
            <summary>{t('money.sample')}</summary>
            <CopyButton text={sampleRules} label={t('money.copySample')} />
            <pre tabIndex={0}>{sampleRules}</pre>
          </details>
          <Steps texts={[t('money.thenRun'), t('money.docs')]} />
        </Empty>
      );
    case 'wrong_rules':
      return (
        <Empty icon={bad} title={t('money.wrongRules')}>
          <RuleErrors errors={money.ruleErrors} />
          <Steps texts={[t('money.docs')]} />
        </Empty>
      );
    case 'not_looked':
      return (
        <Empty icon={icon} title={t('money.notLooked')}>
          <Steps texts={[t('money.thenLook'), t('money.statements'), t('money.docs')]} />
        </Empty>
      );
    case 'unreadable':
      return (
        <Empty icon={bad} title={t('money.unreadable')}>
          <p>
            <BridgeText text={money.message} />
          </p>
          <Steps texts={[t('money.thenLook')]} />
        </Empty>
      );
  }
}

function Steps({ texts }: { texts: readonly string[] }): ReactNode {
  return texts.map((text) => (
    <p key={text}>
      <WithCommands text={text} />
    </p>
  ));
}
