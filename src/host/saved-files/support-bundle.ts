/** What goes into a support bundle. Everything passes the card number mask on its way in, whatever it was before. */
import os from 'node:os';
import path from 'node:path';
import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { withoutSecrets } from '../../contract/configuration.ts';
import { listSerialPorts } from '../../bridge/lines/index.ts';
import { drainLogs, maskCardNumbers, maskLine } from '../../log/index.ts';
import type { JournalReading } from '../../bridge/bridge.ts';
import { openJournalReadOnly } from '../../bridge/journal/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { findJournals, journalLocation } from '../data-folder.ts';
import { terminalsWithoutSecrets } from '../settings/terminal-secrets.ts';
import type { MethodContext } from '../methods/context.ts';
import {
  discrepancyExtract,
  faultReportsIn,
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
  const { supervisor, hostLog, version, clock, dataDir } = context;
  const entries: string[] = [];
  const named = (entry: ZipEntry): ZipEntry => {
    entries.push(entry.name);
    return entry;
  };

  yield named(jsonEntry('versions.json', versions(version, clock)));
  yield named(jsonEntry('state.json', context.state()));
  yield named(jsonEntry('configuration.json', configurationWithoutSecrets(context)));
  yield named(jsonEntry('ports.json', await ports(notes)));
  const office = context.officeStatus();
  if (office !== null) yield named(jsonEntry('office-status.json', office));
  for await (const entry of logEntries(context, notes)) yield named(entry);

  const { store } = hostLog;
  if (store !== null)
    yield named({
      name: 'log-book.jsonl',
      content: untilFault(notes, 'log-book.jsonl', () => logExtract(store)),
    });

  for (const name of await faultReportsIn(path.join(dataDir, 'crashes'))) {
    const file = path.join(dataDir, 'crashes', name);
    yield named({ name: `crashes/${name}`, content: untilFault(notes, name, () => maskedText(file)) });
  }

  const { running } = supervisor;
  if (running !== null && running.bridge.journal !== null) {
    for (const { name, journal, damage } of running.bridge.terminals) {
      const { folder } = running.terminals.find((one) => one.name === name) ?? running;
      if (journal === null) notes.push(`The journal of the terminal "${name}" is not in it: ${damage ?? ''}`);
      else for (const entry of journalEntries(folder, journal, prefixOf(name), notes)) yield named(entry);
    }
  } else {
    for (const entry of closedJournals(dataDir, notes)) yield named(entry);
  }
  yield {
    name: 'README.txt',
    content: [maskCardNumbers(bundleReadme(entries, notes, clock.now(), version))],
  };
}

/** Of the names of entries that are about a terminal beside the main one. */
function prefixOf(terminal: string): string {
  return terminal === mainTerminal ? '' : `terminal-${terminal}-`;
}

/** `before` stands before the names. */
function* journalEntries(
  folder: string,
  journal: Pick<JournalReading, 'lastSeq' | 'discrepancies'>,
  before: string,
  notes: string[],
): Generator<ZipEntry> {
  const [found, events] = [`${before}discrepancies.jsonl`, `${before}journal.jsonl`];
  yield { name: found, content: untilFault(notes, found, () => discrepancyExtract(journal)) };
  let last: number;
  try {
    last = journal.lastSeq();
  } catch (error) {
    notes.push(`${events} is not in it: ${errorText(error)}`);
    return;
  }
  yield { name: events, content: untilFault(notes, events, () => journalExtract(folder, last)) };
  if (last > maxEvents) notes.push(`${events} has the newest ${maxEvents} events only.`);
}

/** The journals of a data folder on which no bridge runs here. */
function* closedJournals(dataDir: string, notes: string[]): Generator<ZipEntry> {
  const places = findJournals(dataDir);
  if (places.length === 0) notes.push('There is no journal.jsonl: there is no journal.');
  for (const { folder, simulated, terminal, description } of places) {
    try {
      const opened = openJournalReadOnly(folder);
      if (opened.kind !== 'opened') {
        notes.push(`${description} is not in it: ${opened.message}`);
        continue;
      }
      try {
        const before = (simulated ? 'simulator-' : '') + prefixOf(terminal);
        yield* journalEntries(folder, opened.journal, before, notes);
      } finally {
        opened.journal.close();
      }
    } catch (error) {
      notes.push(`${description} is not in it: ${errorText(error)}`);
    }
  }
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

/** A file that this program has written, and kept short. */
function maskedText(file: string): string[] {
  return [maskCardNumbers(readFileSync(file, 'utf8'))];
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
  const { secretsSet, fixed, secrets, dataDir, settings: shown } = settingsView();
  return {
    configuration: {
      ...withoutSecrets(configuration),
      terminal,
      terminals: terminalsWithoutSecrets(configuration.terminals),
    },
    app: shown.app,
    secretsSet,
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
  'office-status.json': 'what the head office has of the journals, and what is wrong on the way there',
  'log-book.jsonl': 'the newest log lines with every frame on the line to the terminal',
  'discrepancies.jsonl': 'what terminal and journal disagreed about, newest first, with who acknowledged it',
  'journal.jsonl': 'the newest events of the journal, one JSON object a line, with their hashes',
  'simulator-discrepancies.jsonl': "the same of the simulator's journal",
  'simulator-journal.jsonl': "the newest events of the simulator's journal",
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
  if (/\/capture(?:-[^/]+)?\.jsonl$/.test(name))
    return 'what went over the line to the terminal; "tillbridge replay" plays it again';
  if (/^(?:simulator-)?terminal-/.test(name)) return 'the same of one more terminal, by its name';
  if (name.startsWith('crashes/')) return 'what is known of a fault that ended the app or its bridge';
  return name.startsWith('simulator-') ? 'log lines (JSON) of bridges on the simulator' : 'log lines (JSON)';
}
