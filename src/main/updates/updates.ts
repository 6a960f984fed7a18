/**
 * Updates of the desktop app: told, fetched, and installed when nothing is on the terminal.
 *
 *     asked ──newer──► available ──person, or mode install──► downloading ──► ready ──its time, or person──► installing
 *                          ▲                                      │ refused      └──later──► ready, some hours on
 */
import type { Clock } from '../../base/clock.ts';
import type { UpdateSettings } from '../../contract/configuration.ts';
import type { Release, UpdateNews, UpdateState } from '../../contract/console/index.ts';
import type { Log } from '../../log/index.ts';
import {
  createUpdateWatch,
  nextWithinHours,
  isWithinHours,
  stepOf,
  type FeedAnswer,
  type FeedFetch,
  type FoundRelease,
  type SeenVersions,
} from '../../updates/index.ts';

/** What this installation of the app can do by itself. */
export type InstallWay =
  /** It replaces itself without a question, and can go back. */
  | 'unattended'
  /** The system asks a person. */
  | 'attended'
  /** Whatever has installed it also brings its updates. */
  | 'elsewhere';

export interface Installer {
  /** Fetches the file that fits this computer, and checks it against the list: where it is. Rejects when it is another one. */
  download(release: FoundRelease): Promise<string | null>;
  /** Called with the bridge stopped, as the last thing of this process. Throws when it cannot. */
  install(): void;
}

export interface Updates {
  /** At the start, and after each change of the settings. */
  follow(settings: UpdateSettings): void;
  /** A person wants it now, whatever the hours; or not now. */
  act(action: 'install' | 'later'): void;
  /** There is other news. */
  publish(): void;
  /** Called when the bridge has stopped and the process is about to end. */
  beforeExit(): void;
}

export interface UpdatesOptions {
  version: string;
  way: InstallWay;
  clock: Clock;
  log: Log;
  seen: SeenVersions;
  fetch: FeedFetch;
  platform: string;
  arch: string;
  /** Versions that did not come up here: they are installed only when a person says so. */
  failedBefore(): readonly string[];
  loadInstaller(feed: string): Promise<Installer>;
  isIdle(): boolean;
  /** Stops the bridge and ends the app, unless something is on the terminal by now. */
  quit(): void;
  /** Right before `file` is installed: keeps what is needed to go back. Throws when it cannot. */
  prepare(release: Release, file: string | null): void;
  /** Installing has failed: the app must run again, with what there was before. */
  onFailed(): void;
  /** What became of the last update; null: there was none. */
  news(): UpdateNews | null;
  onChange(state: UpdateState | null): void;
  /** Once for each version: somebody should know before it happens. */
  onReady(release: Release, installsAt: Date | null): void;
}

/** Between telling and installing. */
const noticeMs = 10 * 60_000;
const laterMs = 4 * 3_600_000;
const dayMs = 24 * 3_600_000;
/** A payment is on the terminal, or a dialog is open. */
const retryMs = 5_000;

