/** `tillbridge simulator`: a simulated terminal as a process of its own. */
import path from 'node:path';
import { Option } from 'commander';
import { LineError } from '../../bridge/lines/index.ts';
import { silentLog } from '../../log/index.ts';
import { configurationSchema, settingOf, type Configuration } from '../../contract/configuration.ts';
import { protocolOf, type ProtocolName } from '../../contract/protocols.ts';
import { usualSerialSettings } from '../../contract/serial-settings.ts';
import {
  LedgerError,
  loadSimulator,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
  simulatedProtocols,
  type ReachableSimulator,
  type RequestSimulator,
  type SimulatorModule,
} from '../../simulator/index.ts';
import {
  listenOnPort,
  onDataDir,
  simulatorSummary,
  withDataDir,
  type DataDirOptions,
  type AddCommand,
} from './shared.ts';
import { watchStopSignals } from '../stop-signals.ts';
import { exitFailed, exitOk, exitUsage, type CliContext } from '../cli-context.ts';

/** The simulator of a protocol with the protocol's name. */
type NamedModule = readonly [ProtocolName, SimulatorModule];

/** Of ECR-EDC: those by which a terminal can be driven. */
const profiles = ['generic', 'kbtg'];
/** ZVT first, which is meant where none is named. */
const protocols = [...new Set<ProtocolName>(['zvt', ...simulatedProtocols])];
const requestProtocols = protocols.filter((name) => protocolOf(name).connections.http !== undefined);

interface SimulatorOptions extends DataDirOptions {
  protocol: ProtocolName;
  http?: number;
  appId: string;
  appSecret: string;
  tcp?: number;
  /** True: on a pseudo-terminal of its own. */
  serial?: string | true;
  host: string;
  ledger?: string;
  pace: number;
  currency?: string;
  password: string;
  terminalId?: string;
  dialect: string;
  profile: string;
}

const { port, pace, currency, kpay, zvt } = configurationSchema.shape;
/** With the password that a bridge expects unless it is told otherwise. */
const zvtDefaults = zvt.parse(undefined);

/** The terminals of every protocol are loaded for it. */
export async function loadSimulatorCommand(): Promise<AddCommand> {
  const modules = await Promise.all(
    protocols.map(async (name): Promise<NamedModule> => [name, await loadSimulator(name)]),
  );
  return addSimulatorCommand(new Map(modules));
}

