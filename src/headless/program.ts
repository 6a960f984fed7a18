/** The tree of commands. What each one does is in `commands/`. */
import { Command, CommanderError } from 'commander';
import type { Act, AddCommand } from './add-command.ts';
import { addAcknowledgeCommand } from './commands/acknowledge.ts';
import { addBridgeCommand } from './commands/bridge.ts';
import { addConsoleCommand } from './commands/console.ts';
import { addDecodeCommand } from './commands/decode.ts';
import { addDiscrepanciesCommand } from './commands/discrepancies.ts';
import { addDoubtsCommand } from './commands/doubts.ts';
import { addJournalCommand } from './commands/journal.ts';
import { addPortsCommand } from './commands/ports.ts';
import { addRemoteCommand } from './commands/remote.ts';
import { addResolveCommand } from './commands/resolve.ts';
import { addSandboxCommand } from './commands/sandbox.ts';
import { addSimulatorCommand } from './commands/simulator.ts';
import { addTokenCommand } from './commands/token.ts';
import { exitOk, exitUsage, type World } from './world.ts';

/** Runs `tillbridge` with the arguments behind its name; resolves with the exit code when the command is done. */
export async function runTillbridge(commandLine: string[], world: World): Promise<number> {
  let exitCode = exitOk;
  const program = createProgram(world, async (run) => {
    exitCode = await run();
  });
  try {
    await program.parseAsync(commandLine, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitOk : exitUsage;
  }
  return exitCode;
}

export function createProgram(world: World, act: Act): Command {
  const program = new Command('tillbridge')
    .description(
      'A bridge between point-of-sale software and a card terminal: JSON over HTTP on one side, the terminal’s own ' +
        'protocol on the other.',
    )
    .version(world.version, '--version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .configureOutput({
      getOutHelpWidth: () => world.columns,
      getErrHelpWidth: () => world.columns,
      writeOut: (text) => world.print(text.trimEnd()),
      writeErr: (text) => world.complain(text.trimEnd()),
    })
    .showHelpAfterError('("tillbridge help [command]" tells what there is)')
    .exitOverride()
    .addHelpText('after', '\nFirst steps, without a terminal:\n  $ tillbridge bridge --terminal simulator');
  const adders: AddCommand[] = [
    addBridgeCommand,
    addConsoleCommand,
    addSimulatorCommand,
    addPortsCommand,
    addDecodeCommand,
    addDoubtsCommand,
    addResolveCommand,
    addDiscrepanciesCommand,
    addAcknowledgeCommand,
    addJournalCommand,
    addTokenCommand,
    addRemoteCommand,
    addSandboxCommand,
  ];
  for (const add of adders) add(program, world, act);
  return program;
}
