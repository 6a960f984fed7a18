/** For a bridge that installs nothing by itself: what is known of a newer version, for its console and its log. */
import type { UpdateState } from '../contract/console/index.ts';
import type { FeedAnswer } from './feed.ts';
import type { UpdateSettings } from '../contract/configuration.ts';
import { createUpdateWatch, type WatchOptions } from './watch.ts';

export interface UpdateNotice {
  /** Null: nothing is asked. */
  state(): UpdateState | null;
  follow(settings: UpdateSettings): void;
  stop(): void;
}

type NoticeOptions = Omit<WatchOptions, 'onSettings' | 'onAnswer'> & {
  onChange(): void;
};

export function createUpdateNotice({ onChange, ...options }: NoticeOptions): UpdateNotice {
  let state: UpdateState | null = null;
  const show = (next: UpdateState | null) => {
    state = next;
    onChange();
  };
  const watch = createUpdateWatch({
    ...options,
    onSettings(settings) {
      if (settings !== null || state !== null)
        show(settings === null ? null : { checkedAt: null, step: { kind: 'waiting' } });
    },
    onAnswer: (answer) =>
      show({ checkedAt: new Date(options.clock.now()).toISOString(), step: stepOf(answer, true) }),
  });
  return { state: () => state, follow: watch.follow, stop: watch.stop };
}

/** What an answer of the feed means while nothing is done with it. */
export function stepOf(answer: FeedAnswer, byHand: boolean): UpdateState['step'] {
  if (answer.kind === 'current') return { kind: 'current' };
  if (answer.kind === 'refused') return { kind: 'refused', reason: answer.reason, version: null };
  const { version, notes } = answer.release;
  return { kind: 'available', release: { version, notes }, byHand };
}
