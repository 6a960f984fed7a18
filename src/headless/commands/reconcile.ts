/** `tillbridge reconcile`: did the money of the closed batches arrive? */
import type { Command } from 'commander';
import type { Decision } from '../../reconcile/index.ts';
import type { CliContext } from '../cli-context.ts';
import type { DecisionFlags, ReconcileFlags } from '../run-reconcile.ts';
import {
  onDataDir,
  withDataDir,
  withSimulatorFlag,
  type AddCommand,
  type DataDirOptions,
  type RunAction,
} from './shared.ts';

const rulesFlag = [
  '--rules <FILE>',
  'The rules (default: reconcile-rules.json in the data folder).',
] as const;

export const addReconcileCommand: AddCommand = (program, context, runAction) => {
  const reconcile = withSimulatorFlag(withDataDir(program.command('reconcile'), context))
    .summary('Look whether the money of the closed batches has arrived.')
    .description(
      'Compares the closed batches in the journals with the entries of your accounts, at the remote service or in the ' +
        'statements of a bank, by the rules that you have written down, and says of each batch where its money is: ' +
        'waiting, arrived, short, over, late or unclear. It only reads. The exit code is 1 when somebody should look at ' +
        'something.\n\n' +
        'Who may ask the service comes from the environment, as with "tillbridge remote".',
    )
    .option('--days <NUMBER>', 'The batches of so many days.', '30')
    .option(...rulesFlag)
    .option(
      '--statement <FILE...>',
      'Statements of a bank (camt.053), or folders of them; those in "statements" in the data folder are read anyway.',
    )
    .option('--as-of <DATE>', 'As it was on this day (2026-03-31). This is printed, and not kept.')
    .option(
      '--watch [MINUTES]',
      'Look again every so many minutes (60 when left out), and print what is new.',
    )
    .option('--json', 'Print one JSON object instead.')
    .option('--csv', 'Print a table for a spreadsheet instead (RFC 4180).')
    .option('--base-url <URL>', 'Where the service is. [TILLBRIDGE_REMOTE_URL]')
    .option('--token-env <VARIABLE>', 'The environment variable with the access token.')
    .addHelpText('after', '\nExample:\n  $ tillbridge reconcile --days 30')
    .action((options: DataDirOptions & ReconcileFlags) =>
      runAction(() =>
        onDataDir(options, context, async (dataDir) => {
          // Only here: the catalogue of the remote interface takes long to load.
          const { runReconcile } = await import('../run-reconcile.ts');
          return await runReconcile(dataDir, options, context);
        }),
      ),
    );
  addDecision(reconcile, 'match', 'Say that entries are the money of batches.', context, runAction);
  addDecision(reconcile, 'unmatch', 'Say that entries are not the money of batches.', context, runAction);
};

function addDecision(
  reconcile: Command,
  kind: Decision['kind'],
  summary: string,
  context: CliContext,
  runAction: RunAction,
): void {
  reconcile
    .command(kind)
    .description(`${summary} The name and the reason are kept. A later decision takes an earlier one back.`)
    .argument('<BATCH...>', 'The ids of the batches, as "tillbridge reconcile --json" lists them.')
    .requiredOption('--entry <ID...>', 'The ids of the entries.')
    .option('--acquirer <NAME>', 'Whose money it is, where the rules have several acquirers.')
    .requiredOption('--by <NAME>', 'The name of the person who has decided this.')
    .requiredOption('--reason <TEXT>', 'The reason.')
    .addHelpText(
      'after',
      `\nExample:\n  $ tillbridge reconcile ${kind} 01890a5d-ac96-774b-bcce-b302099a8057 --entry 0190… --by "Ada Meier" --reason "…"`,
    )
    .action((batchIds: string[], _own: unknown, command: Command) =>
      runAction(() => {
        // The data folder and the rules are named before or behind the word.
        const options = command.optsWithGlobals<DataDirOptions & DecisionFlags>();
        return onDataDir(options, context, async (dataDir) => {
          const { runDecision } = await import('../run-reconcile.ts');
          return runDecision(kind, batchIds, dataDir, options, context);
        });
      }),
    );
}
