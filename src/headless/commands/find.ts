/** `tillbridge find`: asks the ports, and on request the local network, whether a card terminal is there. */
import { pause } from '../../base/clock.ts';
import type { FoundTerminal, SerialPortView } from '../../contract/console/index.ts';
import { protocolOf } from '../../contract/protocols.ts';
import { loadConfiguration, searchForTerminals, viewSerialPorts } from '../../host/index.ts';
import { silentLog } from '../../log/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from '../cli-context.ts';
import { onDataDir, withDataDir, type AddCommand, type DataDirOptions } from './shared.ts';

interface FindOptions extends DataDirOptions {
  network?: true;
  port?: string[];
  json?: true;
}

/** How often it is said how far the search is. */
const tellEveryMs = 2_000;

const disturbs =
  'A terminal that another till uses over the network may be disturbed by being asked: search only while nobody pays there.';

export const addFindCommand: AddCommand = (program, context, runAction) => {
  withDataDir(program.command('find'), context)
    .summary('Look for card terminals at the serial ports and in the local network.')
    .description(
      'Asks each serial port that nobody uses, with each protocol’s own question, whether a card terminal is there. ' +
        'No amount is sent; other devices get a few characters that mean nothing to them. What another Tillbridge or ' +
        'another program uses is left alone.',
    )
    .option(
      '--network',
      'Also ask the addresses of this computer’s own private networks (up to 254 in each), at the ports that terminals ' +
        `listen on. ${disturbs}`,
    )
    .option('--port <PATH...>', 'Ask only these serial ports, whether or not the system lists them.')
    .option('--json', 'Print one JSON object instead.')
    .addHelpText('after', '\nExample:\n  $ tillbridge find\n  $ tillbridge find --network --json')
    .action((options: FindOptions) =>
      runAction(() => onDataDir(options, context, (dataDir) => find(dataDir, options, context))),
    );
};

async function find(dataDir: string, options: FindOptions, context: CliContext): Promise<number> {
  const { clock, chance, environment, currentFolder, defaultDataDir } = context;
  // Passwords and the like come from where a bridge takes them; there is no terminal yet.
  const loaded = loadConfiguration({
    flags: { terminal: 'simulator', protocol: 'zvt', dataDir },
    configFile: options.config ?? null,
    environment,
    currentFolder,
    defaultDataDir,
  });
  if (!loaded.ok) {
    for (const error of loaded.errors) context.error(oneLine(error));
    return exitUsage;
  }
  if (options.network === true) context.error(disturbs);
  const search = searchForTerminals({
    ports: await portsOf(options, context),
    network: options.network === true,
    settings: loaded.configuration,
    // A bridge has its own terminal locked.
    paymentRuns: () => false,
    clock,
    chance,
    log: silentLog,
    dataFolder: dataDir,
  });
  const endSignals = context.onSignal(() => search.stop());
  const over = new AbortController();
  void search.over.then(() => over.abort());
  while (!over.signal.aborted) {
    await pause(clock, tellEveryMs, over.signal);
    const { done, total } = search.view;
    if (options.json !== true && !over.signal.aborted) context.error(`${done} of ${total} asked …`);
  }
  endSignals();
  const { found, taken, denied } = search.view;
  if (options.json === true) {
    context.stdoutExact(JSON.stringify(search.view));
    return found.length > 0 ? exitOk : exitFailed;
  }
  for (const terminal of found) context.stdout(oneLine(foundLine(terminal)));
  for (const terminal of taken) context.stdout(oneLine(`${terminal} is in use and was not asked.`));
  for (const terminal of denied)
    context.stdout(
      oneLine(`${terminal} was not asked: you may not open it ("tillbridge ports" says which group may).`),
    );
  if (found.length > 0) return exitOk;
  context.stdout('No terminal answered. Is it on, connected, and set to be used with a till?');
  return exitFailed;
}

async function portsOf({ port: wanted }: FindOptions, context: CliContext): Promise<SerialPortView[]> {
  const listed = await viewSerialPorts([], context.clock);
  if (wanted === undefined) return listed;
  return wanted.map((path) => listed.find((one) => one.path === path) ?? unlisted(path));
}

function unlisted(path: string): SerialPortView {
  const device = {
    name: null,
    maker: null,
    product: null,
    vendorId: null,
    productId: null,
    serialNumber: null,
  };
  const use = { guess: null, inUse: false, holder: null, denied: false, group: null, terminal: null };
  return { path, ...device, ...use };
}

/** What to start the bridge with, then what is known of the terminal. */
function foundLine({ terminal, protocol, device, terminalId, text, sure }: FoundTerminal): string {
  const known = [
    device,
    protocolOf(protocol).title,
    terminalId === null ? null : `terminal ${terminalId}`,
    sure ? null : 'probably: something answers there',
    text,
  ];
  const flags = `--terminal ${terminal} --protocol ${protocol}`;
  return `${flags}  (${known.filter((part) => part !== null).join(', ')})`;
}
