/** What a source of settings (flags, environment, file) gives. */

/** A setting with an explicit value and where it comes from: `--port`, `TILLBRIDGE_PORT`, or `"port" in till.json`. */
export interface ExplicitValue {
  key: string;
  value: unknown;
  origin: string;
  /** It was read from a file. */
  inFile?: true;
}

export interface SourceReading {
  values: ExplicitValue[];
  /** Sentences; one or more make the configuration unusable. */
  errors: string[];
  warnings: string[];
}

/** The values of the command line's flags, by key; a list for settings that are lists. */
export type FlagValues = Record<string, string | string[] | true>;
