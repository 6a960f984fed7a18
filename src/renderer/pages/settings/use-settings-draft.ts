/** The settings as they are being changed: checked as typed, saved together. */
import { useState } from 'react';
import type { ConsoleRefusal, Settings, SettingsView } from '../../../contract/console/index.ts';
import { useAction } from '../../store/queries.ts';
import type { Problems } from '../../components/terminal-form/index.ts';
import { editsOf, needsRestart, withEdits, type SettingsEdits } from './settings-edits.ts';
import { useSettingsProblems } from './use-settings-problems.ts';

export interface SettingsDraft {
  view: SettingsView;
  /** As they would be saved. */
  settings: Settings;
  change: (settings: Settings) => void;
  isChanged: boolean;
  restarts: boolean;
  /** By the bridge's key ("port", "zvt.password", "allowedOrigins.0"). */
  problems: Problems;
  /** What was refused and belongs to no field. */
  refusal: ConsoleRefusal | null;
  busy: boolean;
  /** Saved just now, and nothing was changed since. */
  isSaved: boolean;
  /** Whether it was saved. */
  save: () => Promise<boolean>;
  discard: () => void;
  /** Saves `app` by itself, at once; what else was changed goes on waiting. */
  saveNow: (app: Partial<Settings['app']>) => Promise<boolean>;
}

export function useSettingsDraft(view: SettingsView): SettingsDraft {
  const [kept, setEdits] = useState<SettingsEdits>({});
  const [isSaved, setSaved] = useState(false);
  const action = useAction('saveSettings');
  const settings = withEdits(view.settings, kept);
  // What was saved elsewhere in the meantime is no change any more.
  const edits = editsOf(view.settings, settings);
  const { problems, others } = useSettingsProblems(settings, action.refusal);

  return {
    view,
    settings,
    change(wanted) {
      setSaved(false);
      action.clear();
      setEdits(editsOf(view.settings, wanted));
    },
    isChanged: Object.keys(edits).length > 0,
    restarts: needsRestart(edits),
    problems,
    refusal: others,
    busy: action.busy,
    isSaved,
    async save() {
      const response = await action.run(settings);
      if (response === null) return false;
      setEdits({});
      setSaved(true);
      return true;
    },
    discard() {
      action.clear();
      setEdits({});
    },
    async saveNow(app) {
      setSaved(false);
      const now = view.settings;
      return (await action.run({ ...now, app: { ...now.app, ...app } })) !== null;
    },
  };
}