export function createUpdates(options: UpdatesOptions): Updates {
  const { clock, log, way } = options;
  let settings: (UpdateSettings & { feed: string }) | null = null;
  let found: FoundRelease | null = null;
  let installer: Installer | null = null;
  /** What it has fetched. */
  let file: string | null = null;
  let state: UpdateState | null = null;
  let cancel: (() => void) | null = null;
  /** What was begun with other settings does not count any more. */
  let turn = 0;
  let notBeforeMs = 0;
  let told: string | null = null;
  let leaving = false;

  function show(step: UpdateState['step'], checkedAt = state?.checkedAt ?? null): void {
    state = { checkedAt, step };
    publish();
  }

  function publish(): void {
    const news = options.news();
    options.onChange(state === null || news === null ? state : { ...state, news });
  }

  const watch = createUpdateWatch({
    ...options,
    onSettings(next) {
      const isSameFeed =
        next !== null &&
        settings?.feed === next.feed &&
        settings.key === next.key &&
        settings.channel === next.channel;
      settings = next;
      if (isSameFeed && found !== null) return replan();
      turn += 1;
      cancel?.();
      found = null;
      installer = null;
      const isNothing = next === null && state === null;
      state = next === null ? null : { checkedAt: null, step: { kind: 'waiting' } };
      if (!isNothing) publish();
    },
    onAnswer: (answer) => void take(answer),
  });

  async function take(answer: FeedAnswer): Promise<void> {
    const checkedAt = new Date(clock.now()).toISOString();
    const isBusy = state?.step.kind === 'downloading' || state?.step.kind === 'installing';
    if (isBusy) return;
    const isKnown =
      answer.kind === 'newer' && installer !== null && found?.version === answer.release.version;
    if (isKnown) return ready();
    // What was fetched before stays good while the feed cannot be asked.
    if (answer.kind === 'refused' && installer !== null) return;
    cancel?.();
    installer = null;
    found = answer.kind === 'newer' ? answer.release : null;
    show(stepOf(answer, way === 'elsewhere'), checkedAt);
    if (found !== null && isByItself(found)) await fetchIt(false);
  }

  function isByItself({ version }: Release): boolean {
    return settings?.mode === 'install' && way !== 'elsewhere' && !options.failedBefore().includes(version);
  }

  async function fetchIt(thenInstall: boolean): Promise<void> {
    if (found === null || settings === null || way === 'elsewhere') return;
    const mine = turn;
    const release = found;
    show({ kind: 'downloading', release: shown(release) });
    try {
      const loaded = await options.loadInstaller(settings.feed);
      const fetched = await loaded.download(release);
      if (mine !== turn) return;
      installer = loaded;
      file = fetched;
    } catch (error) {
      log.error('a new version could not be fetched, or its file is not the one of the list', {
        version: release.version,
        err: error,
      });
      if (mine === turn) show({ kind: 'refused', reason: 'wrong_file', version: release.version });
      return;
    }
    log.info('a new version was fetched', { version: release.version });
    if (thenInstall) attempt(true);
    else ready();
  }

  /** It waits for its time, or for a person. */
  function ready(): void {
    if (found === null || settings === null) return;
    cancel?.();
    const now = clock.now();
    const at =
      way === 'unattended' && isByItself(found)
        ? nextWithinHours(settings.hours, new Date(Math.max(now + noticeMs, notBeforeMs)))
        : null;
    show({ kind: 'ready', release: shown(found), installsAt: at?.toISOString() ?? null });
    if (at !== null) cancel = clock.after(at.getTime() - now, () => attempt(false));
    if (told !== found.version) options.onReady(shown(found), at);
    told = found.version;
  }

  /** Hours or mode have changed. */
  function replan(): void {
    if (state?.step.kind === 'ready') ready();
    else if (state?.step.kind === 'available' && found !== null && isByItself(found)) void fetchIt(false);
  }

  function attempt(byPerson: boolean): void {
    if (found === null || installer === null || settings === null) return;
    cancel?.();
    if (!byPerson && !isWithinHours(settings.hours, new Date(clock.now()))) return ready();
    cancel = clock.after(retryMs, () => attempt(byPerson));
    show({ kind: 'installing', release: shown(found) });
    if (!options.isIdle()) return;
    leaving = true;
    options.quit();
  }

  /** Where there are hours, to the next day's. */
  function postpone(): void {
    const planned = state?.step.kind === 'ready' ? state.step.installsAt : null;
    const fromMs = planned === null ? clock.now() : Date.parse(planned);
    notBeforeMs = fromMs + ((settings?.hours ?? null) === null ? laterMs : dayMs);
    leaving = false;
  }

  return {
    follow: watch.follow,
    publish,
    act(action) {
      if (action === 'later') {
        postpone();
        if (installer !== null) ready();
      } else if (installer !== null) attempt(true);
      else if (state?.step.kind === 'available') void fetchIt(true);
    },
    beforeExit() {
      cancel?.();
      watch.stop();
      if (!leaving || installer === null || found === null) return;
      try {
        options.prepare(shown(found), file);
        installer.install();
      } catch (error) {
        log.error('the new version could not be installed', { err: error });
        options.onFailed();
      }
    },
  };
}

const shown = ({ version, notes }: Release): Release => ({ version, notes });
