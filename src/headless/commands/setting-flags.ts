/** A flag for every setting, as the settings table has them, and what was given for each. */
import { Option, type Command } from 'commander';
import { secretSettings, settings, type Setting } from '../../contract/configuration.ts';
import type { FlagValues } from '../../host/index.ts';
import type { CliContext } from '../cli-context.ts';

export interface FlagsOfCommand {
  isWanted?: (key: string) => boolean;
  /** Understood, and not in the help: what the command refuses, it refuses in its own words. */
  isHidden?: (key: string) => boolean;
  /** By key, in place of meaning, choices and default: where the command takes less than the setting does. */
  meanings?: Readonly<Record<string, string>>;
}

/** Adds every setting to `command`, with its help; or only those that are wanted. */
export function withSettingFlags(
  command: Command,
  context: CliContext,
  { isWanted = () => true, isHidden = () => false, meanings = {} }: FlagsOfCommand = {},
): Command {
  for (const setting of settings) {
    const { key } = setting;
    if (!isWanted(key)) continue;
    const secret = secretSettings.find((one) => one.key === key);
    const options = [settingOption(setting), ...(secret === undefined ? [] : [secretFileOption(secret)])];
    for (const option of options) command.addOption(option.hideHelp(isHidden(key)));
  }
  const settingOfFlag = new Map(settings.map((setting) => [setting.flag, setting]));
  return command.configureHelp({
    // Only for whoever asks for help: a start needs no words.
    optionDescription({ long, description }) {
      const setting = settingOfFlag.get(long ?? '');
      if (setting === undefined) return description;
      const meaning = meanings[setting.key] ?? describe(setting, context);
      return `${meaning} [${setting.variable}]`;
    },
  });
}

function settingOption(setting: Setting): Option {
  const value = setting.kind === 'boolean' ? `[${setting.argument}]` : `<${setting.argument}>`;
  const option = new Option(`${setting.flag} ${value}`);
  // A flag that is repeated gathers its values; another takes the last one, as usual.
  if (setting.kind === 'list') {
    option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
  }
  return option;
}

/** `--zvt-password-file`: others can read a command line, but not a file that is closed to them. */
function secretFileOption({ flag, fileFlag, fileVariable }: (typeof secretSettings)[number]): Option {
  const what = `A file that contains only the value of ${flag}, which others can read in the list of processes.`;
  return new Option(`${fileFlag} <FILE>`, `${what} [${fileVariable}]`);
}

function describe(setting: Setting, context: CliContext): string {
  const fallback = setting.key === 'dataDir' ? context.defaultDataDir : setting.fallback;
  const hasFallback = ['string', 'number', 'boolean'].includes(typeof fallback) && fallback !== '';
  const facts = [
    setting.choices !== null && setting.choices.length <= 10 ? setting.mustBe : null,
    hasFallback ? `default ${String(fallback as string | number | boolean)}` : null,
  ].filter((fact) => fact !== null);
  const words = facts.length === 0 ? '' : ` (${facts.join('; ')})`;
  return `${setting.meaning}${words}`;
}

/** Commander names what it has read after the flag, in camel case; this brings it back to the settings' keys. */
export function flagValues(options: Record<string, unknown>, command: Command): FlagValues {
  const flags = [
    ...settings.map(({ key, flag }) => [key, flag] as const),
    ...secretSettings.map(({ fileKey, fileFlag }) => [fileKey, fileFlag] as const),
  ];
  const entries = flags.flatMap(([key, flag]) => {
    const option = command.options.find((candidate) => candidate.long === flag);
    const value = option === undefined ? undefined : options[option.attributeName()];
    return isFlagValue(value) ? [[key, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

function isFlagValue(value: unknown): value is FlagValues[string] {
  return (
    value === true ||
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
  );
}
