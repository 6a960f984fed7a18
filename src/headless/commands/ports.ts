/** `tillbridge ports`: what a terminal may be plugged into. */
import path from 'node:path';
import { createDeviceMemory } from '../../bridge/lines/index.ts';
import { mainTerminal, normalTerminalName } from '../../contract/terminal-name.ts';
import { deviceFileName, findJournals, viewSerialPorts } from '../../host/index.ts';
import { silentLog } from '../../log/index.ts';
import { exitFailed, exitOk, oneLine, type CliContext } from '../cli-context.ts';
import { portTable } from '../port-table.ts';
import { onDataDir, withDataDir, type AddCommand, type DataDirOptions } from './shared.ts';

interface PortsOptions extends DataDirOptions {
  for?: string;
  accept?: true;
  json?: true;
}

export const addPortsCommand: AddCommand = (program, context, runAction) => {
  withDataDir(program.command('ports'), context)
    .summary('List the serial ports of this computer, and what is plugged in there.')
    .description(
      'Lists the serial ports of this computer: what is plugged in there, what it probably is, who uses it, and whether ' +
        'you may. Nothing is sent to any of them.',
    )
    .option(
      '--accept',
      'First accept the device that is at the terminal’s port now, although another one was there before.',
    )
    .option(
      '--for <NAME>',
      'With --accept: the terminal that it is the port of, where the bridge has several ("main" is the usual one).',
    )
    .option('--json', 'Print one JSON array instead.')
    .addHelpText('after', '\nExample:\n  $ tillbridge ports')
    .action((options: PortsOptions) =>
      runAction(() => onDataDir(options, context, (dataDir) => listPorts(dataDir, options, context))),
    );
};

async function listPorts(
  dataDir: string,
  { accept, for: wanted = mainTerminal, json }: PortsOptions,
  context: CliContext,
): Promise<number> {
  // The main one's needs no journal: a bridge may not have been started yet.
  const others = findJournals(dataDir).filter(
    ({ simulated, terminal }) => !simulated && terminal !== mainTerminal,
  );
  const terminals = [
    { name: mainTerminal, folder: dataDir },
    ...others.map(({ terminal, folder }) => ({ name: terminal, folder })),
  ].map(({ name, folder }) => ({
    name,
    memory: createDeviceMemory(path.join(folder, deviceFileName), silentLog),
  }));
  const chosen = terminals.find(({ name }) => name === normalTerminalName(wanted));
  if (chosen === undefined) {
    const names = terminals.map(({ name }) => name).join(', ');
    context.error(oneLine(`There is no terminal "${wanted}" in ${dataDir}. There are: ${names}.`));
    return exitFailed;
  }
  if (accept === true) chosen.memory.forget();
  const ports = await viewSerialPorts(
    terminals.flatMap(({ name, memory }) =>
      memory.port === null ? [] : [{ name, path: memory.port, memory, isOpen: false }],
    ),
    context.clock,
  );
  if (json === true) {
    context.stdoutExact(JSON.stringify(ports));
    return exitOk;
  }
  if (accept === true) {
    const whose =
      chosen.name === mainTerminal ? 'the terminal’s port' : `the port of the terminal "${chosen.name}"`;
    context.stdout(`Whatever is at ${whose} next is used as the terminal.\n`);
  }
  if (ports.length === 0) context.stdout('No serial port was found.');
  else for (const line of portTable(ports)) context.stdout(oneLine(line));
  return exitOk;
}
