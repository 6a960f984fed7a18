/** What cannot be read ends the run: whoever leaves it out would say of money that it is not there. */
import { dayOf } from './banking-days.ts';
import type { AccountEntry, ReconcileInput } from './types.ts';

/** The message is a sentence for the person who has started the run. */
export class ReconcileInputError extends Error {
  override name = 'ReconcileInputError';
}

/** Throws `ReconcileInputError`. */
export function checkInput({ batches, entries, known, decisions, today }: ReconcileInput): void {
  const mustBeDate = (whose: string, date: string) => {
    if (dayOf(date) === null) throw new ReconcileInputError(`${whose} has "${date}", which is no date.`);
  };
  mustBeDate('Today', today);
  for (const { id, closedAt, totalMinor } of batches) {
    if (Number.isNaN(Date.parse(closedAt)))
      throw new ReconcileInputError(`Batch ${id} was closed at "${closedAt}", which is no time.`);
    if (!Number.isSafeInteger(totalMinor))
      throw new ReconcileInputError(`Batch ${id} has a total that is no whole number of minor units.`);
  }
  const byId = new Map<string, AccountEntry>();
  for (const entry of entries) {
    const { id, date, amountMinor } = entry;
    mustBeDate(`Entry ${id}`, date);
    if (!Number.isSafeInteger(amountMinor))
      throw new ReconcileInputError(`Entry ${id} has an amount that is no whole number of minor units.`);
    const other = byId.get(id);
    if (other !== undefined && !isSame(other, entry))
      throw new ReconcileInputError(`Two entries that are not the same have the id ${id}.`);
    byId.set(id, entry);
  }
  for (const { account, from, until } of known) {
    mustBeDate(`What is known of account ${account}`, from);
    mustBeDate(`What is known of account ${account}`, until);
  }
  for (const { batchId, at } of decisions) {
    if (Number.isNaN(Date.parse(at)))
      throw new ReconcileInputError(`A decision on batch ${batchId} is of "${at}", which is no time.`);
  }
}

/** The texts may be told at more length another time. */
function isSame(one: AccountEntry, other: AccountEntry): boolean {
  return (
    one.account === other.account &&
    one.date === other.date &&
    one.currency === other.currency &&
    one.amountMinor === other.amountMinor
  );
}
