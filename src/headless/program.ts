/** The tree of commands. What each one does is in `commands/`. */
import { Command, CommanderError } from 'commander';
import { addAcknowledgeCommand } from './commands/acknowledge.ts';
import { addBridgeCommand } from './commands/bridge.ts';
import { addCaptureCommand } from './commands/capture.ts';
import { addConsoleCommand } from './commands/console.ts';
import { addDecodeCommand } from './commands/decode.ts';
import { addDiscrepanciesCommand } from './commands/discrepancies.ts';
import { addDoubtsCommand } from './commands/doubts.ts';
import { addExamineCommand } from './commands/examine.ts';
import { addFindCommand } from './commands/find.ts';
import { addJournalCommand } from './commands/journal.ts';
import { addOfficeCommand } from './commands/office.ts';
import { addPortsCommand } from './commands/ports.ts';
import { addProvisionCommand } from './commands/provision.ts';
import { addReconcileCommand } from './commands/reconcile.ts';
import { addRemoteCommand } from './commands/remote.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addResolveCommand } from './commands/resolve.ts';
import { addSandboxCommand } from './commands/sandbox.ts';
import { simulatorSummary, type AddCommand, type RunAction } from './commands/shared.ts';
import { addSupportBundleCommand } from './commands/support-bundle.ts';
import { addTokenCommand } from './commands/token.ts';
import { exitOk, exitUsage, type CliContext } from './cli-context.ts';

/** Runs `tillbridge` with the arguments behind its name; resolves with the exit code when the command is done. */
export async function runTillbridge(commandLine: string[], context: CliContext): Promise<number> {
  let exitCode = exitOk;
  const program = createProgram(
    context,
    async (run) => {
      exitCode = await run();
    },
    isAbout(simulatorCommand, commandLine) ? await loadSimulatorCommand() : nameSimulatorCommand,
  );
  try {
    await program.parseAsync(commandLine, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitOk : exitUsage;
  }
  return exitCode;
}

const simulatorCommand = 'simulator';

/** `tillbridge NAME …` and `tillbridge help NAME`; not an argument that happens to be the same word. */
function isAbout(name: string, [first, second]: string[]): boolean {
  return first === name || (first === 'help' && second === name);
}

/** It knows the terminals of every protocol, which takes time that nothing else has for it. */
export async function loadSimulatorCommand(): Promise<AddCommand> {
  return (await import('./commands/simulator.ts')).loadSimulatorCommand();
}

/** For the list of commands. */
const nameSimulatorCommand: AddCommand = (program) => {
  program.command(simulatorCommand).summary(simulatorSummary);
};

export function createProgram(
  context: CliContext,
  runAction: RunAction,
  addSimulatorCommand: AddCommand,
): Command {
  const program = new Command('tillbridge')
    .description(
      'A bridge between point-of-sale software and a card terminal: JSON over HTTP on one side, the terminal’s own ' +
        'protocol on the other.',
    )
    .version(context.version, '--version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .configureOutput({
      getOutHelpWidth: () => context.columns,
      getErrHelpWidth: () => context.columns,
      writeOut: (text) => context.stdout(text.trimEnd()),
      writeErr: (text) => context.error(text.trimEnd()),
    })
    .showHelpAfterError('("tillbridge help [command]" lists the commands)')
    .exitOverride()
    .addHelpText('after', '\nFirst steps, without a terminal:\n  $ tillbridge bridge --terminal simulator');
  const adders: AddCommand[] = [
    addBridgeCommand,
    addConsoleCommand,
    addSimulatorCommand,
    addPortsCommand,
    addFindCommand,
    addDecodeCommand,
    addCaptureCommand,
    addReplayCommand,
    addExamineCommand,
    addDoubtsCommand,
    addResolveCommand,
    addDiscrepanciesCommand,
    addAcknowledgeCommand,
    addJournalCommand,
    addSupportBundleCommand,
    addTokenCommand,
    addProvisionCommand,
    addReconcileCommand,
    addRemoteCommand,
    addSandboxCommand,
    addOfficeCommand,
  ];
  for (const add of adders) add(program, context, runAction);
  return program;
}
