/** `tillbridge sandbox`: the remote treasury and compliance interface, pretended, on this computer. */
import { Option } from 'commander';
import type { SandboxFlags } from '../run-sandbox.ts';
import type { SettleFlags } from '../run-settle.ts';
import { listenOnPort, onDataDir, type AddCommand } from './shared.ts';

export const addSandboxCommand: AddCommand = (program, context, runAction) => {
  const sandbox = program
    .command('sandbox')
    .summary('Serve a sandbox of the remote interface.')
    .description(
      'Serves the whole remote treasury and compliance interface on 127.0.0.1 with play money, to try clients against. ' +
        'Prints its address and the client that may ask for access tokens: "demo" with --seed, else one with a new ' +
        'secret at each start. What it has answered is kept in its data folder.\n\n' +
        'A word in any text of an intent chooses its outcome: sandbox:hold-approval, sandbox:hold-completion, ' +
        'sandbox:fail:insufficient-funds (or another reason). docs/remote.md has the full list.',
    )
    .addOption(new Option('--port <NUMBER>', listenOnPort).argParser(Number).default(8090))
    .option(
      '--data-dir <DIR>',
      `Where its data is kept. (default "remote-sandbox" in ${context.defaultDataDir})`,
    )
    .option('--seed', 'Start with demonstration data and a client "demo".')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge sandbox --seed\n' +
        '  $ tillbridge sandbox --port 0 --data-dir ./sandbox-data',
    )
    .action((flags: SandboxFlags) =>
      runAction(async () => {
        // Only here: the catalogue takes longer to load than a frame to decode.
        const { runSandbox } = await import('../run-sandbox.ts');
        return await runSandbox(flags, context);
      }),
    );
  sandbox
    .command('settle')
    .summary('Have the sandbox’s acquirer pay for closed batches.')
    .description(
      'Has an acquirer, which the sandbox plays, pay in one credit for batches that simulated terminals of this computer ' +
        'have closed: as agreed, or with a mistake. So "tillbridge reconcile --simulator" can be tried.\n\n' +
        'The sandbox runs as "tillbridge sandbox --seed", or who may ask it comes from the environment, as with ' +
        '"tillbridge remote".',
    )
    .argument('[BATCH...]', 'Numbers or ids of batches (default: the one that was closed last).')
    .requiredOption('--account <ID>', 'The account that it pays to.')
    .option('--percent <NUMBER>', 'The fee in per cent, which it keeps back (default: 0).')
    .option('--days <NUMBER>', 'Weekdays from now on (default: now).')
    .option('--remark <TEXT>', 'What the remark begins with (default: ACME SETTLEMENT).')
    .addOption(
      // As in the sandbox, which takes long to load.
      new Option('--mistake <NAME>', 'What it does wrong.').choices(['short', 'doubled', 'late', 'reversed']),
    )
    .option('--bridge-data-dir <DIR>', `The bridge’s data folder (default: ${context.defaultDataDir}).`)
    .option('--base-url <URL>', 'Where the sandbox is. [TILLBRIDGE_REMOTE_URL]')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge sandbox settle --account 3f6c2f0e-5a57-4f0e-9c0b-0d6f3c1f9a11 --percent 0.95',
    )
    .action((batches: string[], flags: SettleFlags & { bridgeDataDir?: string }) =>
      runAction(() =>
        onDataDir(
          flags.bridgeDataDir === undefined ? {} : { dataDir: flags.bridgeDataDir },
          context,
          async (dataDir) => {
            const { runSettle } = await import('../run-settle.ts');
            return await runSettle(batches, dataDir, flags, context);
          },
        ),
      ),
    );
};
