/**
 * A named person's word on something that waits for one: it is found among the journals of a data folder, and said to
 * the bridge that runs on its journal, or to the journal itself when none does.
 */
import { type Journal, openJournal } from '../bridge/journal/index.ts';
import { silentLog } from '../log/index.ts';
import type { ControlAnswer, ControlRequest } from '../contract/control.ts';
import type { Result } from '../contract/errors.ts';
import { type JournalLocation, sendControlRequest, findJournals, noJournalMessage } from '../host/index.ts';
import { otherAnswer, readOpenItems, type ItemKind } from './open-items.ts';
import { exitFailed, exitOk, oneLine, type World } from './world.ts';

export interface Word<Item> {
  source: Pick<ItemKind<Item>, 'request' | 'inAnswer' | 'inFile'>;
  fits(item: Item): boolean;
  /** What to say when none fits; `where` names the journals that were searched. */
  none(where: string): string;
  /** What to say above a list of all that fit, and a line of it. */
  several: { title: string; line(item: Item): string };
  request(item: Item): ControlRequest;
  accepted: ControlAnswer['answer'];
  /** The same on the journal of a stopped bridge. */
  write(journal: Journal, item: Item): Result<unknown>;
  /** What to print when it is done. */
  done(item: Item): string;
}

/** Gives the exit code. */
export async function sayWord<Item>(
  word: Word<Item>,
  dataDir: string,
  simulatorOnly: boolean,
  world: World,
): Promise<number> {
  const places = findJournals(dataDir, simulatorOnly);
  const fitting: { place: JournalLocation; item: Item }[] = [];
  const troubles: string[] = [];
  for (const place of places) {
    const found = await readOpenItems(place, word.source, world.clock);
    if (found.ok) {
      const items = found.items.filter((item) => word.fits(item));
      fitting.push(...items.map((item) => ({ place, item })));
    } else {
      troubles.push(`Trouble with ${place.description}: ${found.message}`);
    }
  }
  const [first, ...others] = fitting;
  if (first === undefined) {
    const where = places.map((place) => place.description).join(' or ');
    for (const trouble of troubles) world.complain(oneLine(trouble));
    world.complain(places.length === 0 ? noJournalMessage(dataDir, simulatorOnly) : word.none(where));
    return exitFailed;
  }
  if (others.length > 0) {
    const list = fitting.map(({ place, item }) => `  ${word.several.line(item)}, ${place.description}`);
    world.complain([word.several.title, ...list.map(oneLine)].join('\n'));
    return exitFailed;
  }
  const refusal = await tell(word, first.place, first.item, world);
  if (refusal !== null) {
    world.complain(oneLine(refusal));
    return exitFailed;
  }
  world.print(oneLine(`${word.done(first.item)} It is written in ${first.place.description}.`));
  return exitOk;
}

/** Null when it is done, or a sentence that says why not. */
async function tell<Item>(
  word: Word<Item>,
  { folder }: JournalLocation,
  item: Item,
  world: World,
): Promise<string | null> {
  const reply = await sendControlRequest(folder, word.request(item), world.clock);
  if (reply.kind === 'failed') return reply.message;
  if (reply.kind === 'answered') {
    return reply.answer.answer === word.accepted ? null : otherAnswer(reply.answer);
  }
  // A bridge that starts at this very moment has the journal's lock, and `openJournal` says so.
  const opened = openJournal({ folder, clock: world.clock, log: silentLog, version: world.version });
  if (opened.kind !== 'opened') return opened.message;
  try {
    const answer = word.write(opened.journal, item);
    return answer.ok ? null : answer.refusal.message;
  } finally {
    opened.journal.close();
  }
}
