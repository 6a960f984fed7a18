/** Runs the head office until a signal, and asks one that runs. */
import path from 'node:path';
import { startDeadline } from '../base/abort.ts';
import { codeOf } from '../base/connect-error.ts';
import { replaceFile } from '../base/atomic-file.ts';
import { errorText } from '../base/error-text.ts';
import { makeFolders, readPlainFile } from '../base/private-files.ts';
import { createLog } from '../log/index.ts';
import {
  createOffice,
  DatabaseError,
  DatabaseTooNewError,
  OfficeListenError,
  sendBySmtp,
  type Database,
} from '../office/index.ts';
import { DatabaseInUseError, openOfficeDatabase } from './office-database.ts';
import { readOfficeAlarms } from './office-alarms.ts';
import { readOfficeDepositRules } from './office-deposit-rules.ts';
import { providerOf, type SignInFlags } from './office-sign-in.ts';
import { watchStopSignals } from './stop-signals.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';

export interface OfficeFlags extends SignInFlags {
  database?: string;
  port: number;
  host?: string;
  publicUrl?: string;
  alarms?: string;
  depositRules?: string;
  dataDir?: string;
}

/** The key with which the command line asks an office of this computer; made at its first start. */
const administratorKeyFile = 'administrator-key';
/** The key with which Prometheus reads the numbers of this process, and nothing else. */
const metricsKeyFile = 'metrics-key';
const keyBytes = 32;
const maxKeyBytes = 256;

export async function runOffice(flags: OfficeFlags, context: CliContext): Promise<number> {
  const { port, host = null } = flags;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    context.error('--port must be a whole number from 0 to 65535.');
    return exitUsage;
  }
  const publicOrigin = originOf(flags.publicUrl);
  if (publicOrigin === null && flags.publicUrl !== undefined) {
    context.error('--public-url must be an address without a path, such as https://office.example.');
    return exitUsage;
  }
  const provider = providerOf(flags, context);
  if ('wrong' in provider) {
    context.error(oneLine(provider.wrong));
    return exitUsage;
  }
  const dataDir = officeFolder(flags.dataDir, context);
  const alarms = readOfficeAlarms(flags.alarms, dataDir, context);
  if (!alarms.ok) {
    for (const error of alarms.errors) context.error(oneLine(error));
    return exitUsage;
  }
  for (const warning of alarms.warnings) context.error(oneLine(warning));
  const { settings } = alarms;
  const deposits = readOfficeDepositRules(flags.depositRules, dataDir, context);
  if (!deposits.ok) {
    for (const error of deposits.errors) context.error(oneLine(error));
    return exitUsage;
  }
  const signals = watchStopSignals(context);
  const opened = openLog(dataDir, context);
  if (opened === null) {
    signals.release();
    return exitFailed;
  }
  const { log, close: closeLog } = opened;
  let database: Database | null = null;
  try {
    const { clock, chance, version } = context;
    const [administratorKey, metricsKey] = [administratorKeyFile, metricsKeyFile].map(
      (name) => keyOf(dataDir, name) ?? makeKey(dataDir, name, context),
    ) as [string, string];
    database = await openOfficeDatabase(flags.database, dataDir, { clock, chance, log });
    const office = await createOffice({
      database,
      port,
      host,
      version,
      administratorKey,
      metricsKey,
      rendererFolder: context.rendererFolder,
      publicOrigin,
      provider: provider.settings,
      alarms: { settings, fetch, sendMail: sendBySmtp },
      depositRules: deposits.rules,
      clock,
      chance,
      log,
    });
    context.info(`Office listening on ${office.addresses.join(' and ')}`);
    context.info(
      flags.database === undefined
        ? `Its database is PGlite, in ${dataDir}: for a trial, or for a small chain. A power cut can spoil it, so keep a copy, or use PostgreSQL (--database).`
        : 'Its database is PostgreSQL.',
    );
    if (settings.receivers.length === 0) {
      context.info(
        'Alarms: nobody is told of them. "tillbridge office alarms" lists them; --alarms names receivers.',
      );
    } else {
      const names = settings.receivers.map(({ name }) => name).join(', ');
      context.info(oneLine(`Alarms: ${settings.rules.length} rules; told are ${names}.`));
    }
    context.info('A shop joins with a code: tillbridge office code "NAME OF THE SHOP"');
    if (context.rendererFolder === null) {
      context.error('The office’s page has not been built yet: run "npm run build".');
    } else {
      context.info('Open the page, once and within an hour, with', await office.makeLink());
      context.info('Another link: tillbridge office link');
    }
    await signals.first;
    await office.close();
    context.endSoon();
    return exitOk;
  } catch (error) {
    await database?.close().catch(() => {});
    if (!isExpected(error)) throw error;
    context.error(oneLine(`The office cannot start: ${errorText(error)}`));
    return exitFailed;
  } finally {
    await closeLog();
    signals.release();
  }
}

