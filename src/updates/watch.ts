/** Asks the feed a little after the start, then once a day, and at once after settings have changed. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { UpdateSettings } from '../contract/configuration.ts';
import type { Log } from '../log/index.ts';
import { readFeed, type FeedAnswer, type FeedFetch } from './feed.ts';
import type { SeenVersions } from './seen-versions.ts';
import { compareVersions } from '../base/versions.ts';

export interface UpdateWatch {
  /** Asks from now on, as the settings say, which may change each time this is called. */
  follow(settings: UpdateSettings): void;
  /** Asks now. Never rejects. */
  check(): Promise<void>;
  stop(): void;
}

export interface WatchOptions {
  version: string;
  clock: Clock;
  log: Log;
  seen: SeenVersions;
  fetch: FeedFetch;
  platform: string;
  arch: string;
  /** Null: no feed is named, or updates are off. Also called each time before a feed of other settings is asked. */
  onSettings(settings: (UpdateSettings & { feed: string }) | null): void;
  onAnswer(answer: FeedAnswer): void;
}

/** The start has more urgent things to do. */
const firstAfterMs = 10_000;
const everyMs = 24 * 3_600_000;
/** A feed that could not be read, or was refused. */
const againAfterMs = 3_600_000;

export function createUpdateWatch(options: WatchOptions): UpdateWatch {
  const { clock, log, seen } = options;
  let settings: UpdateSettings | null = null;
  /** Of the settings that count now; what was asked with others is not heard any more. */
  let turn = 0;
  let cancel: (() => void) | null = null;
  let checking: Promise<void> | null = null;

  function plan(delayMs: number): void {
    cancel?.();
    cancel = clock.after(delayMs, () => void check());
  }

  function follow(next: UpdateSettings): void {
    if (isDeepStrictEqual(settings, next)) return;
    const isFirst = settings === null;
    settings = next;
    turn += 1;
    checking = null;
    cancel?.();
    const { feed, mode } = next;
    if (feed === null || mode === 'off') return options.onSettings(null);
    options.onSettings({ ...next, feed });
    plan(isFirst ? firstAfterMs : 0);
  }

  async function ask(): Promise<void> {
    const { feed = null, key = null, channel = 'latest', mode = 'off' } = settings ?? {};
    if (feed === null || mode === 'off') return;
    const mine = turn;
    const from = `${channel} ${key ?? ''} ${feed}`;
    const { version, platform, arch, fetch } = options;
    const answer = await readFeed({
      feed,
      key,
      channel,
      version,
      platform,
      arch,
      fetch,
      clock,
      seen: seen.of(from),
    });
    if (mine !== turn) return;
    checking = null;
    note(answer, from);
    options.onAnswer(answer);
    plan(answer.kind === 'refused' ? againAfterMs : everyMs);
  }

  function note(answer: FeedAnswer, from: string): void {
    if (answer.kind === 'current') return log.info('this is the newest version');
    if (answer.kind === 'refused') {
      return log.warn('the update feed was not trusted, or could not be read', { reason: answer.reason });
    }
    const { version } = answer.release;
    log.info('a newer version is available', { version });
    const before = seen.of(from);
    if (before === null || compareVersions(version, before) > 0) seen.add(from, version);
  }

  function check(): Promise<void> {
    return (checking ??= ask());
  }

  return {
    follow,
    check,
    stop() {
      turn += 1;
      cancel?.();
      settings = null;
    },
  };
}
