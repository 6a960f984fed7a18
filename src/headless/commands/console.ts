/** `tillbridge console`: another link to the console of a bridge that runs, or an end of all of them. */
import type { ControlAnswer } from '../../contract/control-channel.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { sendControlRequest, findJournals } from '../../host/index.ts';
import { otherAnswer } from '../open-items.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions, type AddCommand } from './shared.ts';
import { exitFailed, exitOk, type CliContext } from '../cli-context.ts';

interface ConsoleOptions extends DataDirOptions {
  simulator?: true;
  revoke?: true;
}

export const addConsoleCommand: AddCommand = (program, context, runAction) => {
  withSimulatorFlag(withDataDir(program.command('console'), context))
    .summary('Print a link to the console of a running bridge.')
    .description(
      'Prints a link to the console of the running bridge. The link works once, within an hour; the window that it ' +
        'opens keeps its access for as long as it is used and the bridge runs.',
    )
    .option('--revoke', 'Revoke all links and console windows instead of printing a link.')
    .addHelpText('after', '\nExamples:\n  $ tillbridge console\n  $ tillbridge console --revoke')
    .action((options: ConsoleOptions) =>
      runAction(() => onDataDir(options, context, (dataDir) => askForLinks(dataDir, options, context))),
    );
};

async function askForLinks(dataDir: string, options: ConsoleOptions, context: CliContext): Promise<number> {
  const places = findJournals(dataDir, {
    simulatorOnly: options.simulator === true,
    terminal: mainTerminal,
  });
  let running = 0;
  let exitCode = exitOk;
  for (const { folder, description } of places) {
    const ask = options.revoke === true ? 'revoke_console' : 'console_link';
    const reply = await sendControlRequest(folder, { ask }, context.clock);
    if (reply.kind === 'no_bridge') continue;
    running += 1;
    const said = reply.kind === 'answered' ? sentenceOf(reply.answer) : { ok: false, text: reply.message };
    if (said.ok) {
      context.stdoutExact(said.text);
    } else {
      context.error(`The bridge on ${description}: ${said.text}`);
      exitCode = exitFailed;
    }
  }
  if (running > 0) return exitCode;
  context.error(
    `No bridge is running on ${dataDir}. If it was started with another folder, give that with --data-dir. A bridge ` +
      'that is still waiting for its first terminal cannot make a link: restart it to get another.',
  );
  return exitFailed;
}

function sentenceOf(answer: ControlAnswer): { ok: boolean; text: string } {
  switch (answer.answer) {
    case 'console_link':
      return { ok: true, text: answer.link };
    case 'console_revoked': {
      const { windows, links } = answer;
      const ended = `${counted(windows, 'window')} and ${counted(links, 'unopened link')}`;
      return { ok: true, text: `Revoked: ${ended}. "tillbridge console" prints a new link.` };
    }
    case 'status':
    case 'doubts':
    case 'terminal_checked':
    case 'support_bundle':
    case 'resolved':
    case 'discrepancies':
    case 'acknowledged':
    case 'refused':
      return { ok: false, text: otherAnswer(answer) };
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
