/** The row of lines that belong together: whose they are, when they came, how many, and how bad the worst is. */
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../messages/formats.ts';
import { lineFigure } from '../../messages/log-line.ts';
import type { Fold } from './log-view.ts';
import { LevelMark, rowElementId, type PlaceInList, type RowTexts } from './log-row.tsx';

interface FoldProps {
  fold: Fold;
  formats: Formats;
  texts: RowTexts;
}

export function FoldRow({
  place,
  selected,
  ...props
}: FoldProps & { place: PlaceInList; selected: boolean }) {
  const { id, open } = props.fold;
  return (
    <div
      role="option"
      id={selected ? rowElementId(id) : undefined}
      className="log-row log-fold"
      aria-selected={selected}
      {...place}
      data-line={id}
      data-open={open}
    >
      <FoldCells {...props} />
    </div>
  );
}

const FoldCells = memo(function FoldCells({ fold, formats, texts }: FoldProps) {
  const { t } = useTranslation();
  const { lines, level } = fold;
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  const figure = fold.amountLine === null ? null : lineFigure(fold.amountLine, formats);
  const tookMs = Date.parse(last.time) - Date.parse(first.time);
  return (
    <>
      <time className="log-time" dateTime={first.time}>
        {formats.preciseTime(first.time)}
      </time>
      <LevelMark level={level} name={texts.levels[level]} />
      <span className="log-fold-name" data-said={t(fold.open ? 'log.fold.open' : 'log.fold.closed')}>
        {fold.kind === 'payment'
          ? (first.reference ?? t('log.fold.operation'))
          : t('log.fold.heartbeats', { count: fold.heartbeats, number: formats.number(fold.heartbeats) })}
      </span>
      <span className="log-fold-facts">
        {fold.kind === 'payment'
          ? t('log.fold.payment', {
              count: lines.length,
              number: formats.number(lines.length),
              duration: formats.duration(tookMs),
            })
          : t('log.fold.until', { time: formats.preciseTime(last.time) })}
      </span>
      {figure !== null && <span className="log-figure">{figure}</span>}
    </>
  );
});
