/** What happened to one payment, in order: as a story, or with all that was on the wire and in the log. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentDetail, TimelineEntry } from '../../../contract/console/index.ts';
import { TimelineEntryView } from './timeline-entry.tsx';
import { StoryList } from './timeline-story-list.tsx';
import { keyOf } from './timeline-places.ts';
import { storyOf } from './timeline-story.ts';
import { useTimelineView, type TimelineView } from './timeline-view.ts';
import './timeline.css';

export function Timeline({ detail: { payment, timeline, leftOut } }: { detail: PaymentDetail }) {
  const { t } = useTranslation();
  const [view, choose] = useTimelineView();
  const story = useMemo(() => storyOf(timeline), [timeline]);
  return (
    <section className="timeline" aria-label={t('timeline.title')}>
      <div className="page-head">
        <h3>{t('timeline.title')}</h3>
        <fieldset className="timeline-switch">
          <legend className="visually-hidden">{t('timeline.view')}</legend>
          {(['story', 'wire'] as const).map((each) => (
            <ViewChoice key={each} view={each} chosen={view === each} onChoose={choose} />
          ))}
        </fieldset>
      </div>
      {leftOut > 0 && <p className="note note-warn">{t('timeline.leftOut', { count: leftOut })}</p>}
      {timeline.length === 0 && <p className="calm">{t('timeline.empty')}</p>}
      {timeline.length > 0 && story.withoutFrames && <p className="calm">{t('timeline.withoutFrames')}</p>}
      {view === 'story' ? (
        <StoryList story={story} simulated={payment.simulated} />
      ) : (
        <WireList timeline={timeline} story={story} />
      )}
    </section>
  );
}

function ViewChoice({
  view,
  chosen,
  onChoose,
}: {
  view: TimelineView;
  chosen: boolean;
  onChoose: (view: TimelineView) => void;
}) {
  const { t } = useTranslation();
  return (
    <label>
      <input type="radio" name="timeline-view" checked={chosen} onChange={() => onChoose(view)} />
      <span>{t(`timeline.${view}`)}</span>
    </label>
  );
}

function WireList({
  timeline,
  story: { acknowledgements },
}: {
  timeline: readonly TimelineEntry[];
  story: ReturnType<typeof storyOf>;
}) {
  const startMs = Date.parse(timeline[0]?.at ?? '');
  const folded = new Set<TimelineEntry>([...acknowledgements.values()].map(({ frame }) => frame));
  return (
    <ol>
      {timeline
        .filter((entry) => !folded.has(entry))
        .map((entry) => (
          <li key={keyOf(entry)} className="entry" data-entry={entry.kind}>
            <TimelineEntryView entry={entry} startMs={startMs} acknowledgements={acknowledgements} />
          </li>
        ))}
    </ol>
  );
}
