import { Archive, CircleCheck, FileText, LoaderCircle, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchView } from '../../../contract/console/index.ts';
import type { BatchResult } from '../../../contract/journal-events.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { href } from '../../store/route.ts';
import { useFormats } from '../../messages/formats.ts';
import { schemeName } from '../../messages/scheme-name.ts';
import { ResolveDialog } from '../../components/decisions/resolve-dialog.tsx';
import { BridgeText } from '../../components/bridge-text.tsx';

const shapes = {
  closed: { icon: Archive, tone: 'good' },
  not_closed: { icon: OctagonAlert, tone: 'bad' },
  running: { icon: LoaderCircle, tone: 'busy', turns: true },
  in_doubt: { icon: TriangleAlert, tone: 'warn' },
} as const;
type BatchState = keyof typeof shapes;

/** One close of the day: how it ended, and whether terminal and journal agree. `whole`: on its report, with all of it. */
export function BatchCard({ batch, whole = false }: { batch: BatchView; whole?: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { doubts } = useConsoleState();
  const { result, expected, currency } = batch;
  // Stays while its dialog is open, also when it is decided meanwhile: the dialog says so.
  const [resolving, setResolving] = useState(false);
  const inDoubt = doubts.some(({ operationId }) => operationId === batch.operationId);
  const state = stateOf(batch, inDoubt);
  return (
    <article className="card batch" data-batch={state}>
      <header className="page-head">
        <div>
          <h3>
            {result === null ? t('batches.noNumber') : t('batches.number', { number: result.batchNumber })}
          </h3>
          <p className="calm">
            <Time at={batch.endedAt ?? batch.startedAt} show="dateTime" />
          </p>
        </div>
        <span className={`status tone-${shapes[state].tone}`}>
          <Mark shape={shapes[state]} />
          <span>{t(`batches.state.${state}`)}</span>
        </span>
        {inDoubt && (
          <Button look="primary" onClick={() => setResolving(true)}>
            {t('batches.resolve')}
          </Button>
        )}
      </header>
      <dl className="batch-sums">
        {result !== null && (
          <div>
            <dt>{t('batches.terminal')}</dt>
            <dd>
              <strong>
                {result.totalMinor === null ? '–' : formats.money(result.totalMinor, result.currency)}
              </strong>{' '}
              {result.count !== null && (
                <span className="calm">{t('batches.payments', { count: result.count })}</span>
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>{result === null ? t('batches.expected') : t('batches.journal')}</dt>
          <dd>
            <strong>{formats.money(expected.totalMinor, currency)}</strong>{' '}
            <span className="calm">{t('batches.payments', { count: expected.count })}</span>
          </dd>
        </div>
      </dl>
      {result !== null && <Comparison result={result} whole={whole} />}
      {batch.reason !== '' && (
        <p className="calm">
          <BridgeText text={batch.reason} />
        </p>
      )}
      {!whole && (
        <a
          className="button button-quiet batch-report"
          href={href('batches', batch.operationId, undefined, 'report')}
        >
          <FileText aria-hidden="true" />
          <span>{t('batches.report')}</span>
        </a>
      )}
      {resolving && <ResolveDialog operationId={batch.operationId} onClose={() => setResolving(false)} />}
    </article>
  );
}

function stateOf({ phase, outcome }: BatchView, inDoubt: boolean): BatchState {
  if (inDoubt || phase === 'in_doubt') return 'in_doubt';
  if (outcome === null) return 'running';
  return outcome;
}

function Comparison({ result, whole }: { result: BatchResult; whole: boolean }) {
  const { t } = useTranslation();
  const { reconciled, differences } = result;
  return (
    <>
      {reconciled ? (
        <p className="status tone-good">
          <Mark shape={{ icon: CircleCheck, tone: 'good' }} />
          <span>{t('batches.reconciled')}</span>
        </p>
      ) : (
        <p className="status tone-warn">
          <Mark shape={{ icon: TriangleAlert, tone: 'warn' }} />
          <span>{t(differences.length === 0 ? 'batches.notCompared' : 'batches.notReconciled')}</span>
        </p>
      )}
      {differences.length > 0 && <DifferenceTable result={result} />}
      {result.totals.length > 0 && (
        <details open={whole}>
          <summary>{t('batches.totals')}</summary>
          <TotalsTable result={result} />
        </details>
      )}
    </>
  );
}

/** Where terminal and journal differ, scheme by scheme. */
function DifferenceTable({ result: { differences, currency } }: { result: BatchResult }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <div className="batch-scroll" tabIndex={0} role="group" aria-label={t('batches.differences')}>
      <table>
        <caption>{t('batches.differences')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('batches.scheme')}</th>
            <th scope="col">{t('batches.terminalCount')}</th>
            <th scope="col">{t('batches.journalCount')}</th>
            <th scope="col">{t('batches.terminalTotal')}</th>
            <th scope="col">{t('batches.journalTotal')}</th>
            <th scope="col">{t('batches.difference')}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <tr key={difference.scheme}>
              <th scope="row">{schemeName(difference.scheme, t)}</th>
              <td>{difference.terminalCount === null ? '–' : formats.number(difference.terminalCount)}</td>
              <td>{formats.number(difference.journalCount)}</td>
              <td>{formats.money(difference.terminalTotalMinor, currency)}</td>
              <td>{formats.money(difference.journalTotalMinor, currency)}</td>
              <td className="tone-warn">
                {formats.money(difference.terminalTotalMinor - difference.journalTotalMinor, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the terminal counted, scheme by scheme. */
function TotalsTable({ result: { totals, currency } }: { result: BatchResult }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <table aria-label={t('batches.totals')}>
      <thead>
        <tr>
          <th scope="col">{t('batches.scheme')}</th>
          <th scope="col">{t('batches.count')}</th>
          <th scope="col">{t('batches.total')}</th>
        </tr>
      </thead>
      <tbody>
        {totals.map(({ scheme, count, totalMinor }) => (
          <tr key={scheme}>
            <th scope="row">{schemeName(scheme, t)}</th>
            <td>{formats.number(count)}</td>
            <td>{formats.money(totalMinor, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