const addSimulatorCommand =
  (modules: ReadonlyMap<ProtocolName, SimulatorModule>): AddCommand =>
  (program, context, runAction) => {
    const usualCurrencies = [...modules]
      .filter(([, { usualCurrency }]) => usualCurrency !== 'EUR')
      .map(([name, { usualCurrency }]) => `${protocolOf(name).title}: ${usualCurrency}`);
    withDataDir(program.command('simulator'), context)
      .summary(simulatorSummary)
      .description(
        'Runs a simulated terminal on a TCP port or a serial line, to try a bridge with it. Prints one line when it is ' +
          'ready. It keeps every payment in its ledger, also across restarts.\n\n' +
          'The last two digits of an amount choose what happens: 01 declined, 02 cancelled by the customer, 03 unreadable ' +
          'once, 04 power lost before it decides, 05 line cut before the result is acknowledged, 06 line cut after it, ' +
          '07 slow, 08 noise, 09 silent for a while; others are approved.',
      )
      .addOption(
        new Option('--protocol <NAME>', 'The protocol that it speaks.').choices(protocols).default('zvt'),
      )
      .addOption(new Option('--tcp <PORT>', listenOnPort).conflicts(['serial', 'http']).argParser(Number))
      .addOption(new Option('--http <PORT>', listenOnPort).conflicts('serial').argParser(Number))
      .option('--app-id <ID>', 'KPay: the application that it accepts.', '202600000000001')
      .option('--app-secret <TEXT>', 'KPay: the secret of the application.', 'test-secret-not-real')
      .option(
        '--serial [PATH]',
        'Use this serial line; without a path, create a pseudo-terminal (Linux, macOS).',
      )
      .option('--host <ADDRESS>', 'The address to listen on.', '127.0.0.1')
      .option(
        '--ledger <FILE>',
        'The file that it keeps its records in, as JSON lines (default, in the data folder: ' +
          `${protocols.map((name) => `${ledgerName(name)} for ${protocolOf(name).title}`).join(', ')}).`,
      )
      .addOption(
        new Option('--pace <FACTOR>', '1: a payment takes about a second; 0: no delays.')
          .argParser(Number)
          .default(1),
      )
      .option(
        '--currency <CODE>',
        `${settingOf('currency').meaning} (default: EUR; ${usualCurrencies.join('; ')})`,
      )
      .option('--password <DIGITS>', 'The password that it expects.', zvtDefaults.password)
      .option(
        '--terminal-id <ID>',
        'Eight digits (Transbank, KPay: or letters). A different id means a different terminal.',
      )
      .addOption(
        new Option('--dialect <NAME>', 'How it deviates from the specification, as real terminals do.')
          .choices([...new Set([...modules.values()].flatMap(({ dialectNames }) => dialectNames))])
          .default('strict'),
      )
      .addOption(
        new Option('--profile <NAME>', 'ECR-EDC: the bank’s variant of the protocol.')
          .choices(profiles)
          .default('generic'),
      )
      .addHelpText(
        'after',
        '\nExamples:\n' +
          '  $ tillbridge simulator --protocol zvt --tcp 20007\n' +
          '  $ tillbridge bridge --terminal tcp:127.0.0.1:20007\n\n' +
          '  $ tillbridge simulator --protocol kpay --http 18080\n\n' +
          '  $ tillbridge simulator --protocol transbank --tcp 20008\n\n' +
          '  $ tillbridge simulator --protocol ecr-edc --profile kbtg --tcp 20009\n\n' +
          '  $ tillbridge simulator --protocol ecr17 --tcp 20010\n\n' +
          '  $ tillbridge simulator --serial        prints the name of its serial port\n' +
          '  $ tillbridge bridge --terminal serial:/dev/pts/7',
      )
      .action((given: SimulatorOptions) => {
        const module = modules.get(given.protocol);
        if (module === undefined) throw new Error(`there is no simulator of ${given.protocol}`);
        const options = { ...given, currency: given.currency ?? module.usualCurrency };
        return runAction(() =>
          onDataDir(options, context, (dataDir) => run(options, module, dataDir, context)),
        );
      });
  };

/** Of its own: the ledger of another terminal is refused. ZVT's is older than the others. */
function ledgerName(protocol: ProtocolName): string {
  return protocol === 'zvt' ? 'simulated-terminal.jsonl' : `simulated-${protocol}-terminal.jsonl`;
}

type ChosenOptions = SimulatorOptions & { currency: string };

async function run(
  options: ChosenOptions,
  module: SimulatorModule,
  dataDir: string,
  context: CliContext,
): Promise<number> {
  const wrong = whatIsWrong(options, module);
  if (wrong !== null) {
    context.error(wrong);
    return exitUsage;
  }
  const signals = watchStopSignals(context);
  const { protocol } = options;
  const ledgerFile = path.resolve(
    context.currentFolder,
    options.ledger ?? path.join(dataDir, ledgerName(protocol)),
  );
  try {
    const simulator = module.createSimulator({
      ledgerFile,
      settings: settingsOf(options, dataDir),
      line: options.serial === undefined ? 'tcp' : 'serial',
      dialect: options.dialect,
      terminalId: options.terminalId,
      clock: context.clock,
      log: silentLog,
    });
    const { address, close } =
      'serve' in simulator
        ? await serveOnHttp(simulator, options)
        : await serveOnLine(simulator, options, context);
    const { title } = protocolOf(protocol);
    context.info(`${title} simulator listening on ${address} (no real payments; ledger ${ledgerFile})`);
    await signals.first;
    await close();
    context.endSoon();
    return exitOk;
  } catch (error) {
    const expected = error instanceof LedgerError || error instanceof LineError;
    if (!expected && !(error instanceof Error && 'syscall' in error)) throw error;
    context.error(`The simulator cannot start: ${error.message}`);
    return exitFailed;
  } finally {
    signals.release();
  }
}

