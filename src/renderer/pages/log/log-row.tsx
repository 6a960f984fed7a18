/** One line in the list. Rendered again only when the line itself, the choice or the language changes. */
import { memo } from 'react';
import type { LogLevel, LogLine } from '../../../contract/console/index.ts';
import type { Formats } from '../../messages/formats.ts';
import type { Tone } from '../../components/status-mark.tsx';

type LevelNames = Record<LogLevel, string>;

export const LogRow = memo(function LogRow({
  id,
  line,
  selected,
  formats,
  levelNames,
  waiting,
}: {
  id: number;
  /** Null: on its way. */
  line: LogLine | null;
  selected: boolean;
  formats: Formats;
  levelNames: LevelNames;
  waiting: string;
}) {
  return (
    <div
      role="option"
      id={selected ? rowElementId(id) : undefined}
      className="log-row"
      aria-selected={selected}
      data-line={id}
    >
      {line === null ? (
        <span className="log-waiting">{waiting}</span>
      ) : (
        <>
          <time className="log-time" dateTime={line.time}>
            {formats.preciseTime(line.time)}
          </time>
          <LevelMark level={line.level} name={levelNames[line.level]} />
          <span className="log-source">{line.source}</span>
          <span className="log-message">{line.message}</span>
        </>
      )}
    </div>
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
