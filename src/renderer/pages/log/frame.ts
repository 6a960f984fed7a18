/** One rendering for all that happens between two frames, drawn in the next one. */
import { flushSync } from 'react-dom';

const waiting = new Set<() => void>();

/** Does `work` before the next frame is drawn, with what it changes in React; the same function is done once. */
export function inNextFrame(work: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(workOff);
  waiting.add(work);
}

export function notInNextFrame(work: () => void): void {
  waiting.delete(work);
}

function workOff(): void {
  const now = [...waiting];
  waiting.clear();
  flushSync(() => {
    for (const work of now) work();
  });
}
