/** What happened to one payment, in order: POS, journal, line and log. */
import { ArrowLeft, ArrowRight, BookText, Scale, ScrollText, Store } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentDetail, TimelineEntry } from '../../../contract/console/index.ts';
import { Time } from '../../components/time.tsx';
import { href } from '../../store/route.ts';
import { useFormats } from '../../messages/formats.ts';
import { DiscrepancyText, EventText } from '../../components/event-text.tsx';
import './timeline.css';
import { BridgeText } from '../../components/bridge-text.tsx';

type EntryOf<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

export function Timeline({ detail: { timeline, leftOut } }: { detail: PaymentDetail }) {
  const { t } = useTranslation();
  const [choice, choose] = useTimelineChoice();
  const startMs = Date.parse(timeline[0]?.at ?? '');
  const shown = timeline.filter((entry) => isShown(entry, choice));
  const hidden = timeline.length - shown.length;
  return (
    <section className="timeline" aria-label={t('timeline.title')}>
      <div className="page-head">
        <h3>{t('timeline.title')}</h3>
        <div className="timeline-choice">
          <Choice name="frames" choice={choice} onChange={choose} />
          <Choice name="hex" choice={choice} onChange={choose} />
          <Choice name="logLines" choice={choice} onChange={choose} />
        </div>
      </div>
      {leftOut > 0 && <p className="note note-warn">{t('timeline.leftOut', { count: leftOut })}</p>}
      {timeline.length === 0 && <p className="calm">{t('timeline.empty')}</p>}
      <ol>
        {shown.map((entry) => (
          <li key={keyOf(entry, timeline.indexOf(entry))} className="entry" data-entry={entry.kind}>
            <Entry entry={entry} startMs={startMs} hex={choice.hex} />
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className="calm">{t('timeline.hidden', { count: hidden })}</p>}
    </section>
  );
}

/** Events and lines have numbers of their own; the same entry stays the same when more come. */
function keyOf(entry: TimelineEntry, index: number): string {
  if (entry.kind === 'journal_event') return `event-${entry.stored.seq}`;
  if (entry.kind === 'discrepancy') return `${entry.step}-${entry.discrepancy.discrepancyId}`;
  return `${entry.kind}-${entry.kind === 'log' ? entry.line.id : entry.logLineId}-${index}`;
}

function Choice({
  name,
  choice,
  onChange,
}: {
  name: keyof TimelineChoice;
  choice: TimelineChoice;
  onChange: (choice: TimelineChoice) => void;
}) {
  const { t } = useTranslation();
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={choice[name]}
        disabled={name === 'hex' && !choice.frames}
        onChange={({ target }) => onChange({ ...choice, [name]: target.checked })}
      />
      <span>{t(`timeline.${name}`)}</span>
    </label>
  );
}

function Entry({ entry, startMs, hex }: { entry: TimelineEntry; startMs: number; hex: boolean }) {
  switch (entry.kind) {
    case 'journal_event':
      return (
        <Line at={entry.at} startMs={startMs} icon={<BookText className="tone-good" aria-hidden="true" />}>
          <EventText event={entry.stored.event} />
        </Line>
      );
    case 'discrepancy':
      return (
        <Line at={entry.at} startMs={startMs} icon={<Scale className="tone-warn" aria-hidden="true" />}>
          <DiscrepancyText entry={entry} />
        </Line>
      );
    case 'pos_request':
      return (
        <Line at={entry.at} startMs={startMs} icon={<Store className="tone-busy" aria-hidden="true" />}>
          <PosRequestText entry={entry} />
        </Line>
      );
    case 'pos':
      return (
        <Line at={entry.at} startMs={startMs} icon={<Store className="tone-busy" aria-hidden="true" />}>
          <PosText entry={entry} />
        </Line>
      );
    case 'frame':
      return (
        <Line at={entry.at} startMs={startMs} icon={<FrameArrow direction={entry.direction} />}>
          <FrameText entry={entry} />
          {hex && <FrameHex entry={entry} />}
        </Line>
      );
    case 'log':
      return (
        <Line at={entry.at} startMs={startMs} icon={<ScrollText className="tone-calm" aria-hidden="true" />}>
          <LogText entry={entry} />
        </Line>
      );
  }
}

function Line({
  at,
  startMs,
  icon,
  children,
}: {
  at: string;
  startMs: number;
  icon: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const duration = formats.duration(Math.max(0, Date.parse(at) - startMs));
  return (
    <>
      <p className="entry-time">
        <Time at={at} show="preciseTime" />
        <span className="calm" title={t('timeline.sinceStart', { duration })}>
          +{duration}
        </span>
      </p>
      <span className="entry-icon">{icon}</span>
      <div className="entry-body">{children}</div>
    </>
  );
}

function PosRequestText({ entry }: { entry: EntryOf<'pos_request'> }) {
  const { t } = useTranslation();
  const { command, requestId } = entry;
  return (
    <div>
      <p className="entry-title">{t('timeline.posCalled', { command })}</p>
      <p className="calm">{t('timeline.posRequest', { requestId })}</p>
    </div>
  );
}

function PosText({ entry }: { entry: EntryOf<'pos'> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { command, httpStatus, durationMs, requestId } = entry;
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
    </div>
  );
}

function FrameArrow({ direction }: { direction: EntryOf<'frame'>['direction'] }) {
  return direction === 'to_terminal' ? (
    <ArrowRight className="tone-busy" aria-hidden="true" />
  ) : (
    <ArrowLeft className="tone-warn" aria-hidden="true" />
  );
}

function FrameText({ entry }: { entry: EntryOf<'frame'> }) {
  const { t } = useTranslation();
  const { direction, name, control, fields } = entry;
  return (
    <div>
      <p className="entry-title">
        <span className="calm">
          {t(direction === 'to_terminal' ? 'timeline.toTerminal' : 'timeline.fromTerminal')}:
        </span>{' '}
        <BridgeText text={name} /> <span className="mono calm">{control}</span>
      </p>
      {fields.length > 0 && (
        <dl className="frame-fields">
          {fields.map(([field, value], index) => (
            // A list such as the lines of a receipt repeats its name.
            <div key={`${index}-${field}`}>
              <dt>
                <BridgeText text={field} />
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function FrameHex({ entry: { hex, lengthBytes } }: { entry: EntryOf<'frame'> }) {
  const { t } = useTranslation();
  return (
    <div className="frame-hex">
      {hex === null ? <p className="calm">{t('timeline.notReadable')}</p> : <code>{hex}</code>}
      <p className="calm">{t('timeline.bytes', { count: lengthBytes })}</p>
    </div>
  );
}

function LogText({ entry: { line } }: { entry: EntryOf<'log'> }) {
  const { t } = useTranslation();
  const fields = Object.entries(line.fields);
  return (
    <div>
      <p>
        <span className="calm">
          {line.level === 'info' ? '' : `${t(`log.level.${line.level}`)} · `}
          {line.source}:
        </span>{' '}
        <span lang="en">{line.message}</span>
        {' · '}
        <LogLink id={line.id} />
      </p>
      {fields.length > 0 && (
        <p className="mono calm log-fields">
          {fields.map(([name, value]) => `${name}=${asText(value)}`).join('  ')}
        </p>
      )}
    </div>
  );
}

function LogLink({ id }: { id: number }) {
  const { t } = useTranslation();
  return (
    <a className="log-link" href={href('log', undefined, { line: String(id) })}>
      {t('timeline.logLine', { id })}
    </a>
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Which kinds of entries are shown; kept while the window is open, because one looks at several payments. */
interface TimelineChoice {
  frames: boolean;
  hex: boolean;
  logLines: boolean;
}

let kept: TimelineChoice = { frames: true, hex: true, logLines: true };

function useTimelineChoice(): [TimelineChoice, (choice: TimelineChoice) => void] {
  const [choice, setChoice] = useState(kept);
  return [
    choice,
    (next) => {
      kept = next;
      setChoice(next);
    },
  ];
}

function isShown(entry: TimelineEntry, { frames, logLines }: TimelineChoice): boolean {
  return (entry.kind !== 'frame' || frames) && (entry.kind !== 'log' || logLines);
}
