/** `tillbridge simulator`: a simulated terminal as a process of its own. */
import path from 'node:path';
import { Option } from 'commander';
import { LineError } from '../../bridge/lines/index.ts';
import { silentLog } from '../../log/index.ts';
import { configurationSchema, settingOf, type SerialSettings } from '../../contract/configuration.ts';
import { currencyExponent } from '../../contract/money.ts';
import {
  createEcr17Simulator,
  createEcrEdcSimulator,
  createKpaySimulator,
  createTransbankSimulator,
  createZvtSimulator,
  dialectNames,
  dialects,
  ecr17DialectNames,
  ecr17Dialects,
  ecrEdcDialectNames,
  ecrEdcDialects,
  kpayDialectNames,
  kpayDialects,
  LedgerError,
  serveKpaySimulator,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
  transbankDialectNames,
  transbankDialects,
  type ReachableSimulator,
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

type Protocol = 'zvt' | 'kpay' | 'transbank' | 'ecr-edc' | 'ecr17';

interface ProtocolSimulator {
  name: string;
  /** Of its own: the ledger of another terminal is refused. */
  ledgerName: string;
  currency: string;
  dialects: readonly string[];
  terminalId: { pattern: RegExp; form: string };
  /** A terminal on a network has no other end of a serial line. */
  reachedBy: 'line' | 'http';
  serve(options: SimulatorOptions, ledgerFile: string, context: CliContext): Promise<Served>;
}

const simulators: Readonly<Record<Protocol, ProtocolSimulator>> = {
  zvt: {
    name: 'ZVT',
    ledgerName: 'simulated-terminal.jsonl',
    currency: 'EUR',
    dialects: dialectNames,
    terminalId: { pattern: /^\d{8}$/, form: 'eight digits, such as "68000001"' },
    reachedBy: 'line',
    serve: serveZvt,
  },
  kpay: {
    name: 'KPay',
    ledgerName: 'simulated-kpay-terminal.jsonl',
    currency: 'HKD',
    dialects: kpayDialectNames,
    terminalId: { pattern: /^[A-Za-z0-9]{8}$/, form: 'eight letters or digits, such as "KP000001"' },
    reachedBy: 'http',
    serve: serveKpay,
  },
  transbank: {
    name: 'Transbank',
    ledgerName: 'simulated-transbank-terminal.jsonl',
    currency: 'CLP',
    dialects: transbankDialectNames,
    terminalId: { pattern: /^[A-Za-z0-9]{8}$/, form: 'eight letters or digits, such as "TB000001"' },
    reachedBy: 'line',
    serve: serveTransbank,
  },
  'ecr-edc': {
    name: 'ECR-EDC',
    ledgerName: 'simulated-ecr-edc-terminal.jsonl',
    currency: 'THB',
    dialects: ecrEdcDialectNames,
    terminalId: { pattern: /^\d{8}$/, form: 'eight digits, such as "70000001"' },
    reachedBy: 'line',
    serve: serveEcrEdc,
  },
  ecr17: {
    name: 'ECR17',
    ledgerName: 'simulated-ecr17-terminal.jsonl',
    currency: 'EUR',
    dialects: ecr17DialectNames,
    terminalId: { pattern: /^(?!0{8})\d{8}$/, form: 'eight digits, such as "17000001", and not only zeros' },
    reachedBy: 'line',
    serve: serveEcr17,
  },
};
const protocols = ['zvt', 'kpay', 'transbank', 'ecr-edc', 'ecr17'] as const satisfies readonly Protocol[];
const allDialects = [...new Set(Object.values(simulators).flatMap(({ dialects: known }) => known))];
/** Of ECR-EDC: those by which a terminal can be driven. */
const profiles = ['generic', 'kbtg'];

interface SimulatorOptions extends DataDirOptions {
  protocol: Protocol;
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

const { port, pace, currency, serial, zvt } = configurationSchema.shape;
/** The password and the serial line that a bridge expects unless it is told otherwise. */
const serialSettings = serial.parse(undefined);
const zvtDefaults = zvt.parse(undefined);

export const addSimulatorCommand: AddCommand = (program, context, runAction) => {
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
        `${Object.values(simulators)
          .map(({ name, ledgerName }) => `${ledgerName} for ${name}`)
          .join(', ')}).`,
    )
    .addOption(
      new Option('--pace <FACTOR>', '1: a payment takes about a second; 0: no delays.')
        .argParser(Number)
        .default(1),
    )
    .option(
      '--currency <CODE>',
      `${settingOf('currency').meaning} (default: EUR; KPay: HKD; Transbank: CLP; ECR-EDC: THB)`,
    )
    .option('--password <DIGITS>', 'The password that it expects.', zvtDefaults.password)
    .option(
      '--terminal-id <ID>',
      'Eight digits (Transbank, KPay: or letters). A different id means a different terminal.',
    )
    .addOption(
      new Option('--dialect <NAME>', 'How it deviates from the specification, as real terminals do.')
        .choices(allDialects)
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
    options.ledger ?? path.join(dataDir, simulators[options.protocol].ledgerName),
  );
  try {
    const { name, serve } = simulators[options.protocol];
    const served = await serve(options, ledgerFile, context);
    context.info(`${name} simulator listening on ${served.address} (no real payments; ledger ${ledgerFile})`);
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

interface Served {
  address: string;
  close(): Promise<void>;
}

async function serveKpay(
  options: SimulatorOptions,
  ledgerFile: string,
  context: CliContext,
): Promise<Served> {
  const { host, appId, appSecret, pace: timeScale } = options;
  const simulator = createKpaySimulator({
    ledgerFile,
    currency: currency.parse(currencyOf(options)),
    appId,
    appSecret,
    terminalId: options.terminalId,
    timeScale,
    dialect: named(kpayDialects, options.dialect),
    clock: context.clock,
    log: silentLog,
  });
  const served = await serveKpaySimulator(simulator, { host, port: options.http ?? 0 });
  return { address: `http://${inAddress(host)}:${served.port}`, close: () => served.close() };
}

function serveZvt(options: SimulatorOptions, ledgerFile: string, context: CliContext): Promise<Served> {
  const simulator = createZvtSimulator({
    ledgerFile,
    framing: options.serial === undefined ? 'tcp' : 'serial',
    timeScale: options.pace,
    currency: currency.parse(currencyOf(options)),
    password: options.password,
    terminalId: options.terminalId,
    dialect: named(dialects, options.dialect),
    clock: context.clock,
    log: silentLog,
  });
  return serveOnLine(simulator, serialSettings, options, context);
}

function serveTransbank(options: SimulatorOptions, ledgerFile: string, context: CliContext): Promise<Served> {
  const simulator = createTransbankSimulator({
    ledgerFile,
    timeScale: options.pace,
    currency: currency.parse(currencyOf(options)),
    terminalId: options.terminalId,
    dialect: named(transbankDialects, options.dialect),
    clock: context.clock,
    log: silentLog,
  });
  // Its line by default, as the documentation has it.
  const settings = { ...serialSettings, baudRate: 115_200, stopBits: 1 } as const;
  return serveOnLine(simulator, settings, options, context);
}

function serveEcrEdc(options: SimulatorOptions, ledgerFile: string, context: CliContext): Promise<Served> {
  const simulator = createEcrEdcSimulator({
    ledgerFile,
    timeScale: options.pace,
    profile: options.profile,
    currency: currency.parse(currencyOf(options)),
    terminalId: options.terminalId,
    dialect: named(ecrEdcDialects, options.dialect),
    clock: context.clock,
    log: silentLog,
  });
  return serveOnLine(simulator, { ...serialSettings, baudRate: 9_600, stopBits: 1 }, options, context);
}

function serveEcr17(options: SimulatorOptions, ledgerFile: string, context: CliContext): Promise<Served> {
  const simulator = createEcr17Simulator({
    ledgerFile,
    timeScale: options.pace,
    currency: currency.parse(currencyOf(options)),
    terminalId: options.terminalId,
    dialect: named(ecr17Dialects, options.dialect),
    clock: context.clock,
    log: silentLog,
  });
  return serveOnLine(simulator, { ...serialSettings, baudRate: 9_600, stopBits: 1 }, options, context);
}

/** Which of them there are has been checked. */
function named<T>(dialects: Readonly<Record<string, T>>, name: string): T | undefined {
  return dialects[name];
}

function currencyOf({ currency, protocol }: SimulatorOptions): string {
  return currency ?? simulators[protocol].currency;
}

/** An address of IPv6 stands in brackets before a port. */
function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function serveOnLine(
  simulator: ReachableSimulator,
  settings: SerialSettings,
  options: SimulatorOptions,
  context: CliContext,
): Promise<Served> {
  if (options.serial === true) {
    const served = await serveSimulatorOnPseudoTerminal(simulator, { clock: context.clock });
    return { address: `serial:${served.path}`, close: () => served.close() };
  }
  if (options.serial !== undefined) {
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
function whatIsWrong(options: SimulatorOptions): string | null {
  const { protocol, http } = options;
  const { name, dialects: known, reachedBy, terminalId } = simulators[protocol];
  if ((reachedBy === 'http') !== (http !== undefined)) {
    return reachedBy === 'http'
      ? 'Choose a port: --http PORT (0: any free port).'
      : '--http is for --protocol kpay.';
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
  if (!currency.safeParse(currencyOf(options)).success) {
    return `--currency ${currencyOf(options)} is unknown; it must be an ISO 4217 code such as EUR.`;
  }
  if (protocol === 'transbank' && currencyExponent(currency.parse(currencyOf(options))) !== 0) {
    return `--currency ${currencyOf(options)} has a minor unit; a Transbank terminal takes whole amounts, such as CLP.`;
  }
  if (protocol === 'ecr-edc' && currencyExponent(currency.parse(currencyOf(options))) !== 2) {
    return `--currency ${currencyOf(options)} has no two decimals; an ECR-EDC terminal takes hundredths, such as of THB.`;
  }
  if (protocol === 'ecr17' && currencyOf(options) !== 'EUR') {
    return `--currency ${currencyOf(options)}: an ECR17 terminal takes euros only.`;
  }
  if (!known.includes(options.dialect)) {
    return `--dialect ${options.dialect} is not one of ${name}: ${known.join(', ')}.`;
  }
  if (!/^\d{6}$/.test(options.password)) return '--password must be six digits, such as "000000".';
  if (options.terminalId !== undefined && !terminalId.pattern.test(options.terminalId)) {
    return `--terminal-id must be ${terminalId.form}.`;
  }
  return null;
}
