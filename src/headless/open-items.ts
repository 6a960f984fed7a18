/**
 * What waits for a person in the journals of a data folder, operations in doubt or discrepancies: asked of the bridge
 * that runs on a journal, or read from its file when none does.
 */
import { openJournalReadOnly, type ReadOnlyJournal } from '../bridge/journal/index.ts';
import {
  listDoubts,
  maxListedDiscrepancies,
  type DiscrepancyView,
  type DoubtView,
} from '../bridge/payments/index.ts';
import type { Clock } from '../contract/clock.ts';
import type { ControlAnswer, ControlRequest } from '../contract/control.ts';
import { askBridge } from '../host/control/client.ts';
import { journalPlaces, noJournal, type JournalPlace } from '../host/journal-places.ts';
import { exitFailed, exitOk, type World } from './world.ts';

/** One kind of them, and how it is got from a bridge and from a file. */
export interface ItemKind<Item> {
  /** Also the key in the output as JSON. */
  name: string;
  request: ControlRequest;
  /** Null for an answer to something else. */
  inAnswer(answer: ControlAnswer): Item[] | null;
  inFile(journal: ReadOnlyJournal): Item[];
  /** "2 operations are in doubt." */
  count(items: Item[]): string;
  describe(item: Item, bridge: 'running' | 'stopped'): string;
}

export const doubtItems: Pick<ItemKind<DoubtView>, 'name' | 'request' | 'inAnswer' | 'inFile'> = {
  name: 'doubts',
  request: { ask: 'doubts' },
  inAnswer: (answer) => (answer.answer === 'doubts' ? answer.doubts : null),
  inFile: (journal) => listDoubts(journal),
};

export const discrepancyItems: Pick<ItemKind<DiscrepancyView>, 'name' | 'request' | 'inAnswer' | 'inFile'> = {
  name: 'discrepancies',
  request: { ask: 'discrepancies' },
  inAnswer: (answer) => (answer.answer === 'discrepancies' ? answer.discrepancies : null),
  inFile: (journal) => journal.openDiscrepancies(maxListedDiscrepancies),
};

type Source<Item> = Pick<ItemKind<Item>, 'request' | 'inAnswer' | 'inFile'>;

export type OpenItems<Item> =
  { ok: true; bridge: 'running' | 'stopped'; items: Item[] } | { ok: false; message: string };

export async function readOpenItems<Item>(
  { folder }: JournalPlace,
  source: Source<Item>,
  clock: Clock,
): Promise<OpenItems<Item>> {
  const reply = await askBridge(folder, source.request, clock);
  switch (reply.kind) {
    case 'answered': {
      const items = source.inAnswer(reply.answer);
      return items === null ? { ok: false, message: otherAnswer(reply.answer) } : running(items);
    }
    case 'failed':
      return { ok: false, message: reply.message };
    case 'no_bridge': {
      const opened = openJournalReadOnly(folder);
      if (opened.kind !== 'opened') return { ok: false, message: opened.message };
      try {
        return { ok: true, bridge: 'stopped', items: source.inFile(opened.journal) };
      } finally {
        opened.journal.close();
      }
    }
  }
}

function running<Item>(items: Item[]): OpenItems<Item> {
  return { ok: true, bridge: 'running', items };
}

/** What a bridge says that does not answer the question. */
export function otherAnswer(answer: ControlAnswer): string {
  return answer.answer === 'refused' ? answer.message : 'The bridge answered something else.';
}

/** Prints all of one kind, journal by journal; gives the exit code. */
export async function listOpenItems<Item>(
  kind: ItemKind<Item>,
  dataDir: string,
  options: { simulator?: true; json?: true },
  world: World,
): Promise<number> {
  const simulatorOnly = options.simulator === true;
  const places = journalPlaces(dataDir, simulatorOnly);
  if (places.length === 0) {
    world.complain(noJournal(dataDir, simulatorOnly));
    return exitFailed;
  }
  let exitCode = exitOk;
  const journals = [];
  for (const place of places) {
    const found = await readOpenItems(place, kind, world.clock);
    if (!found.ok) {
      world.complain(`${capital(place.words)}: ${found.message}`);
      exitCode = exitFailed;
      continue;
    }
    const { bridge, items } = found;
    journals.push({ folder: place.folder, simulated: place.simulated, bridge, [kind.name]: items });
    if (options.json !== true) world.print(listing(kind, place, bridge, items));
  }
  if (options.json === true) world.print(JSON.stringify({ journals }));
  return exitCode;
}

function listing<Item>(
  kind: ItemKind<Item>,
  place: JournalPlace,
  bridge: 'running' | 'stopped',
  items: Item[],
): string {
  const state = bridge === 'running' ? 'its bridge is running' : 'no bridge is running on it';
  return [
    `${capital(place.words)} (${state}): ${kind.count(items)}`,
    ...items.map((item) => kind.describe(item, bridge)),
  ].join('\n\n');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
