/** `tillbridge simulator`: a simulated terminal as a process of its own. */
import path from 'node:path';
import { Option } from 'commander';
import { LineError } from '../../bridge/lines/index.ts';
import { silentLog } from '../../log/index.ts';
import { configurationSchema, settingOf } from '../../contract/configuration.ts';
import { protocolNameSchema } from '../../contract/terminal.ts';
import {
  createZvtSimulator,
  dialectNames,
  dialects,
  LedgerError,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
  type DialectName,
  type ZvtSimulator,
} from '../../simulator/index.ts';
import { listenOnPort, onDataDir, withDataDir, type DataDirOptions, type AddCommand } from './shared.ts';
import { watchStopSignals } from '../stop-signals.ts';
import { exitFailed, exitOk, exitUsage, type CliContext } from '../cli-context.ts';

interface SimulatorOptions extends DataDirOptions {
  tcp?: number;
  /** True: on a pseudo-terminal of its own. */
  serial?: string | true;
  host: string;
  ledger?: string;
  pace: number;
  currency: string;
  password: string;
  terminalId?: string;
  dialect: DialectName;
}

const { port, pace, currency, serial, zvt } = configurationSchema.shape;
/** The password and the serial line that a bridge expects unless it is told otherwise. */
const serialSettings = serial.parse(undefined);
const zvtDefaults = zvt.parse(undefined);

export const addSimulatorCommand: AddCommand = (program, context, runAction) => {
  withDataDir(program.command('simulator'), context)
    .summary('Run a simulated terminal as a separate process.')
    .description(
      'Runs a simulated terminal on a TCP port or a serial line, to try a bridge with it. Prints one line when it is ' +
        'ready. It keeps every payment in its ledger, also across restarts.\n\n' +
        'The last two digits of an amount choose what happens: 01 declined, 02 cancelled by the customer, 03 unreadable ' +
        'once, 04 power lost before it decides, 05 line cut before the result is acknowledged, 06 line cut after it, ' +
        '07 slow, 08 noise, 09 silent for a while; others are approved.',
    )
    .addOption(
      new Option('--protocol <NAME>', 'The protocol that it speaks.')
        .choices(protocolNameSchema.options)
        .default('zvt'),
    )
    .addOption(new Option('--tcp <PORT>', listenOnPort).conflicts('serial').argParser(Number))
    .option(
      '--serial [PATH]',
      'Use this serial line; without a path, create a pseudo-terminal (Linux, macOS).',
    )
    .option('--host <ADDRESS>', 'The address to listen on.', '127.0.0.1')
    .option(
      '--ledger <FILE>',
      'The file that it keeps its records in, as JSON lines (default: simulated-terminal.jsonl in the data folder).',
    )
    .addOption(
      new Option('--pace <FACTOR>', '1: a payment takes about a second; 0: no delays.')
        .argParser(Number)
        .default(1),
    )
    .option('--currency <CODE>', settingOf('currency').meaning, 'EUR')
    .option('--password <DIGITS>', 'The password that it expects.', zvtDefaults.password)
    .option('--terminal-id <DIGITS>', 'Eight digits. A different id means a different terminal.')
    .addOption(
      new Option('--dialect <NAME>', 'How it deviates from the specification, as real terminals do.')
        .choices(dialectNames)
        .default('strict'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge simulator --protocol zvt --tcp 20007\n' +
        '  $ tillbridge bridge --terminal tcp:127.0.0.1:20007\n\n' +
        '  $ tillbridge simulator --serial        prints the name of its serial port\n' +
        '  $ tillbridge bridge --terminal serial:/dev/pts/7',
    )
    .action((options: SimulatorOptions) =>
      runAction(() => onDataDir(options, context, (dataDir) => run(options, dataDir, context))),
    );
};

async function run(options: SimulatorOptions, dataDir: string, context: CliContext): Promise<number> {
  const wrong = whatIsWrong(options);
  if (wrong !== null) {
    context.error(wrong);
    return exitUsage;
  }
  const signals = watchStopSignals(context);
  const ledgerFile = path.resolve(
    context.currentFolder,
    options.ledger ?? path.join(dataDir, 'simulated-terminal.jsonl'),
  );
  try {
    const simulator = createZvtSimulator({
      ledgerFile,
      framing: options.serial === undefined ? 'tcp' : 'serial',
      timeScale: options.pace,
      currency: currency.parse(options.currency),
      password: options.password,
      terminalId: options.terminalId,
      dialect: dialects[options.dialect],
      clock: context.clock,
      log: silentLog,
    });
    const served = await serve(simulator, options, context);
    context.info(`ZVT simulator listening on ${served.address} (no real payments; ledger ${ledgerFile})`);
    await signals.first;
    await served.close();
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

async function serve(
  simulator: ZvtSimulator,
  options: SimulatorOptions,
  context: CliContext,
): Promise<{ address: string; close(): Promise<void> }> {
  if (options.serial === true) {
    const served = await serveSimulatorOnPseudoTerminal(simulator, { clock: context.clock });
    return { address: `serial:${served.path}`, close: () => served.close() };
  }
  if (options.serial !== undefined) {
    const served = await serveSimulatorOnSerial(simulator, options.serial, serialSettings, {
      clock: context.clock,
    });
    return { address: `serial:${options.serial}`, close: () => served.close() };
  }
  const { host } = options;
  const served = await serveSimulatorOnTcp(simulator, { host, port: options.tcp ?? 0, clock: context.clock });
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return { address: `tcp:${shownHost}:${served.port}`, close: () => served.close() };
}

/** A sentence about the first option that cannot be right, or null. */
function whatIsWrong(options: SimulatorOptions): string | null {
  if (options.tcp === undefined && options.serial === undefined) {
    return 'Choose a connection: --tcp PORT (0: any free port) or --serial [PATH].';
  }
  if (options.tcp !== undefined && !port.safeParse(options.tcp).success) {
    return '--tcp must be a whole number from 0 to 65535.';
  }
  if (!pace.safeParse(options.pace).success) return '--pace must be a number from 0 to 100.';
  if (!currency.safeParse(options.currency).success) {
    return `--currency ${options.currency} is unknown; it must be an ISO 4217 code such as EUR.`;
  }
  if (!/^\d{6}$/.test(options.password)) return '--password must be six digits, such as "000000".';
  if (options.terminalId !== undefined && !/^\d{8}$/.test(options.terminalId)) {
    return '--terminal-id must be eight digits, such as "68000001".';
  }
  return null;
}