/** Null, and said why, where its folder cannot be used. */
function openLog(dataDir: string, context: CliContext): ReturnType<typeof createLog> | null {
  try {
    makeFolders(dataDir);
    return createLog({ folder: dataDir, level: 'info', clock: context.clock });
  } catch (error) {
    if (!isExpected(error)) throw error;
    context.error(
      oneLine(
        `The office cannot start: its data folder ${dataDir} cannot be used (${errorText(error)}). Name another one with --data-dir, or start it as the user that this one belongs to.`,
      ),
    );
    return null;
  }
}

/** Null: none was given, or it is more or less than an origin. */
function originOf(text: string | undefined): string | null {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb && `${url.origin}/` === url.href ? url.origin : null;
}

function isExpected(error: unknown): error is Error {
  return (
    error instanceof DatabaseError ||
    error instanceof DatabaseTooNewError ||
    error instanceof DatabaseInUseError ||
    error instanceof OfficeListenError ||
    (error instanceof Error && 'syscall' in error)
  );
}

export function officeFolder(given: string | undefined, context: CliContext): string {
  return path.resolve(context.currentFolder, given ?? path.join(context.defaultDataDir, 'head-office'));
}

export interface AskFlags {
  url?: string;
  dataDir?: string;
  json?: true;
}

const defaultOfficeUrl = 'http://127.0.0.1:8070';
const askTimeoutMs = 30_000;

/** Asks the office, and hands its answer to `show`. What it refuses goes to standard error in its own words. */
export async function askOffice(
  question: { method: 'GET' | 'POST'; path: string; body?: unknown },
  flags: AskFlags,
  context: CliContext,
  show: (answer: never) => string[],
  isSuccess: (answer: never) => boolean = () => true,
): Promise<number> {
  const key = keyOf(officeFolder(flags.dataDir, context), administratorKeyFile);
  if (key === null) {
    context.error(
      `There is no key of an office in ${officeFolder(flags.dataDir, context)}. Start one with "tillbridge office", or name its folder with --data-dir.`,
    );
    return exitFailed;
  }
  const url = new URL(`/office/v1${question.path}`, flags.url ?? defaultOfficeUrl);
  let answer: unknown;
  const deadline = startDeadline(context.clock, askTimeoutMs);
  try {
    const response = await fetch(url, {
      method: question.method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: deadline.signal,
      ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
    });
    answer = await response.json();
    if (!response.ok) {
      const { message = `It answered ${response.status}.` } = answer as { message?: string };
      context.error(oneLine(message));
      return exitFailed;
    }
  } catch (error) {
    const why = deadline.passed ? `no answer within ${askTimeoutMs / 1000} seconds` : noAnswer(error);
    context.error(oneLine(`The office at ${url.origin} cannot be asked: ${why}`));
    return exitFailed;
  } finally {
    deadline.cancel();
  }
  if (flags.json === true) context.stdoutExact(JSON.stringify(answer, null, 2));
  else for (const line of show(answer as never)) context.stdout(oneLine(line));
  return isSuccess(answer as never) ? exitOk : exitFailed;
}

/** `fetch` itself only says that it failed; the reason lies behind. */
function noAnswer(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const code = cause instanceof Error ? codeOf(cause) : '';
  if (code === 'ECONNREFUSED') return 'nothing answers there. Is the office running, and is --url right?';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'its name is not known on this network. Is --url right?';
  if (error instanceof SyntaxError) return 'what answers there is no office. Is --url right?';
  return errorText(cause);
}

function keyOf(dataDir: string, name: string): string | null {
  try {
    return readPlainFile(path.join(dataDir, name), { maxBytes: maxKeyBytes }).toString('utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function makeKey(dataDir: string, name: string, { chance }: CliContext): string {
  const key = Buffer.from(chance.bytes(keyBytes)).toString('base64url');
  replaceFile(path.join(dataDir, name), `${key}\n`);
  return key;
}
