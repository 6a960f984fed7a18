/**
 * What waits for a person in the journals of a data folder, operations in doubt or discrepancies: asked of the bridge
 * that runs on a journal, or read from its file when none does.
 */
import { JournalWriteError, type ReadOnlyJournal, openJournalReadOnly } from '../bridge/journal/index.ts';
import {
  type DiscrepancyView,
  type InDoubtView,
  listOperationsInDoubt,
  maxListedDiscrepancies,
  openDiscrepancies,
} from '../bridge/payments/index.ts';
import { capital } from './journal-event-text.ts';
import type { Clock } from '../base/clock.ts';
import type { ControlAnswer, ControlRequest } from '../contract/control-channel.ts';
import {
  type JournalChoice,
  type JournalLocation,
  sendControlRequest,
  findJournals,
  noJournalMessage,
} from '../host/index.ts';
import { exitFailed, exitOk, oneLine, type CliContext } from './cli-context.ts';

/** One kind of them, and how it is got from a bridge and from a file. */
export interface ItemKind<Item> {
  /** Also the key in the output as JSON. */
  name: string;
  request: ControlRequest;
  /** What asks for those that did not fit into an answer with `items`; null where that was all. */
  next?(items: Item[]): ControlRequest | null;
  /** Null for an answer to something else. */
  inAnswer(answer: ControlAnswer): Item[] | null;
  inFile(journal: ReadOnlyJournal): Item[];
  /** "2 operations are in doubt." */
  count(items: Item[]): string;
  describe(item: Item, bridge: 'running' | 'stopped', place: JournalLocation): string;
  /** A line on what else waits for a person in this journal; null where nothing does. */
  beside?(place: JournalLocation, clock: Clock): Promise<string | null>;
}

export const doubtItems: Pick<ItemKind<InDoubtView>, 'name' | 'request' | 'inAnswer' | 'inFile'> = {
  name: 'doubts',
  request: { ask: 'doubts' },
  inAnswer: (answer) => (answer.answer === 'doubts' ? answer.doubts : null),
  inFile: (journal) => listOperationsInDoubt(journal),
};

export const discrepancyItems: Pick<
  ItemKind<DiscrepancyView>,
  'name' | 'request' | 'next' | 'inAnswer' | 'inFile'
> = {
  name: 'discrepancies',
  request: { ask: 'discrepancies' },
  next(items) {
    const last = items.at(-1);
    if (last === undefined || items.length < maxListedDiscrepancies) return null;
    return { ask: 'discrepancies', after: last.seq };
  },
  inAnswer: (answer) => (answer.answer === 'discrepancies' ? answer.discrepancies : null),
  inFile: (journal) => [...openDiscrepancies(journal)],
};

type Source<Item> = Pick<ItemKind<Item>, 'request' | 'next' | 'inAnswer' | 'inFile'>;

export type OpenItems<Item> =
  { ok: true; bridge: 'running' | 'stopped'; items: Item[] } | { ok: false; message: string };

export async function readOpenItems<Item>(
  { folder }: JournalLocation,
  source: Source<Item>,
  clock: Clock,
): Promise<OpenItems<Item>> {
  const reply = await sendControlRequest(folder, source.request, clock);
  switch (reply.kind) {
    case 'answered':
      return readOn(folder, source, reply.answer, clock);
    case 'failed':
      return { ok: false, message: reply.message };
    case 'no_bridge':
      return readInFile(folder, source);
  }
}

/** One journal that cannot be read, or only in part, hides no other one. */
function readInFile<Item>(folder: string, source: Source<Item>): OpenItems<Item> {
  try {
    const opened = openJournalReadOnly(folder);
    if (opened.kind !== 'opened') return { ok: false, message: opened.message };
    try {
      return { ok: true, bridge: 'stopped', items: source.inFile(opened.journal) };
    } finally {
      opened.journal.close();
    }
  } catch (error) {
    if (error instanceof JournalWriteError) return { ok: false, message: error.message };
    throw error;
  }
}

/** All that a running bridge has, which may not fit into its first answer. */
async function readOn<Item>(
  folder: string,
  source: Source<Item>,
  first: ControlAnswer,
  clock: Clock,
): Promise<OpenItems<Item>> {
  const all: Item[] = [];
  for (let answer = first; ;) {
    const items = source.inAnswer(answer);
    if (items === null) return { ok: false, message: otherAnswer(answer) };
    all.push(...items);
    const request = source.next?.(items) ?? null;
    if (request === null) return running(all);
    const reply = await sendControlRequest(folder, request, clock);
    if (reply.kind !== 'answered') {
      const message = reply.kind === 'failed' ? reply.message : 'The bridge stopped before it answered.';
      return { ok: false, message };
    }
    ({ answer } = reply);
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
  journals: JournalChoice,
  json: boolean,
  context: CliContext,
): Promise<number> {
  const places = findJournals(dataDir, journals);
  if (places.length === 0) {
    context.error(noJournalMessage(dataDir, journals));
    return exitFailed;
  }
  let exitCode = exitOk;
  const listed = [];
  for (const place of places) {
    const found = await readOpenItems(place, kind, context.clock);
    if (!found.ok) {
      context.error(oneLine(`${capital(place.description)}: ${found.message}`));
      exitCode = exitFailed;
      continue;
    }
    const { bridge, items } = found;
    const { folder, simulated, terminal } = place;
    listed.push({ folder, simulated, terminal, bridge, [kind.name]: items });
    if (json) continue;
    const beside = (await kind.beside?.(place, context.clock)) ?? null;
    context.stdout(listing(kind, place, bridge, items) + (beside === null ? '' : `\n\n${beside}`));
  }
  if (json) context.stdoutExact(JSON.stringify({ journals: listed }));
  return exitCode;
}

function listing<Item>(
  kind: ItemKind<Item>,
  place: JournalLocation,
  bridge: 'running' | 'stopped',
  items: Item[],
): string {
  const state = bridge === 'running' ? 'its bridge is running' : 'no bridge is running on it';
  return [
    `${capital(place.description)} (${state}): ${kind.count(items)}`,
    ...items.map((item) => kind.describe(item, bridge, place)),
  ].join('\n\n');
}
