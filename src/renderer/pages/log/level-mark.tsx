/** A line's level: shape, colour and word. */
import { CircleDashed, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { LogLevel } from '../../../contract/console/index.ts';
import type { Tone } from '../../components/status-mark.tsx';

const shapes: Record<LogLevel, { icon: LucideIcon; tone: Tone }> = {
  debug: { icon: CircleDashed, tone: 'calm' },
  info: { icon: Info, tone: 'busy' },
  warn: { icon: TriangleAlert, tone: 'doubt' },
  error: { icon: OctagonAlert, tone: 'bad' },
};

export function LevelMark({ level, word }: { level: LogLevel; word: string }) {
  const { icon: Icon, tone } = shapes[level];
  return (
    <span className={`log-level tone-${tone}`}>
      <Icon aria-hidden="true" />
      <span>{word}</span>
    </span>
  );
}