/** Those of a bridge that would drive it. */
function settingsOf(options: ChosenOptions, dataDir: string): Configuration {
  const { protocol, profile, password, appId, appSecret, pace: factor } = options;
  return configurationSchema.parse({
    terminal: 'simulator',
    dataDir,
    protocol,
    currency: options.currency,
    pace: factor,
    zvt: { password },
    kpay: { appId, appSecret },
    'ecr-edc': { profile },
  });
}

interface Served {
  address: string;
  close(): Promise<void>;
}

async function serveOnHttp(
  simulator: RequestSimulator,
  { host, http = 0 }: SimulatorOptions,
): Promise<Served> {
  const served = await simulator.serve({ host, port: http });
  return { address: `http://${inAddress(host)}:${served.port}`, close: () => served.close() };
}

/** An address of IPv6 stands in brackets before a port. */
function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function serveOnLine(
  simulator: ReachableSimulator,
  options: SimulatorOptions,
  context: CliContext,
): Promise<Served> {
  if (options.serial === true) {
    const served = await serveSimulatorOnPseudoTerminal(simulator, { clock: context.clock });
    return { address: `serial:${served.path}`, close: () => served.close() };
  }
  if (options.serial !== undefined) {
    const settings = usualSerialSettings(options.protocol);
    const served = await serveSimulatorOnSerial(simulator, options.serial, settings, {
      clock: context.clock,
    });
    return { address: `serial:${options.serial}`, close: () => served.close() };
  }
  const { host } = options;
  const served = await serveSimulatorOnTcp(simulator, { host, port: options.tcp ?? 0, clock: context.clock });
  return { address: `tcp:${inAddress(host)}:${served.port}`, close: () => served.close() };
}

/** A sentence about the first option that cannot be right, or null. */
function whatIsWrong(
  options: ChosenOptions,
  { dialectNames, terminalIds, refuseCurrency }: SimulatorModule,
): string | null {
  const { protocol, http, appId, appSecret } = options;
  const isAskedByRequests = requestProtocols.includes(protocol);
  if (isAskedByRequests !== (http !== undefined)) {
    return isAskedByRequests
      ? 'Choose a port: --http PORT (0: any free port).'
      : `--http is for --protocol ${requestProtocols.join(' or ')}.`;
  }
  if (http !== undefined && !port.safeParse(http).success) {
    return '--http must be a whole number from 0 to 65535.';
  }
  if (http === undefined && options.tcp === undefined && options.serial === undefined) {
    return 'Choose a connection: --tcp PORT (0: any free port) or --serial [PATH].';
  }
  if (options.tcp !== undefined && !port.safeParse(options.tcp).success) {
    return '--tcp must be a whole number from 0 to 65535.';
  }
  if (!pace.safeParse(options.pace).success) return '--pace must be a number from 0 to 100.';
  const known = currency.safeParse(options.currency);
  if (!known.success) {
    return `--currency ${options.currency} is unknown; it must be an ISO 4217 code such as EUR.`;
  }
  const refused = refuseCurrency?.(known.data) ?? null;
  if (refused !== null) return `--currency ${options.currency}${refused}`;
  if (!dialectNames.includes(options.dialect)) {
    const { title } = protocolOf(protocol);
    return `--dialect ${options.dialect} is not one of ${title}: ${dialectNames.join(', ')}.`;
  }
  if (!/^\d{6}$/.test(options.password)) return '--password must be six digits, such as "000000".';
  if (!kpay.safeParse({ appId, appSecret }).success) {
    return '--app-id must be at most 32 letters, digits and signs, and --app-secret at most 64.';
  }
  if (options.terminalId !== undefined && !terminalIds.pattern.test(options.terminalId)) {
    return `--terminal-id must be ${terminalIds.form}.`;
  }
  return null;
}
