/** Options that several commands share. */
import type { Command } from 'commander';
import { configFileFlag, configFileVariable, dataDirOf, settingOf } from '../host/index.ts';
import { exitUsage, oneLine, type World } from './world.ts';

export interface DataDirOptions {
  dataDir?: string;
  config?: string;
}

/** `--data-dir` and `--config`, for commands that need to know nothing else. */
export function withDataDir(command: Command, world: World): Command {
  const setting = settingOf('dataDir');
  return command
    .option(
      `${setting.flag} <${setting.argument}>`,
      `The bridge’s data folder (default: ${world.defaultDataDir}; variable ${setting.variable}).`,
    )
    .option(
      `${configFileFlag} <FILE>`,
      `A configuration file that names the data folder as "dataDir" (variable ${configFileVariable}).`,
    );
}

export function withSimulatorFlag(command: Command): Command {
  return command.option(
    '--simulator',
    'Only the journal of the simulator, in the folder "simulator" of the data folder.',
  );
}

/** Finds the data folder and acts on it, or says what is wrong with how it was named. */
export async function onDataDir(
  options: DataDirOptions,
  world: World,
  act: (dataDir: string) => Promise<number> | number,
): Promise<number> {
  const found = dataDirOf({
    dataDir: options.dataDir ?? null,
    configFile: options.config ?? null,
    environment: world.environment,
    currentFolder: world.currentFolder,
    defaultDataDir: world.defaultDataDir,
  });
  if (found.ok) return await act(found.dataDir);
  for (const error of found.errors) world.complain(oneLine(error));
  return exitUsage;
}
