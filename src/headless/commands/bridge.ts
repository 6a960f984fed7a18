/** `tillbridge bridge`: the bridge itself. */
import type { Command } from 'commander';
import { configFileFlag, configFileVariable } from '../../contract/configuration.ts';
import type { BridgeRun } from '../run-bridge.ts';
import { exitUsage, type CliContext } from '../cli-context.ts';
import { flagValues, withSettingFlags } from './setting-flags.ts';
import type { AddCommand } from './shared.ts';

export const addBridgeCommand: AddCommand = (program, context, runAction) => {
  const command = program
    .command('bridge')
    .summary('Run the bridge.')
    .description(
      'Runs the bridge: listens for your POS, sends each payment to the terminal and returns the result. ' +
        'SIGTERM and Ctrl-C let the current operation finish, for up to --stop-timeout-ms; a second signal ends the ' +
        'bridge at once.\n\n' +
        'Every setting can be given as a flag, in the environment, or in a JSON file. Flags take precedence over the ' +
        'environment, the environment over the file, and the file over what was set in the console.',
    );
  withSettingFlags(command, context)
    .option(`${configFileFlag} <FILE>`, `A JSON file with settings. [${configFileVariable}]`)
    .option('--default-terminal <TERMINAL>', 'The card terminal to use if no other is configured.')
    .option('--setup', 'Start without a terminal; the console asks for one.')
    .option(
      '--console-port <NUMBER>',
      'The port of the console, the page that shows what the bridge is doing. (default any free port)',
    )
    .option('--open', 'Open the console in a browser. (BROWSER names another one than the system’s.)')
    .option('--no-console', 'Do not serve the console.')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge bridge --terminal simulator\n' +
        '  $ tillbridge bridge --terminal serial:/dev/ttyUSB0 --zvt-password-file zvt-password.txt\n' +
        '  $ TILLBRIDGE_TERMINAL=tcp:192.168.1.20:20007 tillbridge bridge --config till.json',
    )
    .action((options: Record<string, unknown>) => runAction(() => bridge(options, command, context)));
};

async function bridge(
  options: Record<string, unknown>,
  command: Command,
  context: CliContext,
): Promise<number> {
  const consolePort = consolePortOf(options);
  if (typeof consolePort === 'string') {
    context.error(consolePort);
    return exitUsage;
  }
  if (options['setup'] === true && consolePort === null) {
    context.error('--setup: the console asks for the terminal, so --no-console cannot be used with it.');
    return exitUsage;
  }
  const run: BridgeRun = {
    sources: {
      flags: flagValues(options, command),
      configFile: textOf(options['config']),
      environment: context.environment,
      currentFolder: context.currentFolder,
      defaultDataDir: context.defaultDataDir,
    },
    defaultTerminal: textOf(options['defaultTerminal']),
    setup: options['setup'] === true,
    consolePort,
    open: options['open'] === true,
  };
  // Only here: the whole bridge takes longer to load than a frame to decode.
  const { runBridge } = await import('../run-bridge.ts');
  return await runBridge(run, context);
}

/** Null: no console. A sentence: what is wrong with the flag. */
function consolePortOf(options: Record<string, unknown>): number | null | string {
  if (options['console'] === false) return null;
  const text = textOf(options['consolePort']) ?? '0';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535
    ? port
    : `--console-port: "${text}" is not valid; it must be a whole number from 0 to 65535.`;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
