/** The settings as they are being changed: checked as typed, saved together. */
import { useState } from 'react';
import { needRestart, settings as everySetting } from '../../../contract/configuration.ts';
import {
  appSettingsSchema,
  type ConsoleRefusal,
  type Settings,
  type SettingsView,
} from '../../../contract/console/index.ts';
import { valueAt, withValueAt } from '../../../contract/dotted-keys.ts';
import { useAction } from '../../store/queries.ts';
import type { Problems } from '../../components/terminal-form/index.ts';
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
  const { problems, others } = useSettingsProblems(settings, action.refusal, view.secretsSet);

  return {
    view,
    settings,
    change(wanted) {
      setSaved(false);
      action.clear();
      setEdits(editsOf(view.settings, wanted));
    },
    isChanged: Object.keys(edits).length > 0,
    restarts: needRestart(bridgeKeysOf(edits)),
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

/** What a person has changed and not saved yet: by key, so that what changes meanwhile elsewhere is not undone. */
type SettingsEdits = Record<string, unknown>;

const savedAtOnce = {
  language: true,
  theme: true,
  sounds: true,
  soundVolume: true,
  notifications: true,
  smallWindow: true,
} as const;

/** Of what waits for Save. Language, theme, sounds, notifications and the small window are saved at once. */
const editedKeys = [
  ...Object.keys(appSettingsSchema.omit(savedAtOnce).shape).map((key) => `app.${key}`),
  ...everySetting.filter(({ console }) => console !== null).map(({ key }) => `bridge.${key}`),
];

/** What differs in `wanted`. */
function editsOf(saved: Settings, wanted: Settings): SettingsEdits {
  const changed = editedKeys.filter(
    (key) => JSON.stringify(valueAt(saved, key)) !== JSON.stringify(valueAt(wanted, key)),
  );
  return Object.fromEntries(changed.map((key) => [key, valueAt(wanted, key)]));
}

function withEdits(saved: Settings, edits: SettingsEdits): Settings {
  return Object.entries(edits).reduce((all, [key, value]) => withValueAt(all, key, value), saved);
}

function bridgeKeysOf(edits: SettingsEdits): string[] {
  const group = 'bridge.';
  return Object.keys(edits).flatMap((key) => (key.startsWith(group) ? [key.slice(group.length)] : []));
}
