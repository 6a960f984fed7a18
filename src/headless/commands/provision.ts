/** `tillbridge provision`: sets up a till without questions, from one file or from flags. */
import path from 'node:path';
import type { FlagValues } from '../../host/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from '../cli-context.ts';
import { flagValues, withSettingFlags } from './setting-flags.ts';
import { onDataDir, type AddCommand } from './shared.ts';

interface ProvisionOptions {
  language?: string;
  theme?: string;
  startListener?: string;
  startWithSystem?: string;
  token?: string[];
  check?: true;
}

const yesOrNo = '<YES|NO>';

export const addProvisionCommand: AddCommand = (program, context, runAction) => {
  const command = program
    .command('provision')
    .summary('Set up a till without questions, from one file or from flags.')
    .description(
      'Stores settings and tokens in the data folder, as if they had been set in the console. What is not named stays as it ' +
        'is, and running it again changes nothing. The bridge and the app must not be running. Everything is checked ' +
        'first; if anything is wrong, nothing is stored.',
    )
    .argument('[FILE]', 'A JSON file: settings, "app" and "tokens". Flags take precedence.');
  withSettingFlags(command, context)
    .option('--language <CODE>', 'The language of the window: system, en or de.')
    .option('--theme <NAME>', 'The theme of the window: system, light or dark.')
    .option(`--start-listener ${yesOrNo}`, 'Whether the app starts listening by itself.')
    .option(`--start-with-system ${yesOrNo}`, 'Whether the app starts with the computer.')
    .option(
      '--token <NAME=FILE>',
      'A token for POS software; FILE holds it, and is made with a new token if it is missing. Can be repeated.',
      (text: string, before: string[] | undefined) => [...(before ?? []), text],
    )
    .option('--check', 'Store nothing; only say what is wrong, or what would change.')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge provision till.json\n' +
        '  $ tillbridge provision --terminal tcp:192.168.1.20:20007 --language de --token pos=/etc/pos/token',
    )
    .action((file: string | undefined, options: ProvisionOptions & Record<string, unknown>) =>
      runAction(() => {
        const flags = flagValues(options, command);
        const named = flags['dataDir'];
        return onDataDir(typeof named === 'string' ? { dataDir: named } : {}, context, (dataDir) =>
          provisionTill(dataDir, file ?? null, flags, options, context),
        );
      }),
    );
};

async function provisionTill(
  dataDir: string,
  file: string | null,
  flags: FlagValues,
  options: ProvisionOptions,
  context: CliContext,
): Promise<number> {
  // Only here: the host takes longer to load than a frame to decode.
  const { fileSecrets, openSettingsStore, provision, readProvision } = await import('../../host/index.ts');
  const read = readProvision({
    file: file === null ? null : path.resolve(context.currentFolder, file),
    flags,
    appFlags: appFlags(options),
    tokenFlags: options.token ?? [],
    currentFolder: context.currentFolder,
  });
  for (const warning of read.warnings) context.error(oneLine(warning));
  if (!read.ok) {
    for (const error of read.errors) context.error(oneLine(error));
    context.error('Nothing was stored.');
    return exitUsage;
  }
  const checkOnly = options.check === true;
  if (!checkOnly && (await isRunningOn(dataDir, context))) {
    context.error(
      `A bridge is running on ${oneLine(dataDir)}, and would overwrite these settings. Stop it first. Nothing was stored.`,
    );
    return exitFailed;
  }
  const secrets = fileSecrets();
  const store = openSettingsStore({ folder: dataDir, secrets, clock: context.clock });
  const done = provision(dataDir, read.provision, { ...context, store }, { checkOnly });
  for (const warning of [...store.warnings, ...done.warnings]) context.error(oneLine(warning));
  const words = checkOnly ? 'Would be set' : 'Set';
  if (done.changed.length > 0) context.stdout(oneLine(`${words} in ${dataDir}: ${done.changed.join(', ')}.`));
  else if (done.ok) context.stdout(oneLine(`Everything is already set in ${dataDir}.`));
  if (done.ok) return exitOk;
  context.error(oneLine(done.message));
  return exitFailed;
}

async function isRunningOn(dataDir: string, { clock }: CliContext): Promise<boolean> {
  const { findJournals, sendControlRequest } = await import('../../host/index.ts');
  for (const { folder } of findJournals(dataDir)) {
    if ((await sendControlRequest(folder, { ask: 'status' }, clock)).kind !== 'no_bridge') return true;
  }
  return false;
}

/** As they would stand in the file: `yes` is true. Anything else is told to be wrong where all values are checked. */
function appFlags({ language, theme, startListener, startWithSystem }: ProvisionOptions) {
  return {
    ...(language === undefined ? {} : { language }),
    ...(theme === undefined ? {} : { theme }),
    ...(startListener === undefined ? {} : { startListener: truth(startListener) }),
    ...(startWithSystem === undefined ? {} : { startWithSystem: truth(startWithSystem) }),
  };
}

function truth(text: string): unknown {
  if (/^(yes|true|on|1)$/i.test(text)) return true;
  return /^(no|false|off|0)$/i.test(text) ? false : text;
}
