/** Whom the driver of a replay tells things: it answers what was answered then. */
import { terminalTraitSchema, type TerminalTrait } from '../../contract/terminal.ts';
import type { DriverWatch, OperationWatch } from '../terminals/terminal-driver.ts';
import type { CaptureEntry, EntryOf } from './capture-file.ts';

export interface ReplayOwner {
  watch: DriverWatch;
  operation: OperationWatch;
}

export function createReplayOwner(then: readonly CaptureEntry[]): ReplayOwner {
  const told = then.filter((entry): entry is EntryOf<'told'> => entry.kind === 'told');
  const answersTo = (what: EntryOf<'told'>['what']) =>
    told.filter((entry) => entry.what === what).map(({ answered }) => answered === true);
  const persisted = answersTo('persistResult');
  const noted = answersTo('notInBatch');
  const adopted = answersTo('lateResult');
  const unwritten = told
    .filter(({ what }) => what === 'mayBeAnother')
    .map(({ answered }) => answered === false);
  const known = new Map<unknown, Set<TerminalTrait>>();
  for (const { what, with: terminalId, answered } of told) {
    // What it learned later, it learns again.
    if (what === 'traits' && !known.has(terminalId))
      known.set(terminalId, new Set(terminalTraitSchema.array().catch([]).parse(answered)));
  }
  const traitsOf = (terminalId: string | null) => {
    const traits = known.get(terminalId) ?? new Set();
    known.set(terminalId, traits);
    return traits;
  };
  return {
    watch: {
      progress() {},
      lateResult: () => adopted.shift() ?? false,
      mayBeAnother: () => unwritten.shift() !== true,
      traits: traitsOf,
      learned: (terminalId, trait) => void traitsOf(terminalId).add(trait),
    },
    operation: {
      persistResult: () => persisted.shift() ?? true,
      resultRefused() {},
      notInBatch: () => noted.shift() ?? true,
      acknowledged() {},
      timed() {},
    },
  };
}
