/** What the commands share: how each one adds itself to the tree, and the options that several have. */
import type { Command } from 'commander';
import { errorText } from '../../base/error-text.ts';
import { isForbidden } from '../../base/forbidden.ts';
import { configFileFlag, configFileVariable, settingOf } from '../../contract/configuration.ts';
import { dataDirOf, type JournalChoice } from '../../host/index.ts';
import { exitFailed, exitUsage, oneLine, type CliContext } from '../cli-context.ts';

/** Adds one command to the tree. */
export type AddCommand = (program: Command, context: CliContext, runAction: RunAction) => void;
/** Carries out what a command does, and keeps the exit code that it gives. */
export type RunAction = (run: () => Promise<number> | number) => Promise<void>;

/** Of `tillbridge simulator`, for whoever lists it without loading it. */
export const simulatorSummary = 'Run a simulated terminal as a separate process.';

/** The help of a flag that takes a port. */
export const listenOnPort = 'Listen on this port (0: any free port).';

export interface DataDirOptions {
  dataDir?: string;
  config?: string;
}

/** `--data-dir` and `--config`, for commands that need to know nothing else. */
export function withDataDir(command: Command, context: CliContext): Command {
  const setting = settingOf('dataDir');
  return command
    .option(
      `${setting.flag} <${setting.argument}>`,
      `The bridge’s data folder (default: ${context.defaultDataDir}; variable ${setting.variable}).`,
    )
    .option(
      `${configFileFlag} <FILE>`,
      `A configuration file with the data folder as "dataDir" (variable ${configFileVariable}).`,
    );
}

/** Which journals of the data folder are meant. */
export interface JournalFlags {
  simulator?: true;
  for?: string;
}

export function withSimulatorFlag(command: Command): Command {
  return command.option(
    '--simulator',
    'Only the journal of the simulator, in the folder "simulator" of the data folder.',
  );
}

export function withJournalFlags(command: Command): Command {
  return withSimulatorFlag(command).option(
    '--for <NAME>',
    'Only the journal of this terminal, where the bridge has several ("main" is the usual one).',
  );
}

export function journalChoice({ simulator, for: terminal }: JournalFlags): JournalChoice {
  return { simulatorOnly: simulator === true, terminal };
}

/** Finds the data folder and acts on it, or says what is wrong with how it was named. */
export async function onDataDir(
  options: DataDirOptions,
  context: CliContext,
  action: (dataDir: string) => Promise<number> | number,
): Promise<number> {
  const found = dataDirOf({
    dataDir: options.dataDir ?? null,
    configFile: options.config ?? null,
    environment: context.environment,
    currentFolder: context.currentFolder,
    defaultDataDir: context.defaultDataDir,
  });
  if (found.ok) {
    try {
      return await action(found.dataDir);
    } catch (error) {
      if (!isForbiddenIn(error, found.dataDir)) throw error;
      context.error(
        oneLine(
          `${errorText(error)}. Run the command as the user that the bridge runs as: ${found.dataDir} is for that one alone.`,
        ),
      );
      return exitFailed;
    }
  }
  for (const error of found.errors) context.error(oneLine(error));
  return exitUsage;
}

/** That this user may not do something in the data folder, and not at a serial port, say. */
function isForbiddenIn(error: unknown, dataDir: string): error is Error {
  if (!isForbidden(error) || !(error instanceof Error) || !('path' in error)) return false;
  return typeof error.path === 'string' && error.path.startsWith(dataDir);
}
