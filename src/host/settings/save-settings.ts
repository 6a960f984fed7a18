/** Saving settings of the console, and what follows from it: some need another bridge, others count at once. */
import { isDeepStrictEqual } from 'node:util';
import type { JournalReading } from '../../bridge/bridge.ts';
import { JournalWriteError } from '../../bridge/journal/index.ts';
import type { Log } from '../../log/index.ts';
import {
  configurationSchema,
  needRestart,
  settings as everySetting,
  type Configuration,
} from '../../contract/configuration.ts';
import { valueAt } from '../../contract/dotted-keys.ts';
import type { AppSettings, ConsoleResult, Settings, SettingsView } from '../../contract/console/index.ts';
import type { BridgeSupervisor, RunningBridge } from '../bridge-supervisor.ts';
import { journalLocation, repairCommand } from '../data-folder.ts';
import { done, refused } from '../methods/context.ts';
import type { ConsoleSettings } from './console-settings.ts';

export interface SettingsSaver {
  /**
   * Refuses what is fixed or wrong, with `terminal_busy` while an operation runs if another bridge is needed, and with
   * `payment_unresolved` to leave a real terminal for the simulator while something is in doubt, or with
   * `journal_unavailable` while nobody can tell. Saved settings stay, even if a bridge cannot start with them: the state
   * has the reason, and a person corrects them.
   */
  save(wanted: Settings): Promise<ConsoleResult<SettingsView>>;
  allowOrigin(origin: string): Promise<ConsoleResult<SettingsView>>;
}

export interface SaverParts {
  settings: ConsoleSettings;
  supervisor: BridgeSupervisor;
  log: Log;
  settingsView(): SettingsView;
  /** Ends the bridge that runs, if one does, and starts one with `configuration`. */
  restart(configuration: Configuration): Promise<void>;
  onSaved(app: AppSettings): void;
  onChange(view: SettingsView): void;
}

/** Its calls must take their turn. */
export function createSettingsSaver(parts: SaverParts): SettingsSaver {
  const { settings, supervisor, log, settingsView } = parts;

  async function save(wanted: Settings): Promise<ConsoleResult<SettingsView>> {
    const plan = await settings.plan(wanted);
    if (!plan.ok) return plan;
    const { next, configuration } = plan;
    const { running } = supervisor;
    const restart =
      configuration !== null &&
      (running === null || needRestart(changedKeys(running.configuration, configuration)));
    if (restart && supervisor.operationRuns())
      return refused(
        'terminal_busy',
        'An operation is running on the terminal. Save again when it has ended.',
      );
    if (restart && running !== null && leavesReal(running, configuration)) {
      const { terminals } = running.bridge;
      if (terminals.some(({ payments }) => payments.operationsInDoubt().length > 0))
        return refused(
          'payment_unresolved',
          'On the real terminal something is in doubt, and the simulator has a journal of its own. Decide it first.',
        );
      // Nothing is told to be in doubt there, either.
      const unreadable = terminals.find(({ journal }) => !canBeRead(journal));
      if (unreadable !== undefined) {
        const { dataDir } = running.configuration;
        const command = repairCommand(journalLocation(dataDir, false, unreadable.name));
        return refused(
          'journal_unavailable',
          `The journal of the real terminal cannot be read, so nobody can tell what is in doubt there. Stop the bridge and repair the journal first, with "${command}".`,
        );
      }
    }
    const saved = settings.store.save(next);
    if (!saved.ok) return refused('settings_not_saved', saved.message);
    log.info('settings were saved', { restart });
    parts.onSaved(next.app);
    if (configuration !== null) supervisor.applyAtOnce(configuration);
    if (restart) await parts.restart(configuration);
    const view = settingsView();
    parts.onChange(view);
    return done(view);
  }

  return {
    save,
    allowOrigin(origin) {
      const { settings: now } = settings.view();
      const { allowedOrigins } = now.bridge;
      if (!configurationSchema.shape.allowedOrigins.safeParse([origin]).success) {
        const message = 'An origin is written as a whole, such as "https://pos.example".';
        return Promise.resolve(refused('invalid_request', message, [{ path: 'origin', message }]));
      }
      const origins = allowedOrigins.includes(origin) ? allowedOrigins : [...allowedOrigins, origin];
      return save({ ...now, bridge: { ...now.bridge, allowedOrigins: origins } });
    },
  };
}

/** Then what is in doubt stays in the real terminal's journal, where nobody would see it. */
function leavesReal({ configuration: now }: RunningBridge, next: Configuration): boolean {
  return now.terminal.kind !== 'simulator' && next.terminal.kind === 'simulator';
}

function canBeRead(journal: JournalReading | null): boolean {
  if (journal === null) return false;
  try {
    journal.openOperations();
    return true;
  } catch (error) {
    if (error instanceof JournalWriteError) return false;
    throw error;
  }
}

function changedKeys(now: Configuration, next: Configuration): string[] {
  return everySetting
    .map(({ key }) => key)
    .filter((key) => !isDeepStrictEqual(valueAt(now, key), valueAt(next, key)));
}
