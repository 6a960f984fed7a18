/** A line's level: shape (in log.css), colour and word. */
import type { LogLevel } from '../../../contract/console/index.ts';
import type { Tone } from '../../components/status-mark.tsx';

const tones: Record<LogLevel, Tone> = { debug: 'calm', info: 'busy', warn: 'warn', error: 'bad' };

/** One element alone: hundreds of them pass in a second. */
export function LevelMark({ level, name }: { level: LogLevel; name: string }) {
  return <span className={`log-level log-level-${level} tone-${tones[level]}`}>{name}</span>;
}
