/** One entry of the timeline as journal, log or line have it. */
import { ArrowLeft, ArrowRight, BookText, EllipsisVertical, Scale, ScrollText, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineEntry } from '../../../contract/console/index.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { DiscrepancyText, EventText } from '../../components/event-text.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { lineFieldName, sourceName } from '../../messages/log-line.ts';
import type { Acknowledgement, FrameEntry } from './timeline-acknowledgements.ts';
import { FrameView } from './timeline-frame.tsx';
import { LogLink } from './timeline-log-link.tsx';

type EntryOf<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

export function TimelineEntryView({
  entry,
  startMs,
  acknowledgements,
}: {
  entry: TimelineEntry;
  startMs: number;
  acknowledgements: Map<FrameEntry, Acknowledgement>;
}) {
  return (
    <>
      <EntryTime at={entry.at} startMs={startMs} />
      <span className="entry-icon">
        <EntryIcon entry={entry} />
      </span>
      <div className="entry-body">
        {entry.kind === 'frame' ? (
          <FrameView entry={entry} acknowledgement={acknowledgements.get(entry) ?? null} />
        ) : (
          <EntryText entry={entry} />
        )}
      </div>
    </>
  );
}

function EntryTime({ at, startMs }: { at: string; startMs: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sinceMs = Date.parse(at) - startMs;
  const duration = formats.duration(sinceMs);
  return (
    <p className="entry-time">
      <Time at={at} show="preciseTime" />
      {sinceMs >= 0 && (
        <span className="calm" title={t('timeline.sinceStart', { duration })}>
          +{duration}
        </span>
      )}
    </p>
  );
}

function EntryIcon({ entry }: { entry: TimelineEntry }): ReactNode {
  switch (entry.kind) {
    case 'journal_event':
      return <BookText className="tone-good" aria-hidden="true" />;
    case 'discrepancy':
      return <Scale className="tone-warn" aria-hidden="true" />;
    case 'pos_request':
    case 'pos':
      return <Store className="tone-busy" aria-hidden="true" />;
    case 'frame':
      return entry.direction === 'to_terminal' ? (
        <ArrowRight className="tone-busy" aria-hidden="true" />
      ) : (
        <ArrowLeft className="tone-warn" aria-hidden="true" />
      );
    case 'log':
      return <ScrollText className="tone-calm" aria-hidden="true" />;
    case 'left_out':
      return <EllipsisVertical className="tone-calm" aria-hidden="true" />;
  }
}

function EntryText({ entry }: { entry: Exclude<TimelineEntry, FrameEntry> }): ReactNode {
  const { t } = useTranslation();
  switch (entry.kind) {
    case 'journal_event':
      return <EventText event={entry.stored.event} />;
    case 'discrepancy':
      return <DiscrepancyText entry={entry} />;
    case 'pos_request':
      return <PosRequestText entry={entry} />;
    case 'pos':
      return <PosText entry={entry} />;
    case 'log':
      return <LogText entry={entry} />;
    case 'left_out':
      return <p className="calm">{t('timeline.leftOutHere', { count: entry.count })}</p>;
  }
}

function PosRequestText({ entry: { command, requestId, body } }: { entry: EntryOf<'pos_request'> }) {
  const { t } = useTranslation();
  return (
    <div>
      <p className="entry-title">{t('timeline.posCalled', { command })}</p>
      <p className="calm">{t('timeline.posRequest', { requestId })}</p>
      <PosBody body={body} />
    </div>
  );
}

/** Word for word, so that support need not guess what the POS sent, or was told. */
function PosBody({ body }: { body: string | undefined }) {
  return body === undefined ? null : <p className="mono pos-body">{body}</p>;
}

function PosText({ entry }: { entry: EntryOf<'pos'> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { command, httpStatus, durationMs, requestId, body } = entry;
  const refused = httpStatus >= 400;
  return (
    <div>
      <p className={refused ? 'entry-title tone-bad' : 'entry-title'}>
        {t(refused ? 'timeline.posRefused' : 'timeline.posResponded', { command })}
      </p>
      <p className="calm">
        {t('timeline.posDetails', {
          status: httpStatus,
          duration: formats.duration(durationMs),
          requestId,
        })}
        {' · '}
        <LogLink id={entry.logLineId} />
      </p>
      <PosBody body={body} />
    </div>
  );
}

function LogText({ entry: { line } }: { entry: EntryOf<'log'> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const fields = Object.entries(line.fields);
  return (
    <div>
      <p>
        <span className="calm">
          {line.level === 'info' ? '' : `${t(`log.level.${line.level}`)} · `}
          {sourceName(line.source, t)}:
        </span>{' '}
        <BridgeText text={line.message} />
        {' · '}
        <LogLink id={line.id} />
      </p>
      {fields.length > 0 && (
        <p className="calm log-fields">
          {fields
            .map(([name, value]) => `${lineFieldName(name, t)}: ${formats.sentence(asText(value))}`)
            .join(' · ')}
        </p>
      )}
    </div>
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
