/**
 * Windows asks each window whether its session may end. While an operation is on the terminal the answer is no, and a person
 * sees why: Windows lists what holds it up by the titles of windows, and only lets a visible one do so. What cannot be held
 * up (a critical end, "shut down anyway") is followed by `session-end` at once; with nothing on the terminal nothing is lost
 * then, however soon the process ends.
 */
import type { Log } from '../log/index.ts';
import type { Translate } from '../locales/index.ts';
import type { AppBridge } from './app-bridge.ts';

export function createSessionEnd(options: {
  bridge: Pick<AppBridge, 'onTerminals' | 'console'>;
  /** The window comes to the front. */
  show(): void;
  setTitle(title: string): void;
  t(): Translate;
  /** By a notification. */
  tell(title: string, text: string): void;
  log: Log;
}) {
  const { bridge, t, log } = options;
  let held = false;

  function release(): void {
    held = false;
    options.setTitle('Tillbridge');
    options.tell(t()('sessionEnd.over'), t()('sessionEnd.overText'));
  }

  return {
    /** True holds the end up. */
    query(): boolean {
      const operations = bridge.onTerminals();
      if (operations.length === 0) return false;
      for (const { kind } of operations)
        log.warn('the end of the session is held up: an operation is on the terminal', { kind });
      options.show();
      options.setTitle(t()('sessionEnd.title'));
      if (held) return true;
      held = true;
      const unsubscribe = bridge.console.subscribe((change) => {
        if (change.kind !== 'state' || bridge.onTerminals().length > 0) return;
        unsubscribe();
        release();
      });
      return true;
    },
  };
}
