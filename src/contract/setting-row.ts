/** One row of the table of settings. */
import type { z } from 'zod';

/** What the console says of a setting in one language. */
export interface SettingTexts {
  label: string;
  hint?: string;
  /** For a wrong value; left out: that it is not right. */
  problem?: string;
  /** Names of the choices; those that are left out are shown as they are. */
  choices?: Readonly<Record<string, string>>;
}

export interface SettingRow {
  /** With its default; without one the setting must be made. */
  schema: z.ZodType;
  /** The variable in the environment has the same name: `--zvt-password`, `TILLBRIDGE_ZVT_PASSWORD`. */
  flag: `--${string}`;
  /** What stands for the value in help: `DIGITS`. */
  argument: string;
  /** One sentence for help and docs. */
  meaning: string;
  /** Messages never repeat its value, the console never shows it, and a file of its own can hold it. */
  secret?: true;
  /** Of a protocol's own setting, a text: its terminals cannot be reached while it is empty. */
  needed?: true;
  /** A bridge that runs takes it over; any other setting needs the bridge to start anew. */
  appliesAtOnce?: true;
  /** Left out: the console does not offer it. */
  console?: {
    /** The part of the settings page that shows it; null: it is kept, and no part shows it yet. */
    section: 'terminal' | 'listener' | 'callers' | 'about' | 'updates' | null;
    /** Left out: a component of its own shows it. Otherwise `SettingInput` or `SettingTick`, by the schema's kind. */
    field?: {
      /** Keys of the texts in `src/locales`. */
      label: string;
      hint?: string;
      /** Where the names of the choices are: `log.atLeast` has `log.atLeast.debug`. Left out: as they are. */
      choiceLabels?: string;
    };
    /** The text for a wrong value; left out: the bounds of a number, or that it is not right. */
    problem?: string;
    /** Where the console has another form of the value than the configuration. */
    schema?: z.ZodType;
    /**
     * Of a protocol's own setting: its texts by language, for the form of the terminal, which shows it while that protocol
     * is chosen. A language that is missing speaks English.
     */
    texts?: Readonly<{ en: SettingTexts } & Record<string, SettingTexts>>;
    /** Of a protocol's own setting: among what hardly anybody changes. */
    advanced?: true;
  };
}
