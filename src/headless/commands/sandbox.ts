/** `tillbridge sandbox`: the remote treasury and compliance interface, pretended, on this computer. */
import { Option } from 'commander';
import type { SandboxFlags } from '../run-sandbox.ts';
import { listenOnPort, type AddCommand } from './shared.ts';

export const addSandboxCommand: AddCommand = (program, context, runAction) => {
  program
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
};
