/**
 * A named person's decision on something that waits for one: the item is found among the journals of a data folder, and
 * the decision goes to the bridge that runs on its journal, or into the journal itself when none does.
 */
import { type Journal, openJournal } from '../bridge/journal/index.ts';
import { silentLog } from '../log/index.ts';
import type { ControlAnswer, ControlRequest } from '../contract/control-channel.ts';
import type { Result } from '../contract/errors.ts';
import {
  type JournalChoice,
  type JournalLocation,
  sendControlRequest,
  findJournals,
  noJournalMessage,
} from '../host/index.ts';
import { otherAnswer, readOpenItems, type ItemKind } from './open-items.ts';
import { exitFailed, exitOk, oneLine, type CliContext } from './cli-context.ts';

export interface Decision<Item> {
  source: Pick<ItemKind<Item>, 'request' | 'inAnswer' | 'inFile'>;
  fits(item: Item): boolean;
  /** The message when none fits; `where` names the journals that were searched, which are in `dataDir`. */
  none(where: string, dataDir: string): string;
  /** When several fit: the line above the list of them, and one line of it. */
  several: { title: string; line(item: Item): string };
  request(item: Item): ControlRequest;
  accepted: ControlAnswer['answer'];
  /** The same on the journal of a stopped bridge. */
  write(journal: Journal, item: Item): Result<unknown>;
  /** What to print when it is done. */
  done(item: Item): string;
}

/** Gives the exit code. */
export async function carryOutDecision<Item>(
  decision: Decision<Item>,
  dataDir: string,
  journals: JournalChoice,
  context: CliContext,
): Promise<number> {
  const places = findJournals(dataDir, journals);
  const fitting: { place: JournalLocation; item: Item }[] = [];
  const troubles: string[] = [];
  for (const place of places) {
    const found = await readOpenItems(place, decision.source, context.clock);
    if (found.ok) {
      const items = found.items.filter((item) => decision.fits(item));
      fitting.push(...items.map((item) => ({ place, item })));
    } else {
      troubles.push(`Problem with ${place.description}: ${found.message}`);
    }
  }
  const [first, ...others] = fitting;
  if (first === undefined) {
    const where = places.map((place) => place.description).join(' or ');
    for (const trouble of troubles) context.error(oneLine(trouble));
    context.error(places.length === 0 ? noJournalMessage(dataDir, journals) : decision.none(where, dataDir));
    return exitFailed;
  }
  if (others.length > 0) {
    const list = fitting.map(({ place, item }) => `  ${decision.several.line(item)}, ${place.description}`);
    context.error([decision.several.title, ...list.map(oneLine)].join('\n'));
    return exitFailed;
  }
  const refusal = await submit(decision, first.place, first.item, context);
  if (refusal !== null) {
    context.error(oneLine(refusal));
    return exitFailed;
  }
  context.stdout(oneLine(`${decision.done(first.item)} It is recorded in ${first.place.description}.`));
  return exitOk;
}

/** Null when it is done, or a sentence that says why not. */
async function submit<Item>(
  decision: Decision<Item>,
  { folder }: JournalLocation,
  item: Item,
  context: CliContext,
): Promise<string | null> {
  const reply = await sendControlRequest(folder, decision.request(item), context.clock);
  if (reply.kind === 'failed') return reply.message;
  if (reply.kind === 'answered') {
    return reply.answer.answer === decision.accepted ? null : otherAnswer(reply.answer);
  }
  // A bridge that starts at this very moment has the journal's lock, and `openJournal` says so.
  const opened = openJournal({ folder, clock: context.clock, log: silentLog, version: context.version });
  if (opened.kind !== 'opened') return opened.message;
  try {
    const written = decision.write(opened.journal, item);
    return written.ok ? null : written.refusal.message;
  } finally {
    opened.journal.close();
  }
}
