/** All that a line says: its fields, a frame's bytes, and the way to its payment. */
import { Clock, CreditCard, X } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogLine } from '../../../contract/console/index.ts';
import { Button, CopyButton } from '../../components/button.tsx';
import { Refused, RefusedNote } from '../../components/notices.tsx';
import { useAction, useMethod } from '../../store/queries.ts';
import { goTo } from '../../store/route.ts';
import { useFormats } from '../../messages/formats.ts';
import { fieldName, fieldValue } from '../../messages/frame.ts';
import { lineDirection, lineFieldName, lineMessage, pairsOf, sourceName } from '../../messages/log-line.ts';
import { LevelMark } from './log-row.tsx';
import { around, queryOf } from './log-address.ts';
import { wholeLog, type LogView } from './log-view.ts';

export function LogLineDetails({ view, id, onClose }: { view: LogView; id: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <aside
      className="log-details"
      aria-label={t('log.details')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header className="log-details-head">
        <h2>{t('log.lineNumber', { number: String(id) })}</h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label={t('app.close')}>
          <X aria-hidden="true" />
        </button>
      </header>
      <Content key={id} view={view} id={id} />
    </aside>
  );
}

/** The line as the list has it; a line that a filter hides is fetched. */
function Content({ view, id }: { view: LogView; id: number }) {
  useSyncExternalStore(view.subscribe, view.version);
  const row = view.rowOf(id);
  const found = row === null ? null : view.lineAt(row);
  // It stays when a filter hides it: what it says is the same.
  const [kept, setKept] = useState(found);
  if (found !== null && found !== kept) setKept(found);
  const line = found ?? kept;
  return line === null ? <FetchedLine id={id} /> : <Line line={line} />;
}

function FetchedLine({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, refusal, retry } = useMethod('log', { filter: wholeLog, before: id + 1, limit: 1 });
  const line = data?.lines[0];
  if (line?.id === id) return <Line line={line} />;
  if (refusal !== null) return <Refused refusal={refusal} retry={retry} />;
  return (
    <p className="calm">{data === null ? t('app.loading') : t('log.lineGone', { number: String(id) })}</p>
  );
}

function Line({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const direction = lineDirection(line);
  const { hex, fields, ...rest } = line.fields;
  const frame = typeof hex === 'string' ? hex : null;
  const fieldPairs = frame === null ? [] : pairsOf(fields);
  const shown = frame === null ? line.fields : fieldPairs.length === 0 ? { ...rest, fields: fields } : rest;
  // What stands above already is not said twice.
  const others = Object.entries(shown).filter(([name]) => name !== 'direction' && name !== 'reference');
  const plain = others.filter(([, value]) => value !== null && typeof value !== 'object' && value !== '');
  const nested = others.filter(([, value]) => value !== null && typeof value === 'object');
  return (
    <>
      <p className="log-details-message">{lineMessage(line, formats)}</p>
      <dl className="log-facts">
        <dt>{t('log.time')}</dt>
        <dd>
          <time dateTime={line.time}>{formats.fullTime(line.time)}</time>
        </dd>
        <dt>{t('log.levelLabel')}</dt>
        <dd>
          <LevelMark level={line.level} name={t(`log.level.${line.level}`)} />
        </dd>
        <dt>{t('log.source')}</dt>
        <dd>{sourceName(line.source, t)}</dd>
        {direction !== null && (
          <Field
            name={t('log.direction')}
            value={t(direction === 'to_terminal' ? 'log.toTerminal' : 'log.fromTerminal')}
          />
        )}
        {line.reference !== null && <Field name={t('log.reference')} value={line.reference} />}
        {fieldPairs.map((pair) => (
          <Field
            key={pair[0]}
            name={fieldName(pair[0], formats)}
            value={fieldValue(pair, fieldPairs, formats)}
          />
        ))}
        {plain.map(([name, value]) => (
          <Field key={name} name={lineFieldName(name, t)} value={formats.sentence(String(value))} />
        ))}
      </dl>
      {frame !== null && (
        <section>
          <h3>{t('log.bytes')}</h3>
          <pre className="log-hex" role="group" aria-label={t('log.bytes')} tabIndex={0}>
            {frame}
          </pre>
        </section>
      )}
      {nested.length > 0 && (
        <section>
          <h3>{t('log.fields')}</h3>
          <pre className="log-fields" role="group" aria-label={t('log.fields')} tabIndex={0}>
            {JSON.stringify(Object.fromEntries(nested), null, 2)}
          </pre>
        </section>
      )}
      <div className="toolbar">
        <JumpToPayment line={line} />
        <Button
          icon={<Clock aria-hidden="true" />}
          onClick={() =>
            goTo('log', undefined, {
              ...queryOf({ ...wholeLog, ...around(line.time) }),
              line: String(line.id),
            })
          }
        >
          {t('log.around')}
        </Button>
        <CopyButton text={JSON.stringify(line, null, 2)} />
      </div>
    </>
  );
}

function Field({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/**
 * A sale's operation is known by the payment's own number. Of any other operation (a void, a batch) there may be no
 * payment of that number; then the reference finds it, if the line has one.
 */
function JumpToPayment({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const payment = useAction('payment');
  const { operationId } = line;
  const reference = line.reference === '' ? null : line.reference;
  if (operationId === null && reference === null) return null;
  const jump = async () => {
    const found = operationId === null ? null : await payment.run({ transactionId: operationId });
    if (found !== null) goTo('payments', found.payment.transactionId);
    else if (reference !== null) goTo('payments', undefined, { text: reference });
  };
  return (
    <>
      <Button icon={<CreditCard aria-hidden="true" />} busy={payment.busy} onClick={() => void jump()}>
        {t('log.jump')}
      </Button>
      {reference === null && <RefusedNote refusal={payment.refusal} />}
    </>
  );
}
