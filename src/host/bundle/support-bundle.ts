/** What goes into a support bundle. Everything passes the card number mask on its way in, whatever it was before. */
import { statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listSerialPorts } from '../../bridge/lines/index.ts';
import { maskCardNumbers, maskLine } from '../../log/index.ts';
import { journalLocation } from '../journal-locations.ts';
import type { Clock } from '../../base/clock.ts';
import type { MethodContext } from '../methods/context.ts';
import { logExtract } from './log-extract.ts';
import { bundleReadme } from './bundle-readme.ts';
import { discrepancyExtract, journalExtract, maxEvents } from './journal-extract.ts';
import { logFilesIn, maskedLines } from './log-files.ts';
import type { ZipEntry } from './zip.ts';

/** Of all log files together, before they are compressed; older ones are left out. */
export const maxLogBytes = 64 * 1024 * 1024;

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
    notes.push(`${name} is not whole: ${error instanceof Error ? error.message : String(error)}`);
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
