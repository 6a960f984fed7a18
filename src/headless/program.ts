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

/** Each command by its name, in the order of the help. */
const commands: Readonly<Record<string, AddCommand>> = {
  bridge: addBridgeCommand,
  console: addConsoleCommand,
  simulator: nameSimulatorCommand,
  ports: addPortsCommand,
  find: addFindCommand,
  decode: addDecodeCommand,
  capture: addCaptureCommand,
  replay: addReplayCommand,
  examine: addExamineCommand,
  doubts: addDoubtsCommand,
  resolve: addResolveCommand,
  discrepancies: addDiscrepanciesCommand,
  acknowledge: addAcknowledgeCommand,
  journal: addJournalCommand,
  'support-bundle': addSupportBundleCommand,
  token: addTokenCommand,
  provision: addProvisionCommand,
  reconcile: addReconcileCommand,
  remote: addRemoteCommand,
  sandbox: addSandboxCommand,
  office: addOfficeCommand,
};

/** For the list of commands: `addersFor` loads the command itself. */
function nameSimulatorCommand(program: Command): void {
  program.command('simulator').summary(simulatorSummary);
}

/** Runs `tillbridge` with the arguments behind its name; resolves with the exit code when the command is done. */
export async function runTillbridge(commandLine: string[], context: CliContext): Promise<number> {
  let exitCode = exitOk;
  const program = createProgram(
    context,
    async (run) => {
      exitCode = await run();
    },
    await addersFor(commandLine),
  );
  try {
    await program.parseAsync(commandLine, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitOk : exitUsage;
  }
  return exitCode;
}

/**
 * The command that the line begins with, alone: a start does not wait for all the others and their flags. All of them for
 * the help, and after a mistake.
 */
export async function addersFor(commandLine: string[]): Promise<AddCommand[]> {
  const [first = '', second] = commandLine.filter((argument) => argument !== '--');
  // It loads the simulators of every protocol, which takes time that no other command should spend.
  const isAboutSimulator = first === 'simulator' || (first === 'help' && second === 'simulator');
  const known = isAboutSimulator
    ? { ...commands, simulator: await (await import('./commands/simulator.ts')).loadSimulatorCommand() }
    : commands;
  const named = Object.hasOwn(known, first) ? known[first] : undefined;
  return named === undefined ? Object.values(known) : [named];
}

export function createProgram(
  context: CliContext,
  runAction: RunAction,
  adders: readonly AddCommand[],
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
  for (const add of adders) add(program, context, runAction);
  return program;
}
