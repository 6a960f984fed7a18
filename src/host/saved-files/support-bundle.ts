/** What goes into a support bundle. Everything passes the card number mask on its way in, whatever it was before. */
import os from 'node:os';
import path from 'node:path';
import { statSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { listSerialPorts } from '../../bridge/lines/index.ts';
import { drainLogs, maskCardNumbers, maskLine } from '../../log/index.ts';
import { journalLocation } from '../data-folder.ts';
import type { MethodContext } from '../methods/context.ts';
import {
  discrepancyExtract,
  journalExtract,
  maxEvents,
  logExtract,
  logFilesIn,
  maskedLines,
} from './bundle-extracts.ts';
import type { ZipEntry } from './zip.ts';

/** Of all log files together, before they are compressed; older ones are left out. */
const maxLogBytes = 64 * 1024 * 1024;

/** The last entry is the README, because it also says what had to be left out. */
export async function* bundleEntries(context: MethodContext): AsyncGenerator<ZipEntry> {
  const notes: string[] = [];
  const { supervisor, hostLog, version, clock } = context;
  const entries: string[] = [];
  const named = (entry: ZipEntry): ZipEntry => {
    entries.push(entry.name);
    return entry;
  };

  yield named(jsonEntry('versions.json', versions(version, clock)));
  yield named(jsonEntry('state.json', context.state()));
  yield named(jsonEntry('configuration.json', configurationWithoutSecrets(context)));
  yield named(jsonEntry('ports.json', await ports(notes)));
  for await (const entry of logEntries(context, notes)) yield named(entry);

  const { store } = hostLog;
  if (store !== null)
    yield named({
      name: 'log-book.jsonl',
      content: untilFault(notes, 'log-book.jsonl', () => logExtract(store)),
    });

  const { running } = supervisor;
  const journal = running?.bridge.journal ?? null;
  if (running === null || journal === null) notes.push('There is no journal.jsonl: no journal was open.');
  else {
    const { folder } = running;
    const found = untilFault(notes, 'discrepancies.jsonl', () => discrepancyExtract(journal));
    yield named({ name: 'discrepancies.jsonl', content: found });
    const content = untilFault(notes, 'journal.jsonl', () => journalExtract(folder, journal.lastSeq()));
    yield named({ name: 'journal.jsonl', content });
    if (journal.lastSeq() > maxEvents) notes.push(`journal.jsonl has the newest ${maxEvents} events only.`);
  }
  yield {
    name: 'README.txt',
    content: [maskCardNumbers(bundleReadme(entries, notes, clock.now(), version))],
  };
}

async function* logEntries({ dataDir }: MethodContext, notes: string[]): AsyncGenerator<ZipEntry> {
  let leftBytes = maxLogBytes;
  drainLogs();
  for (const simulated of [false, true]) {
    const { folder } = journalLocation(dataDir, simulated);
    const below = simulated ? 'simulator-logs' : 'logs';
    for (const file of await logFilesIn(path.join(folder, 'logs'))) {
      const name = `${below}/${path.basename(file)}`;
      const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > leftBytes) {
        notes.push(`${name} is left out: the log files together are too long.`);
        continue;
      }
      leftBytes -= bytes;
      yield { name, content: untilFault(notes, name, () => maskedLines(file)) };
    }
  }
}

/** What cannot be read further ends there, and the README says so: half a bundle helps more than none. */
async function* untilFault(
  notes: string[],
  name: string,
  read: () => AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  try {
    for await (const piece of read()) yield piece;
  } catch (error) {
    notes.push(`${name} is not whole: ${errorText(error)}`);
  }
}

function jsonEntry(name: string, value: unknown): ZipEntry {
  // On one line for the mask, which keeps it JSON, and then in a form for people.
  const masked: unknown = JSON.parse(maskLine(JSON.stringify(value)));
  return { name, content: [`${JSON.stringify(masked, null, 2)}\n`] };
}

function versions(version: string, clock: Clock): Record<string, unknown> {
  return {
    tillbridge: version,
    runtime: process.versions,
    platform: process.platform,
    architecture: process.arch,
    system: `${os.type()} ${os.release()}`,
    memoryBytes: os.totalmem(),
    upSinceSeconds: Math.round(clock.elapsed() / 1_000),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Neither the password nor what is stored sealed; tokens are in a file of their own, which stays out. */
function configurationWithoutSecrets({ settings, settingsView }: MethodContext): Record<string, unknown> {
  const { configuration, terminal } = settings.inForce();
  const { password: _password, ...zvt } = configuration.zvt;
  const { passwordSet, fixed, secrets, dataDir, settings: shown } = settingsView();
  return {
    configuration: { ...configuration, terminal, zvt },
    app: shown.app,
    passwordSet,
    fixed: fixed.map(({ key, by }) => ({ key, by })),
    secrets,
    dataDir,
  };
}

async function ports(notes: string[]): Promise<unknown> {
  try {
    return await listSerialPorts();
  } catch (error) {
    notes.push(`The ports could not be listed: ${String(error)}`);
    return [];
  }
}

/** What the README says of each entry. */
const meanings: Record<string, string> = {
  'versions.json': 'versions of Tillbridge, of what it runs on, and of the system',
  'state.json': 'what the console showed: bridge, listener, terminal, what was in doubt',
  'configuration.json': 'the settings in force; passwords and tokens are left out',
  'ports.json': 'the serial ports that were found',
  'log-book.jsonl': 'the newest log lines with every frame on the line to the terminal',
  'discrepancies.jsonl': 'what terminal and journal disagreed about, newest first, with who acknowledged it',
  'journal.jsonl': 'the newest events of the journal, one JSON object a line, with their hashes',
};

function bundleReadme(entries: string[], notes: string[], now: number, version: string): string {
  const width = Math.max(...entries.map((name) => name.length)) + 2;
  const lines = [
    `Support bundle of Tillbridge ${version}, made at ${new Date(now).toISOString()}.`,
    '',
    'All texts were searched for card numbers; what looked like one keeps its first six and last four digits. A hash of',
    'the journal can be hit by that, too: to verify the chain use "tillbridge journal verify" beside the journal itself.',
    '',
    ...entries.map((name) => `${name.padEnd(width)}${meanings[name] ?? meaningOfLog(name)}`),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `Note: ${note}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function meaningOfLog(name: string): string {
  return name.startsWith('simulator-') ? 'log lines (JSON) of bridges on the simulator' : 'log lines (JSON)';
}
