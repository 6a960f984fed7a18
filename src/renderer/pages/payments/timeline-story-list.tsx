/** The steps of the story, each with what it is made of one click away. */
import { ChevronDown, Clock3, EllipsisVertical, Hourglass, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineEntry } from '../../../contract/console/index.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { TimelineEntryView } from './timeline-entry.tsx';
import { StepIcon, StepText } from './timeline-step.tsx';
import { keyOf, type StoryStep } from './timeline-places.ts';
import type { Story, StoryRow } from './timeline-story.ts';

/** `simulated`: the payment is the simulator's, whose display speaks the window's language. */
export function StoryList({ story, simulated }: { story: Story; simulated: boolean }) {
  return (
    <ol className="story">
      {story.rows.map((row) => (
        <li
          key={row.key}
          className="entry"
          data-row={row.row}
          data-step={row.row === 'step' ? row.kind : undefined}
        >
          {row.row === 'step' ? (
            <Step step={row} story={story} simulated={simulated} />
          ) : (
            <Between row={row} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Step({
  step,
  story: { acknowledgements },
  simulated,
}: {
  step: StoryStep;
  story: Story;
  simulated: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const titleId = useId();
  const warnings = step.entries.filter(needsEyes).length;
  const more = [
    t('timeline.entries', { count: step.entries.length }),
    ...(warnings > 0 ? [t('timeline.warnings', { count: warnings })] : []),
  ].join(' · ');
  const sinceText = (ms: number) => (ms < 120_000 ? formats.duration(ms) : formats.span(ms));
  return (
    <>
      <p className="entry-time">
        <Time at={step.at} show="time" />
        {step.sinceMs !== null && <span className="calm">+{sinceText(step.sinceMs)}</span>}
      </p>
      <span className="entry-icon">
        <StepIcon step={step} />
      </span>
      <div className="entry-body">
        <div className="step-head">
          <StepText step={step} titleId={titleId} acknowledgements={acknowledgements} simulated={simulated} />
          <button
            type="button"
            className="step-more"
            aria-expanded={open}
            aria-label={more}
            aria-describedby={titleId}
            onClick={() => setOpen(!open)}
          >
            {warnings > 0 && <TriangleAlert className="tone-warn" aria-hidden="true" />}
            <span className="step-count">{formats.number(step.entries.length)}</span>
            <span className="step-count-words">{more}</span>
            <ChevronDown aria-hidden="true" />
          </button>
        </div>
        {open && <StepEntries entries={step.entries} at={step.at} acknowledgements={acknowledgements} />}
      </div>
    </>
  );
}

/** All that a step tells of, as it stands in journal and log. */
function StepEntries({
  entries,
  at,
  acknowledgements,
}: {
  entries: readonly TimelineEntry[];
  at: string;
  acknowledgements: Story['acknowledgements'];
}) {
  const folded = new Set<TimelineEntry>([...acknowledgements.values()].map(({ frame }) => frame));
  return (
    <ol className="step-entries">
      {entries
        .filter((entry) => !folded.has(entry))
        .map((entry) => (
          <li key={keyOf(entry)} className="entry" data-entry={entry.kind}>
            <TimelineEntryView entry={entry} startMs={Date.parse(at)} acknowledgements={acknowledgements} />
          </li>
        ))}
    </ol>
  );
}

function needsEyes(entry: TimelineEntry): boolean {
  return entry.kind === 'log' && (entry.line.level === 'warn' || entry.line.level === 'error');
}

function Between({ row }: { row: Exclude<StoryRow, StoryStep> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const Icon = row.row === 'gap' ? Hourglass : row.row === 'clock' ? Clock3 : EllipsisVertical;
  const text =
    row.row === 'gap'
      ? t(`timeline.gap.${row.waiting}`, { duration: formats.span(row.ms) })
      : row.row === 'clock'
        ? t('timeline.clockBack', { duration: formats.span(row.ms) })
        : t('timeline.leftOutHere', { count: row.count });
  return (
    <>
      <span className="entry-time" />
      <span className="entry-icon">
        <Icon className="tone-warn" aria-hidden="true" />
      </span>
      <p className="entry-body story-between">{text}</p>
    </>
  );
}
