/** One line in the list. Its cells are rendered again only when the line itself, the search or the language changes. */
import { memo } from 'react';
import type { LogLevel, LogLine } from '../../../contract/console/index.ts';
import { Marked } from '../../components/marked.tsx';
import type { Tone } from '../../components/status-mark.tsx';
import type { Formats } from '../../messages/formats.ts';
import { hiddenMatch, lineDirection, lineFigure, lineMessage } from '../../messages/log-line.ts';

/** Texts of all rows, looked up once. */
export interface RowTexts {
  levels: Record<LogLevel, string>;
  directions: Record<'to_terminal' | 'from_terminal', string>;
  waiting: string;
  /** A field of the log's lines by name. */
  fieldName: (name: string) => string;
  sourceName: (source: string) => string;
}

/** For a screen reader, of all lines and not only of those that are drawn. */
export interface PlaceInList {
  /** From 1. */
  'aria-posinset': number;
  /** -1: nobody knows how many there are. */
  'aria-setsize': number;
}

interface RowProps {
  id: number;
  place: PlaceInList;
  /** Null: on its way. */
  line: LogLine | null;
  /** It belongs to the fold above it. */
  inside: boolean;
  selected: boolean;
  /** What is searched, lower case; null: nothing. */
  needle: string | null;
  formats: Formats;
  texts: RowTexts;
}

export function LogRow({ id, place, line, inside, selected, needle, formats, texts }: RowProps) {
  return (
    <div
      role="option"
      id={selected ? rowElementId(id) : undefined}
      className={inside ? 'log-row log-row-inside' : 'log-row'}
      aria-selected={selected}
      {...place}
      data-line={id}
    >
      {line === null ? (
        <span className="log-waiting">{texts.waiting}</span>
      ) : (
        <LineCells line={line} needle={needle} formats={formats} texts={texts} />
      )}
    </div>
  );
}

/** Only cells that have something in them: hundreds of rows pass in a second. */
const LineCells = memo(function LineCells({
  line,
  needle,
  formats,
  texts,
}: Pick<RowProps, 'needle' | 'formats' | 'texts'> & { line: LogLine }) {
  const direction = lineDirection(line);
  const message = lineMessage(line, formats);
  const figure = lineFigure(line, formats);
  const { reference } = line;
  const source = texts.sourceName(line.source);
  const hidden = needle === null ? null : hiddenMatch(line, needle, [message, reference, source, figure]);
  return (
    <>
      <time className="log-time" dateTime={line.time}>
        {formats.preciseTime(line.time)}
      </time>
      <LevelMark level={line.level} name={texts.levels[line.level]} />
      <span className="log-source">
        <Marked text={source} needle={needle} />
      </span>
      {/* Not a cell: the arrow is drawn by the style sheet and says its direction to those who do not see it. */}
      <span
        className={hidden === null ? 'log-message' : 'log-message log-message-found'}
        {...(direction === null
          ? {}
          : { 'data-direction': direction, 'data-said': texts.directions[direction] })}
      >
        <Marked text={message} needle={needle} />
        {hidden !== null && (
          <span className="log-hidden-match">
            {texts.fieldName(hidden.field)}: <Marked text={hidden.text} needle={needle} />
          </span>
        )}
      </span>
      {reference !== null && (
        <span className="log-reference">
          <Marked text={reference} needle={needle} />
        </span>
      )}
      {figure !== null && (
        <span className="log-figure">
          <Marked text={figure} needle={needle} />
        </span>
      )}
    </>
  );
});

export function rowElementId(id: number): string {
  return `log-line-${id}`;
}

const tones: Record<LogLevel, Tone> = { debug: 'calm', info: 'busy', warn: 'warn', error: 'bad' };

/** One element alone: hundreds of them pass in a second. */
export function LevelMark({ level, name }: { level: LogLevel; name: string }) {
  return <span className={`log-level log-level-${level} tone-${tones[level]}`}>{name}</span>;
}
