/** `tillbridge discrepancies`: what terminal and journal disagree about, and nobody has acknowledged yet. */
import type { DiscrepancyView } from '../../bridge/payments/index.ts';
import { discrepancyHold } from '../../contract/discrepancy.ts';
import { formatAmount } from '../../contract/money.ts';
import type { AddCommand } from '../add-command.ts';
import { discrepancyWords, recordWords } from '../fact-sentences.ts';
import { discrepancyItems, listOpenItems, type ItemKind } from '../open-items.ts';
import { oneLine } from '../world.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions } from '../shared-options.ts';

interface DiscrepanciesOptions extends DataDirOptions {
  simulator?: true;
  json?: true;
}

export const addDiscrepanciesCommand: AddCommand = (program, world, act) => {
  withSimulatorFlag(withDataDir(program.command('discrepancies'), world))
    .summary('List what terminal and journal disagree about.')
    .description(
      'Lists the open discrepancies: what the terminal shows and what the journal says do not agree, and only a person ' +
        'can clear it up. Each stays open until a named person acknowledges it. Works while the bridge runs and while ' +
        'it does not.',
    )
    .option('--json', 'Print one JSON object instead.')
    .addHelpText('after', '\nExample:\n  $ tillbridge discrepancies\n  $ tillbridge acknowledge ID --by …')
    .action((options: DiscrepanciesOptions) =>
      act(() =>
        onDataDir(options, world, (dataDir) => listOpenItems(discrepancies, dataDir, options, world)),
      ),
    );
};

const discrepancies: ItemKind<DiscrepancyView> = {
  ...discrepancyItems,
  count({ length }) {
    if (length === 0) return 'no discrepancy is open.';
    return `${length} ${length === 1 ? 'discrepancy is' : 'discrepancies are'} open.`;
  },
  describe,
};

function describe(discrepancy: DiscrepancyView): string {
  const { discrepancyId, foundAt, message, references, record } = discrepancy;
  const holds = heldWords(discrepancy);
  return [
    `  ${discrepancyWords[discrepancy.kind]}, found ${foundAt}`,
    `    id:        ${discrepancyId}`,
    `    what:      ${message}`,
    ...(references.length === 0 ? [] : [`    payments:  ${references.join(', ')}`]),
    ...(record === null ? [] : [`    terminal:  ${recordWords(record)}`]),
    ...(holds === null ? [] : [`    meanwhile: ${holds}`]),
    '    to acknowledge:',
    `      tillbridge acknowledge ${discrepancyId} --by NAME --reason TEXT`,
  ]
    .map(oneLine)
    .join('\n');
}

/** What does not start while it is open. */
function heldWords({ kind, amountMinor, currency }: DiscrepancyView): string | null {
  switch (discrepancyHold[kind]) {
    case 'nothing':
      return null;
    case 'sales':
      return 'no payment starts';
    case 'same_amount':
      return amountMinor === null || currency === null
        ? null
        : `no payment of exactly ${formatAmount(amountMinor, currency)} ${currency} starts`;
  }
}
