/**
 * Of a recording between another till and its terminal: the sales, as our driver can be asked for them.
 *
 *     bridge  sale ───────────┐  what the till sent for it, up to its next command
 *     terminal ack            │
 *     terminal result         │  ──►  the same, with a call of our driver in front
 *     bridge  ack ────────────┘
 *     bridge  totals
 */
import type { Currency } from '../../contract/money.ts';
import { fromHex, type CaptureForm } from '../terminals/framing/index.ts';
import { briefly, seconds } from './differences.ts';
import type { CaptureEntry, EntryOf, NumberedEntry } from './capture-file.ts';

export interface ForeignSale {
  /** The line is opened, the driver made ready, the sale called for; then what was recorded. */
  entries: NumberedEntry[];
  /** The till went on to something else, so nothing of it is missing. */
  isWhole: boolean;
  /** How the till took its check bytes, where that is a setting of the protocol. */
  check: { setting: string; value: string } | null;
}

export function salesIn(
  entries: readonly NumberedEntry[],
  form: CaptureForm,
  currency: Currency,
): ForeignSale[] {
  const commands = entries.flatMap(({ entry }, at) => {
    if (entry.kind !== 'frame' || entry.from !== 'bridge') return [];
    const command = form.commandIn(fromHex(entry.hex.replaceAll(/[:*]/g, '')));
    return command === null ? [] : [{ at, entry, command }];
  });
  return commands.flatMap(({ at, entry, command }, index) => {
    if (command === 'other') return [];
    const recorded = upToEnd(entries.slice(at, commands[index + 1]?.at));
    const line = entries[at]?.line ?? 0;
    const prepare: NumberedEntry[] =
      form.readyAnswers === undefined
        ? []
        : [{ line, entry: { t: entry.t, kind: 'call', call: 1, what: 'prepare' } }];
    const call: EntryOf<'call'> = {
      t: entry.t,
      kind: 'call',
      call: prepare.length + 1,
      what: 'sale',
      with: { ...command, maxAmountMinor: command.amountMinor, currency },
    };
    const before: NumberedEntry[] = [
      { line, entry: { t: entry.t, kind: 'opened' } },
      ...prepare,
      { line, entry: call },
    ];
    const { checkSetting } = form;
    const check =
      checkSetting === undefined || entry.check === undefined
        ? null
        : { setting: checkSetting, value: entry.check };
    return [{ entries: [...before, ...recorded], isWhole: index < commands.length - 1, check }];
  });
}

/** What comes after the line has ended is of another one. */
function upToEnd(entries: readonly NumberedEntry[]): readonly NumberedEntry[] {
  const end = entries.findIndex(({ entry }) => entry.kind === 'closed');
  return end === -1 ? entries : entries.slice(0, end + 1);
}

/** `2.400 s (line 12): of this sale of 2400 this version makes {"kind":"done", …}.` */
export function outcomeOf(then: readonly NumberedEntry[], now: readonly CaptureEntry[]): string {
  const [first] = then;
  const call = then.find(({ entry }) => entry.kind === 'call' && entry.what === 'sale')?.entry;
  const amount = call?.kind === 'call' && call.what === 'sale' ? call.with : null;
  const answer = now.find((entry) => entry.kind === 'answer');
  const made =
    answer === undefined ? ' nothing, because it has no end' : briefly(answer.gave ?? answer.failed);
  const what =
    amount === null ? 'sale' : `sale of ${amount.amountMinor} (${amount.currency}, in minor units)`;
  return `${seconds(first?.entry.t ?? 0)} (line ${first?.line ?? 0}): of this ${what} this version makes${made}.`;
}
