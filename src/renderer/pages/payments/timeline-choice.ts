/** Which kinds of entries a timeline shows; kept while the window is open, because one looks at several payments. */
import { useState } from 'react';
import type { TimelineEntry } from '../../../contract/console/index.ts';

export interface TimelineChoice {
  frames: boolean;
  hex: boolean;
  logLines: boolean;
}

let kept: TimelineChoice = { frames: true, hex: true, logLines: true };

export function useTimelineChoice(): [TimelineChoice, (choice: TimelineChoice) => void] {
  const [choice, setChoice] = useState(kept);
  return [
    choice,
    (next) => {
      kept = next;
      setChoice(next);
    },
  ];
}

export function isShown(entry: TimelineEntry, { frames, logLines }: TimelineChoice): boolean {
  return (entry.kind !== 'frame' || frames) && (entry.kind !== 'log' || logLines);
}
