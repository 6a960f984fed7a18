/** What the answers to the console's questions are made of. */
import type { JournalReading } from '../../bridge/bridge.ts';
import { JournalWriteError } from '../../bridge/journal/index.ts';
import type { Log } from '../../log/index.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type {
  AnswerOf,
  ConsoleState,
  QuestionName,
  Reply,
  RequestOf,
  Settings,
  SettingsView,
} from '../../contract/console/index.ts';
import type { BridgeSupervisor, RunningBridge } from '../bridge-supervisor.ts';
import type { HostLog } from '../host-log.ts';
import type { ConsoleSettings } from '../settings/console-settings.ts';
import { refused } from './reply.ts';

export interface QuestionContext {
  version: string;
  clock: Clock;
  chance: Chance;
  dataDir: string;
  settings: ConsoleSettings;
  supervisor: BridgeSupervisor;
  hostLog: HostLog;
  /** With the source `console`. */
  log: Log;
  state(): ConsoleState;
  settingsView(): SettingsView;
  saveSettings(settings: Settings): Promise<Reply<SettingsView>>;
  allowOrigin(origin: string): Promise<Reply<SettingsView>>;
}

/** The answers to some of the questions. */
export type Answers<N extends QuestionName> = {
  [K in N]: (request: RequestOf<K>) => Reply<AnswerOf<K>> | Promise<Reply<AnswerOf<K>>>;
};

export function onBridge<T>(
  { supervisor }: QuestionContext,
  answer: (running: RunningBridge) => Reply<T> | Promise<Reply<T>>,
): Reply<T> | Promise<Reply<T>> {
  const { running } = supervisor;
  if (running !== null) return answer(running);
  return refused(
    'no_bridge',
    'No bridge runs. Choose a terminal in the settings, or correct what is wrong there.',
  );
}

/** A journal that is damaged or cannot be read is a refusal. */
export function onJournal<T>(
  context: QuestionContext,
  answer: (journal: JournalReading, running: RunningBridge) => Reply<T>,
): Reply<T> | Promise<Reply<T>> {
  return onBridge(context, (running) => {
    const { journal, damage } = running.bridge;
    if (journal === null) return refused('journal_unavailable', damage ?? 'The journal cannot be read.');
    try {
      return answer(journal, running);
    } catch (error) {
      if (error instanceof JournalWriteError) return refused('journal_unavailable', error.message);
      throw error;
    }
  });
}
